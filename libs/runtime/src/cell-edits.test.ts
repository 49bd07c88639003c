import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEdits } from "./cell-edits.ts";
import { linesOf, normaliseSource } from "./cell-source.ts";
import { compileCell } from "./cell.ts";
import { CellSyntaxError } from "./errors.ts";
import { volume } from "@karst/events/testing";

const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\u2028", "é") });
const lineCount = (value: string): number => value.split(/[\n\u2028\u2029]/).length;

describe("edits", () => {
  it("insertions at one place keep their order, before a replacement that starts there", () => {
    const edits = createEdits("abc", linesOf("abc"));
    edits.insert(1, "1");
    edits.replace(1, 2, "B");
    edits.insert(1, "2");
    edits.insert(2, "3");
    edits.head("<");
    edits.insert(3, ">");
    expect(edits.apply().text).toBe("<a12B3c>");
  });
  it("erasing leaves line ends, or a blank so that words do not grow together", () => {
    const source = "a type\n b\u2028c d";
    const edits = createEdits(source, linesOf(source));
    edits.erase(1, 10);
    edits.erase(11, 12, ";");
    edits.erase(12, 12);
    expect(edits.apply().text).toBe("a\n\u2028c;d");
    const words = createEdits("in x of", linesOf("in x of"));
    words.erase(2, 5);
    expect(words.apply().text).toBe("in of");
  });
  it("every copied character leads back to itself, whatever is put between", () => {
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), text)), (source, wanted) => {
        const lines = linesOf(source);
        const edits = createEdits(source, lines);
        const kept = Array.from(source, () => true);
        for (const [at, length, put] of wanted) {
          const start = source.length === 0 ? 0 : at % (source.length + 1);
          const end = Math.min(start + length, source.length);
          const free = kept.slice(start, end).every(Boolean);
          if (length === 0 || !free || end === start) edits.insert(start, put);
          else {
            edits.replace(start, end, put);
            kept.fill(false, start, end);
          }
        }
        const edited = edits.apply();
        const resultLines = linesOf(edited.text);
        const keptOffsets = kept.flatMap((isKept, offset) => (isKept ? [offset] : []));
        // Copied characters stand in the result in their order: each is found after the one before.
        const found: number[] = [];
        for (let offset = 0; offset < edited.text.length; offset += 1) {
          const { line, column } = resultLines.positionOf(offset);
          const back = edited.position(line, column);
          const sourceOffset = lines.offsetOf(back.line, back.column);
          if (sourceOffset === keptOffsets[found.length] && edited.text.charAt(offset) === source.charAt(sourceOffset))
            found.push(sourceOffset);
        }
        expect(found).toEqual(keptOffsets);
      }),
    );
  });
});

describe("lines", () => {
  it("positions and offsets are inverse", () => {
    fc.assert(
      fc.property(text, fc.nat(), (source, at) => {
        const lines = linesOf(source);
        const offset = at % (source.length + 1);
        const { line, column } = lines.positionOf(offset);
        expect(lines.offsetOf(line, column)).toBe(offset);
        expect(lines.count).toBe(lineCount(source));
        expect(lines.text(line).length).toBeGreaterThanOrEqual(column - 1);
      }),
    );
  });
  it("there is no line 0 and none after the last", () => {
    const lines = linesOf("a\nb");
    expect([lines.text(0), lines.text(1), lines.text(2), lines.text(3)]).toEqual(["", "a", "b", ""]);
  });
});

describe("damaged cells", () => {
  const whole = [
    "import a, { b as c } from 'm'\nconst { d, e: [f = 1, ...g] }: T = await h<X>(1)\nclass K<T> extends L implements M { constructor(private x: T) { super() } static #p = 1; get q(): number { return K.#p } }",
    "enum E { A = 1 << 2, B, C = 'x' }\nexport default async function* named<T>(this: T, { x, ...y }: any = {}, [z]?: T[]): Promise<void> {\n  for await (const v of x) yield* v!.w\n}\ntype T = { [K in keyof E]?: E[K] }",
    "outer: for (var i = 0, j; i < 3; i++) { if (i as number) continue outer; else try { switch (i) { case <any>1: break; default: throw i } } catch ({ message }) { ({ a, b: c.d } = message) } finally { i ??= () => {} } }\nreturn { i, j }",
  ];
  const token = /\s+|[\p{ID_Continue}$]+|"[^"]*"|'[^']*'|=>|\.\.\.|\?\?=|\?\.|./gsu;
  it("are refused with a place, or keep their lines: nothing else happens", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.constantFrom(
              "",
              "(",
              ")",
              "{",
              "}",
              "\n",
              ";",
              "<",
              ">",
              "=>",
              "as",
              "await ",
              "async ",
              "let ",
              "`",
              "//",
              "'",
              "!",
              "?",
              "@",
              "#",
              "enum ",
            ),
          ),
          { minLength: 1, maxLength: 4 },
        ),
        fc.boolean(),
        (source, damage, guard) => {
          const tokens = source.match(token) ?? [];
          for (const [at, put] of damage) tokens[at % tokens.length] = put;
          const damaged = tokens.join("");
          try {
            const cell = compileCell(damaged, { cell: 1, guard });
            expect(lineCount(cell.code)).toBe(lineCount(normaliseSource(damaged)));
          } catch (error) {
            if (!(error instanceof CellSyntaxError)) throw error;
            expect(error.line).toBeLessThanOrEqual(lineCount(damaged));
          }
        },
      ),
      { numRuns: volume(2_000) },
    );
  }, 60_000);
});
