import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

/** Samples with their cl100k and o200k counts, made with the npm package gpt-tokenizer 4.0.0. */
const SAMPLES = {
  english: [
    "The quick brown fox jumps over the lazy dog while the analyst reads the quarterly report and writes a short note about it.",
    24,
    24,
  ],
  code: [
    "const medianBudgetPerDecade = groupedRows.map((rows) => median(rows.map((row) => row.productionBudget)));\n  if (medianBudgetPerDecade.length === 0) return undefined;\n",
    41,
    41,
  ],
  json: [
    '[{"id":1,"title":"Land Girls","gross":146083,"rating":6.1,"genre":null},{"id":2,"title":"First Love","gross":10876,"rating":6.9,"genre":"Drama"}]',
    52,
    51,
  ],
  csv: ["1998,146083,6.1\n1999,10876,6.9\n2001,203134,5.4\n", 30, 30],
  stack: [
    "Error: boom\n    at Object.<anonymous> (/app/src/index.ts:12:34)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n",
    39,
    40,
  ],
  chinese: ["机器学习是人工智能的一个分支,它使用数据和算法来模仿人类学习的方式。", 35, 25],
  hello: ["你好世界你好世界你好世界你好世界", 20, 8],
  japanese: ["これは日本語の文章です。カタカナも含まれています。東京は日本の首都です。", 32, 25],
  korean: ["안녕하세요, 이것은 한국어 문장입니다. 서울은 대한민국의 수도입니다.", 33, 18],
  astral: ["𠀀𠀁𠀂𠀃𠀄𠀅", 18, 18],
  emoji: ["😀🎉🚀🔥👍🏽🧑‍💻", 24, 15],
  russian: ["Это обычное русское предложение о погоде, и оно достаточно длинное для проверки.", 34, 18],
  german: ["Über die schönen Straßen führt der Weg zur Universität, wo größere Übungen stattfinden.", 25, 15],
} as const;

test("Chinese, Japanese, Korean and supplementary characters are never below cl100k", () => {
  for (const name of ["chinese", "hello", "japanese", "korean", "astral", "emoji"] as const) {
    const [text, cl100k] = SAMPLES[name];
    expect(estimateTokens(text), name).toBeGreaterThanOrEqual(cl100k);
  }
});

test("Latin letters count a quarter", () => {
  expect(estimateTokens("plain words only".repeat(100))).toBe(400);
});

test("JSON, code, tables, traces and Cyrillic are within 40 % of cl100k", () => {
  for (const name of ["english", "code", "json", "csv", "stack", "russian", "german"] as const) {
    const [text, cl100k] = SAMPLES[name];
    expect(Math.abs(estimateTokens(text) - cl100k) / cl100k, `${name}: ${String(estimateTokens(text))} for ${String(cl100k)}`).toBeLessThan(
      0.4,
    );
  }
});

test("only no text is no token", () => {
  expect(estimateTokens("")).toBe(0);
  fc.assert(fc.property(fc.string({ minLength: 1, unit: "binary" }), (text) => estimateTokens(text) >= 1));
});

test("two texts together are never more than apart, and at most one token less", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const apart = estimateTokens(a) + estimateTokens(b);
      return estimateTokens(a + b) <= apart && estimateTokens(a + b) >= apart - 1;
    }),
  );
});
