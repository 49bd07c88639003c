import { describe, expect, it } from "vitest";
import { compileCell } from "./cell.ts";
import { engineRefusal } from "./cell-error.ts";
import { createCellSession } from "./cell-session.ts";
import { CellSyntaxError } from "./errors.ts";

function refusal(source: string): CellSyntaxError {
  try {
    compileCell(source, { cell: 3 });
  } catch (error) {
    if (error instanceof CellSyntaxError) return error;
    throw error;
  }
  throw new Error(`not refused: ${source}`);
}

describe("what is refused, by name and place", () => {
  const cases: readonly [what: string, source: string, message: RegExp, line: number, column: number][] = [
    ["R18: JSX", "const a = 1\nconst el = <div/>", /JSX is not supported/, 2, 12],
    ["R18: JSX with children", "const f = () => (\n  <p>{x}</p>\n)", /JSX is not supported/, 2, 3],
    ["R18: a class decorator", "@d class A{}", /decorators are not supported/, 1, 1],
    ["R18: a member decorator", "class A {\n  @d() x = 1\n}", /decorators are not supported/, 2, 3],
    ["a parameter decorator", "class A { m(@d x) {} }", /decorators are not supported|Unexpected/, 1, 13],
    ["an accessor field", "class A {\n  accessor x = 1\n}", /`accessor` fields are not supported/, 2, 3],
    ["a namespace with values", "let a\nnamespace N { export const x = 1 }", /a namespace with values/, 2, 1],
    ["a nested namespace with values", "namespace N { namespace M { export function f() {} } }", /a namespace with values/, 1, 1],
    ["import =", "import x = require('y')", /`import x = …` is not supported/, 1, 1],
    ["import = of a namespace", "import x = A.B", /`import x = …` is not supported/, 1, 1],
    ["export =", "const x = 1; export = x", /`export =`/, 1, 14],
    ["export *", "export * from 'm'", /`export \*` is not supported/, 1, 1],
    ["let twice in one cell", "let x = 1\nlet x = 2", /Identifier 'x' has already been declared/, 2, 5],
    ["let and function of one name in one cell", "let x = 1; function x() {}", /Identifier 'x' has already been declared/, 1, 21],
    ["delete of a name", "let x = 1; delete x", /[Dd]elet/, 1, 12],
    ["with", "with (Math) { max }", /'with' in strict mode/, 1, 1],
    ["equal parameters", "function f(a, a) {}", /Argument name clash/, 1, 15],
    ["an octal number", "let a = 010", /octal|Invalid number/i, 1, 9],
    ["an HTML comment", "<!-- x", /Unexpected token/, 1, 2],
    ["arguments as a target", "arguments = 1", /arguments/, 1, 1],
    ["a cell that ends too soon", "function f() {\n  return {", /Unexpected end of the cell/, 2, 11],
    ["a stray bracket", "let a = 1)\n", /Unexpected token '\)'/, 1, 10],
    ["an unterminated template", "const s = `abc", /Unterminated template/, 1, 12],
    ["a type where an expression stands", "f([a: T])", /Unexpected token ':'|Unexpected/, 1, 5],
    ["a question mark behind an argument", "f(a?)", /Unexpected token '\?'/, 1, 4],
    ["an assertion where a name is declared", "const f = (<T>a) => a", /can bind names and patterns only|Unexpected/, 1, 12],
    ["a type at a member that is assigned", "[o.a: T] = x", /Unexpected token ':'/, 1, 5],
    ["type parameters alone", "a;\n<T>", /no code that runs|Unexpected/, 2, 1],
    ["const in front of an argument", "f(1, const a)", /Unexpected keyword 'const'/, 1, 6],
    ["code that ends in an export of types", "export type", /Unexpected end of the cell/, 1, 12],
    ["a result type behind an arrow", "const f = <T,\n>(a) =>: T a", /Unexpected/, 2, 8],
    ["an enum member named by a computed text", "enum E { [`a`] }", /Unexpected|named by an identifier/, 1, 10],
    ["an enum member without a value after a computed one", "enum E { A = 'x'.length, B }", /enum member B needs an initialiser/, 1, 26],
    [
      "parameter properties without a plain super()",
      "class B {} class A extends B { constructor(public x) { const y = super() } }",
      /must call super\(\)/,
      1,
      44,
    ],
    ["await in a function that is not async", "function f() { await x }", /await/, 1, 16],
    ["yield outside of a generator", "yield 1", /yield/, 1, 1],
    ["break outside of a loop", "break", /break/, 1, 1],
    ["a private name that no class has", "class A { m() { return this.#x } }", /#x/, 1, 29],
  ];
  it.each(cases)("%s", (_what, source, message, line, column) => {
    const error = refusal(source);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: "CellSyntax", name: "CellSyntaxError", line, column, retryable: false });
    expect(error.report).toContain(`at (cell 3, line ${String(line)}, col ${String(column)})`);
  });
  it("the report shows the line and a caret under the place", () => {
    expect(refusal("const a = 1\n\tlet b = 2)\n").report).toBe(
      "SyntaxError: Unexpected token ')'\n  at (cell 3, line 2, col 11)\n      let b = 2)\n               ^",
    );
  });
  it("a long line is cut around the place", () => {
    const { report } = refusal(`${"a;".repeat(500)} ) ${"b;".repeat(500)}`);
    const [, , line = "", caret = ""] = report.split("\n");
    expect(line.length).toBeLessThan(190);
    expect(line[caret.indexOf("^")]).toBe(")");
  });
  it("code nested too deeply is refused, not a crash", () => {
    expect(refusal(`${"(".repeat(50_000)}1${")".repeat(50_000)}`).message).toBe("the code is nested too deeply");
    expect(refusal("f".concat("(x=>f".repeat(20_000), ")".repeat(20_000))).message).toBe("the code is nested too deeply");
  });
});

