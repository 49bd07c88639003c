import type { CellError, CellResult } from "@karst/runtime";
import { describe, expect, test } from "vitest";
import { cellOutput, cellText, preview, PREVIEW_CHARS } from "./cell-text.ts";

function cell(change: Partial<CellResult> = {}): CellResult {
  return {
    cell: 2,
    ok: true,
    hasValue: false,
    returned: false,
    output: "",
    outputDroppedChars: 0,
    late: [],
    background: [],
    durationMs: 1,
    diff: { added: [], changed: [], removed: [] },
    ...change,
  };
}
const error = (report: string, cellNumber = 2): CellError => ({
  code: "CellFailed",
  name: "TypeError",
  message: report,
  cell: cellNumber,
  report,
});
const inside = (text: string): string => text.replace(/^<result>\n/, "").replace(/\n<\/result>$/, "");

test("the wrapper around a result is at most 16 tokens, counting each word and mark", () => {
  expect(
    [
      ...cellText(cell({ output: "x" }))
        .replace("x", "")
        .matchAll(/\w+|[^\s\w]|\n/g),
    ].length,
  ).toBeLessThanOrEqual(16);
});

describe("the model is shown", () => {
  test("that there was nothing, when there was nothing", () => {
    expect(cellText(cell())).toBe("<result>\n(no output)\n</result>");
  });

  test("what was printed, then the value, then new names with type and size", () => {
    const result = cell({
      output: "hello\n",
      hasValue: true,
      value: 3,
      valueText: "3",
      diff: {
        added: [
          { name: "rows", type: "Row[]", size: 3 },
          { name: "n", type: "number" },
        ],
        changed: [],
        removed: [],
      },
    });
    expect(inside(cellText(result))).toBe("hello\n→ 3\nNew names: rows: Row[] (3), n: number");
  });

  test("no value when it is undefined", () => {
    expect(inside(cellText(cell({ hasValue: true, value: undefined, valueText: "undefined" })))).toBe("(no output)");
    expect(inside(cellText(cell({ hasValue: true, value: null, valueText: "null" })))).toBe("→ null");
  });

  test("the error report after the output", () => {
    expect(inside(cellText(cell({ ok: false, output: "a\n", error: error("TypeError: no\n  1 | x()") })))).toBe(
      "a\nTypeError: no\n  1 | x()",
    );
  });

  test("why a returned value does not do", () => {
    expect(inside(cellText(cell(), { refused: ["n: too small", "m: missing"] }))).toBe(
      "The returned value is refused: n: too small; m: missing",
    );
  });

  test("where a big output is, and its beginning only", () => {
    const output = "0123456789\n".repeat(1_000);
    const text = inside(cellText(cell({ output }), { big: { name: "_output_1", chars: 10_999 } }));
    expect(text).toMatch(/^10999 characters of output are in `_output_1`/);
    expect(text.length).toBeLessThan(PREVIEW_CHARS + 150);
    expect(text.endsWith("0123456789\n…")).toBe(true);
  });

  test("of a long value its beginning only", () => {
    const text = cellText(cell({ hasValue: true, value: "x", valueText: "x".repeat(4_000) }));
    expect(text.length).toBeLessThan(PREVIEW_CHARS + 50);
  });
});

test("output includes what came late, what nobody awaited, and how much was dropped, each by its cell", () => {
  const result = cell({
    output: "now\n",
    outputDroppedChars: 7,
    late: [{ cell: 1, text: "later" }],
    background: [error("Error: lost", 1)],
  });
  expect(cellOutput(result)).toBe("now\n[7 more characters were dropped]\n[cell 1, later] later\n[cell 1, not awaited] Error: lost");
});

describe("a preview", () => {
  test("is the whole text when it fits", () => {
    expect(preview("abc", 3)).toBe("abc");
    expect(preview("x".repeat(PREVIEW_CHARS))).toHaveLength(PREVIEW_CHARS);
  });

  test("ends at a line when one ends in the second half, else at the limit", () => {
    expect(preview("123456\n890", 9)).toBe("123456\n…");
    expect(preview("12\n4567890", 9)).toBe("12\n456789\n…");
    expect(preview("1234567890", 4)).toBe("1234\n…");
  });
});
