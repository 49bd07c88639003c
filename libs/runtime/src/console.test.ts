import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "@karst/events";
import { createCellConsole } from "./console.ts";
import type { CellConsole } from "./console.ts";

function printed(use: (console: CellConsole) => void): string {
  let text = "";
  use(createCellConsole({ write: (part) => void (text += part), monotonic: () => 0 }));
  return text;
}

describe("console of cells", () => {
  it("prints strings as they are and values as text, joined by spaces", () => {
    expect(printed(({ log }) => { log("a b", { a: "x" }, 1, null, undefined, [1n]); log(); })).toBe('a b { a: "x" } 1 null undefined [1n]\n\n'); // prettier-ignore
  });

  it("fills format specifiers of a first string, and leaves the others", () => {
    expect(printed(({ log }) => { log("%s is %d%%, %i, %f, %j, %o %c.%s", "x", 5.5, 5.9, "1.5", { a: 1 }, [1], "css", "end", "more"); })).toBe('x is 5.5%, 5, 1.5, { a: 1 }, [1] .end more\n'); // prettier-ignore
    expect(printed(({ log }) => { log("100%"); log("%d", 5n); log("%d %i", {}, Symbol("s")); log("%s %s", "one"); })).toBe("100%\n5n\nNaN NaN\none %s\n"); // prettier-ignore
  });

  it("runs no code of what it prints", () => {
    let ran = 0;
    const sly = { toString: () => (ran += 1), valueOf: () => (ran += 1), toJSON: () => (ran += 1) };
    printed(({ log, table }) => { log("%s %d %j", sly, sly, sly); log(sly); table([sly]); }); // prettier-ignore
    expect(ran).toBe(0);
  });

  it("prints all methods to one stream", () => {
    expect(printed(({ info, debug, warn, error, dir, dirxml, trace, clear }) => { info(1); debug(2); warn(3); error(4); dir({ a: 1 }, { depth: 0 }); dirxml(5); trace("here"); clear(); })).toBe("1\n2\n3\n4\n{ a: 1 }\n5\nTrace: here\n"); // prettier-ignore
  });

  it("indents groups, every line of them", () => {
    expect(printed(({ log, group, groupCollapsed, groupEnd }) => { group("g"); log("a\nb"); groupCollapsed(); log("c"); groupEnd(); groupEnd(); groupEnd(); log("d"); })).toBe("g\n  a\n  b\n    c\nd\n"); // prettier-ignore
  });

  it("counts by label", () => {
    expect(printed(({ count, countReset }) => { count(); count("x"); count(); countReset(); count(); })).toBe("default: 1\nx: 1\ndefault: 2\ndefault: 1\n"); // prettier-ignore
  });

  it("measures time by label", () => {
    const clock = createSimulatedClock();
    let text = "";
    const { time, timeLog, timeEnd } = createCellConsole({ write: (part) => void (text += part), monotonic: () => clock.monotonic() });
    time("t");
    clock.advance(12.34);
    timeLog("t", "so far");
    clock.advance(1);
    timeEnd("t");
    timeEnd("t");
    timeLog("never");
    expect(text).toBe("t: 12.3 ms so far\nt: 13.3 ms\n");
  });

  it("asserts", () => {
    expect(printed(({ assert }) => { assert(true, "no"); assert({}, "no"); assert(false, "is %s", "so"); assert(0); })).toBe("Assertion failed: is %s so\nAssertion failed:\n"); // prettier-ignore
  });

  it.each<[string, unknown, string]>([
    [
      "rows",
      [
        { a: 1, b: "x" },
        { a: 22, c: [1] },
      ],
      " | a  | b | c\n0 | 1  | x |\n1 | 22 |   | [1]\n",
    ],
    ["values", [1, "a"], " | value\n0 | 1\n1 | a\n"],
    ["an object of objects", { x: { n: 1 }, y: { n: 2 } }, " | n\nx | 1\ny | 2\n"],
    ["a map", new Map([["k", { n: 1 }]]), " | n\nk | 1\n"],
    ["a set", new Set([5]), " | value\n0 | 5\n"],
    ["a value that is no table", 5, "5\n"],
    ["rows with a getter", [Object.defineProperty({}, "g", { get: () => 1, enumerable: true })], " | g\n0 | [getter]\n"],
  ])("prints %s as a table", (_, rows, text) => {
    expect(printed(({ table }) => { table(rows); }).replace(/^ +\|/, " |")).toBe(text); // prettier-ignore
  });

  it("prints only the columns asked for", () => {
    expect(printed(({ table }) => { table([{ a: 1, b: 2 }], ["b", "z"]); })).toBe("  | b | z\n0 | 2 |\n"); // prettier-ignore
  });

  it("bounds one value and shows errors the way it is told to", () => {
    let text = "";
    const { log } = createCellConsole({
      write: (part) => void (text += part),
      monotonic: () => 0,
      maxValueChars: 50,
      errorText: (error) => `<${error.message}>`,
    });
    log(new Error("x"));
    log(Array.from({ length: 1_000 }, (_, i) => i));
    expect(text.split("\n")[0]).toBe("<x>");
    expect(text.length).toBeLessThan(60);
  });
});
