import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";
import { compileCell } from "./cell.ts";
import { CellSyntaxError } from "./errors.ts";

/** Code by other people: whatever is installed of these, minified and generated files included. */
const PACKAGES = [
  "acorn",
  "@sveltejs/acorn-typescript",
  "zod",
  "xstate",
  "msgpackr",
  "pino",
  "@ai-sdk/provider-utils",
  "commander",
  "nats",
  "fast-check",
];
const root = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

/** Every second file, and none so large that it takes a second by itself. */
const BYTES = 120_000;
const files = PACKAGES.flatMap((name) =>
  readdirSync(`${root}${name}`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !/\.d\.[cm]?ts$/.test(file) && !file.includes("node_modules"))
    .map((file) => `${root}${name}/${file}`),
).filter((file, index) => index % 2 === 0 && statSync(file).size < BYTES);

/** Refusals that are meant, and files that are wrong on purpose (fixtures of those packages' own tests). */
const MEANT = /`export \*`|a namespace with values|`import x = …`|Unexpected end of the cell/;

const lineCount = (text: string): number => text.split(/\r\n|[\r\n\u2028\u2029]/).length;

describe("other people's code", () => {
  it("compiles to code the engine takes, line for line, guarded or not, or is refused for a stated reason", () => {
    expect(files.length).toBeGreaterThan(450);
    const refused: string[] = [];
    for (const [index, file] of files.entries()) {
      const source = readFileSync(file, "utf8");
      try {
        const cell = compileCell(source, { cell: 1, guard: index % 2 === 0 });
        expect(lineCount(cell.code), file).toBe(lineCount(source));
        // One expression, a function; nothing of the file runs.
        expect(typeof (0, eval)(cell.code), file).toBe("function");
      } catch (error) {
        if (!(error instanceof CellSyntaxError)) throw error;
        expect(error.message, file).toMatch(MEANT);
        refused.push(file);
      }
    }
    expect(refused.length / files.length).toBeLessThan(0.1);
  }, 120_000);

  it("a parser run as a cell parses its own source as it does when it is a module", async () => {
    const file = `${root}acorn/dist/acorn.mjs`;
    const source = readFileSync(file, "utf8");
    const module = (await import(pathToFileURL(file).href)) as { parse(text: string, options: object): unknown };
    const plain = (node: unknown): string =>
      JSON.stringify(node, (_key, value: unknown) => (typeof value === "bigint" || value instanceof RegExp ? String(value) : value));
    const expected = plain(module.parse(source, { ecmaVersion: "latest", sourceType: "module" }));
    for (const guard of [false, true]) {
      const session = createCellSession({}, { guard });
      await session.run(source);
      session.scope.define("given", source);
      const tree = await session.value("parse(given, { ecmaVersion: 'latest', sourceType: 'module' })");
      expect(plain(tree) === expected).toBe(true);
    }
  }, 60_000);

  it("the command line library run as a cell reads arguments and writes its help", async () => {
    const session = createCellSession({ import: (specifier) => import(specifier) });
    const load = (name: string): string => readFileSync(`${root}commander/lib/${name}.js`, "utf8");
    // CommonJS, so each file is a function of its own; `require` and `module` are names of the cell.
    session.scope.define("node", {
      "node:events": await import("node:events"),
      "node:child_process": {},
      "node:path": await import("node:path"),
      "node:fs": {},
      "node:process": process,
    });
    for (const name of ["error", "argument", "help", "option", "suggestSimilar", "command"])
      session.scope.define(`${name}Source`, load(name));
    session.scope.define("host", { loaded: {} as Record<string, unknown> });
    await session.run(
      "const require = (name) => host.loaded[name.replace('./', '').replace('.js', '')] ?? (node[name].default ?? node[name])",
    );
    for (const name of ["error", "argument", "help", "option", "suggestSimilar", "command"]) {
      await session.run("let exports = {}");
      await session.run(load(name));
      await session.run(`host.loaded.${name} = exports`);
    }
    expect(
      await session.value(
        "const { Command } = host.loaded.command",
        "const program = new Command('tool').exitOverride().option('-n, --number <n>', 'a number', Number).argument('<file>'); let got; program.action((file, o) => { got = [file, o.number] }); program.parse(['a.txt', '-n', '5'], { from: 'user' }); [got, program.helpInformation().split('\\n')[0]]",
      ),
    ).toEqual([["a.txt", 5], "Usage: tool [options] <file>"]);
  });
});
