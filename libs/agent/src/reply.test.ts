import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReplyParser } from "./reply.ts";
import { volume } from "@karst/events/testing";

interface Read {
  readonly shown: readonly string[];
  readonly text: string;
  readonly prose: string;
  readonly code: string | undefined;
  readonly unclosed: boolean;
}

function read(pieces: readonly string[]): Read {
  const parser = new ReplyParser();
  const shown = pieces.map((piece) => parser.feed(piece));
  const { rest, reply } = parser.end();
  return { shown: [...shown, rest].filter((part) => part !== ""), ...reply };
}

/** The reply cut after each of the given lengths, in UTF-16 units: pairs of surrogates are torn too. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => text.slice(start, places[index] ?? text.length));
}

const characters = (text: string): string[] => text.split(/(?:)/u);
const BLOCK = "```js\na=1\n```";
const TOKENS = [
  "```",
  "``",
  "`",
  "js",
  "TS",
  "javascript",
  "python",
  " ",
  "   ",
  "\n",
  "\r\n",
  "x=1",
  "const a = `b`",
  "é",
  "😀",
  "\ud83d",
  "// ```",
  "Hi.",
];
const reply = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 25 }).map((tokens) => tokens.join("")),
  fc
    .tuple(
      fc.constantFrom("", "Thought\n", "a\n\n", "``\n"),
      fc.constantFrom("```js", "  ```ts note", "```python", "````js", "```"),
      fc.constantFrom("\n", "\r\n"),
    )
    .chain(([prose, fence, end]) =>
      fc
        .array(fc.constantFrom("x=1", "  y=2", "", "```", "  ```", "// ```", "```js", "`t`"), { maxLength: 8 })
        .map((lines) => prose + [fence, ...lines].join(end)),
    ),
);
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

describe("however a reply is cut", () => {
  test("its text, prose and code are the same", () => {
    fc.assert(
      fc.property(reply, cuts, (text, places) => {
        const { shown, ...whole } = read([text]);
        const { shown: pieces, ...cut } = read(cutAt(text, places));
        expect(cut).toEqual(whole);
        expect(pieces.join("")).toBe(shown.join(""));
      }),
      { numRuns: volume(2_000) },
    );
  });

  test("what was passed on piece by piece is the prose", () => {
    fc.assert(
      fc.property(reply, cuts, (text, places) => {
        const { shown, prose } = read(cutAt(text, places));
        expect(shown.join("")).toBe(prose);
      }),
      { numRuns: volume(1_000) },
    );
  });

  test("a reply without a closed or open block is prose to the last character", () => {
    fc.assert(
      fc.property(reply, cuts, (text, places) => {
        const { code, unclosed, prose, text: readText } = read(cutAt(text, places));
        fc.pre(code === undefined && !unclosed);
        expect(prose).toBe(text);
        expect(readText).toBe(text);
      }),
      { numRuns: volume(1_000) },
    );
  });

  test("prose before the block, and the block to its closing fence, are the whole of what was read", () => {
    const prose = fc
      .array(fc.constantFrom("Look:", "`x`", "", "  and", "``"), { maxLength: 4 })
      .map((lines) => lines.map((line) => `${line}\n`).join(""));
    const body = fc.array(fc.constantFrom("x=1", "// ```", "const f = `a`", "é😀"), { minLength: 1, maxLength: 5 });
    const tail = fc.constantFrom("", "\n", "\nmore", "\n\n```js\nb=2\n```", "\n```");
    fc.assert(
      fc.property(prose, body, tail, cuts, (before, lines, after, places) => {
        const block = `\`\`\`js\n${lines.join("\n")}\n\`\`\``;
        const { text, prose: shown, code } = read(cutAt(before + block + after, places));
        expect(shown).toBe(before);
        expect(code).toBe(lines.join("\n"));
        expect(text).toBe(before + block + (after === "" ? "" : "\n"));
      }),
    );
  });
});

test("P1: prose that comes character by character is passed on character by character", () => {
  const { shown, prose, code } = read(characters("Hello."));
  expect(shown).toEqual(characters("Hello."));
  expect({ prose, code }).toEqual({ prose: "Hello.", code: undefined });
});

test("P2: prose comes before the code, and the fence is in neither", () => {
  expect(read(["Hi\n", BLOCK])).toMatchObject({ shown: ["Hi\n"], prose: "Hi\n", code: "a=1" });
});

test("P3: inline backticks stay prose, also at the beginning of a line", () => {
  const text = "Use `a` and ``b``\n`c` is next\n``d``";
  for (const pieces of [[text], characters(text)]) expect(read(pieces)).toMatchObject({ prose: text, code: undefined, unclosed: false });
});

describe("P4", () => {
  test.each(["python", "", "jsx", "json", "js5", "tsx"])("a block marked '%s' is prose and never code", (word) => {
    const text = `\`\`\`${word}\na=1\n\`\`\``;
    expect(read([text])).toMatchObject({ prose: text, code: undefined, unclosed: false });
  });

  test.each(["js", "JS", "JavaScript", "ts", "Typescript"])("a block marked '%s' is code, whatever follows on its line", (word) => {
    expect(read([`\`\`\`${word} title="x"\na=1\n\`\`\``]).code).toBe("a=1");
    expect(read([`\`\`\`  ${word}\na=1\n\`\`\``]).code).toBe("a=1");
  });
});

test.each([1, 13, 1_000])("P5: of two blocks only the first counts, and reading ends at its closing fence, in pieces of %i", (size) => {
  const text = "One\n```js\na=1\n```\nTwo\n```js\nb=2\n```\n";
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
  expect(read(pieces)).toMatchObject({ prose: "One\n", code: "a=1", text: "One\n```js\na=1\n```\n" });
});

test("P6: three backticks inside a line of code do not end the block", () => {
  const body = 'const s = "```";\n// ``` is no end\nconst t = `x```y`;';
  expect(read([`\`\`\`js\n${body}\n\`\`\``]).code).toBe(body);
});

describe("P7", () => {
  test("a reply that ends inside a block is unclosed, and has no code", () => {
    expect(read(["So:\n```js\na=1\n"])).toMatchObject({ prose: "So:\n", code: undefined, unclosed: true, text: "So:\n```js\na=1\n" });
  });

  test.each(["```js", "So:\n  ```TypeScript"])("a reply that ends on the opening line %j is unclosed too", (text) => {
    for (const pieces of [[text], characters(text)]) expect(read(pieces)).toMatchObject({ code: undefined, unclosed: true, text });
  });
});

test("P8: a block that is indented as a whole, fences too, loses that indentation", () => {
  expect(read(["  ```js\n  if (a)\n    b();\n\n  ```"]).code).toBe("if (a)\n  b();");
});

test("P9: CRLF line ends leave no CR in the code", () => {
  expect(read(["Hi\r\n```js\r\na=1\r\nb=2\r\n```\r\n"])).toMatchObject({ prose: "Hi\r\n", code: "a=1\nb=2" });
});

test("P10: a fence of four backticks is prose, also around a block", () => {
  expect(read(["````js\na=1\n````"])).toMatchObject({ prose: "````js\na=1\n````", code: undefined });
});

test("a fence that does not begin its line is prose", () => {
  expect(read(["Like ```js\na=1\n```"])).toMatchObject({ prose: "Like ```js\na=1\n```", code: undefined });
});

test.each(["```js\n```\n", "```js\n  \n\n```\n", "  ```ts note\n```  \n"])(
  "the empty block %j is prose, and the next block is read",
  (empty) => {
    expect(read([`A\n${empty}`, BLOCK])).toMatchObject({ prose: `A\n${empty}`, code: "a=1" });
    expect(read([`A\n${empty.trimEnd()}`])).toMatchObject({ prose: `A\n${empty.trimEnd()}`, code: undefined, unclosed: false });
  },
);

test("only what may become a fence is held back", () => {
  const parser = new ReplyParser();
  expect(parser.feed("a `")).toBe("a `");
  expect(parser.feed("\n``")).toBe("\n");
  expect(parser.feed("x")).toBe("``x");
  expect(parser.feed("\n```py")).toBe("\n");
  expect(parser.feed("\n")).toBe("```py\n");
  expect(parser.end().rest).toBe("");
});

test("after the first block it is done, and takes nothing more", () => {
  const parser = new ReplyParser();
  parser.feed(`${BLOCK}\n`);
  expect(parser.done).toBe(true);
  expect(parser.feed("more")).toBe("");
  expect(parser.end().reply.text).toBe(`${BLOCK}\n`);
});