describe("the text that positions refer to", () => {
  it("line ends of all systems are line ends, a #! line is a comment", async () => {
    const cell = compileCell("#!/usr/bin/env node\r\nlet a = `x\r\ny`\ra", { cell: 1 });
    expect(cell.source).toBe("///usr/bin/env node\nlet a = `x\ny`\na");
    expect(cell.code.split("\n")).toHaveLength(4);
    expect(await createCellSession().value("#!/usr/bin/env node\r\nlet a = `x\r\ny`\ra")).toBe("x\ny");
  });
  it("generated code has exactly the lines of the source", () => {
    for (const source of [
      "",
      "\n\n",
      "1 // end",
      "// only\n// comments",
      "a\n/* x */\n",
      "type A = {\n  b: number\n}\n\n",
      "a\u2028b\u2029c",
      "let x: {\n a: 1 }\n= { a: 1 }",
      "enum E {\nA,\nB\n}",
      "import {\n a,\n b\n} from 'm'",
    ]) {
      const lines = (text: string): number => text.split(/[\n\u2028\u2029]/).length;
      expect(lines(compileCell(source, { cell: 1 }).code), JSON.stringify(source)).toBe(lines(source));
    }
  });
  it("a position in generated code leads to the same text in the source", () => {
    const source = [
      "import { a1 } from 'm'; const { a, b: [c] }: T = await f<X>(o.MARK0)",
      "class K<T> extends o.MARK1 { constructor(private readonly x: T = o.MARK2) { super(x); o.MARK3 } y: T = o.MARK4 }",
      "enum E { A = 1, B = o.MARK5, C = 2 }",
      "export const g = async <",
      "  T>(x: number): Promise<",
      "  void> => { await x.MARK6; for await (const q of o.MARK7) q(a as T, `${c!.MARK8}`, { a, c, z: o.MARK9 }) }",
      "try { a! } catch ({ message }) { o.MARK10 } for (var i of a.MARK11) i(<T>o.MARK12)",
      "typeof a; a.MARK13 // comment",
      "return (x) => <T>MARK14.x",
    ].join("\n");
    for (const guard of [false, true]) {
      const cell = compileCell(source, { cell: 1, guard });
      for (let n = 0; n <= 14; n += 1) {
        const place = (text: string): { line: number; column: number } => {
          const lines = text.slice(0, new RegExp(`MARK${String(n)}\\b`).exec(text)?.index).split("\n");
          return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
        };
        const { line, column } = place(cell.code);
        expect({ n, ...cell.position(line, column) }).toEqual({ n, ...place(source) });
      }
    }
  });
  it("a position outside of the code is clamped", () => {
    const cell = compileCell("a\nbc", { cell: 1 });
    expect(cell.position(0, 0)).toEqual({ line: 1, column: 1 });
    expect(cell.position(99, 99)).toEqual({ line: 2, column: 3 });
  });
});

describe("using", () => {
  const source = "const log = [];\n{\n  using r = { [Symbol.dispose]() { log.push('gone') } };\n}\nlog";
  it("is named with its place", () => {
    expect(compileCell(source, { cell: 1 }).usingAt).toEqual({ line: 3, column: 3 });
    expect(compileCell("await using r = x", { cell: 1 }).usingAt).toEqual({ line: 1, column: 1 });
    expect(compileCell("let using = 1; using", { cell: 1 }).usingAt).toBeUndefined();
  });
  it("at the top level it stays a variable of the cell", () => {
    const cell = compileCell("using r = open(); r.x", { cell: 1 });
    expect(cell.declared).toEqual([]);
    expect(cell.freeNames).toEqual(["open"]);
    expect(cell.code).toContain("using r = (0,$k$.open)();");
  });
  it("runs where the engine has it; elsewhere the error names what is missing", async () => {
    const session = createCellSession();
    const cell = compileCell(source, { cell: 1 });
    const outcome: unknown = await session.value(source).catch((error: unknown) => engineRefusal(error, cell));
    if (outcome instanceof CellSyntaxError) {
      expect(outcome.message).toContain("`using` needs an engine with explicit resource management");
      expect(outcome.report).toContain("at (cell 1, line 3, col 3)\n      using r =");
    } else expect(outcome).toEqual(["gone"]);
  });
  it("another refusal of the engine shows its own reason and line", () => {
    const error = new SyntaxError("Invalid regular expression flags");
    error.stack = "cell:1:2\nlet b\n    ^\n\nSyntaxError: Invalid regular expression flags";
    const refused = engineRefusal(error, compileCell("let a\nlet b", { cell: 1 }));
    expect(refused).toMatchObject({ message: "this engine refuses the code: Invalid regular expression flags", line: 2 });
  });
});
