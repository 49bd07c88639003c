import { expect } from "vitest";
import { ALL, errorOf, ON_NODE, runCells, untilResult, valueOf } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

const DEEP_THROW = `interface Row { b: { c: number } }
async function total(xs: Row[]): Promise<number> {
  let t: number = 0;
  await null;
  for (const x of xs) t += (x as any).missing.c;
  return t;
}
await total([{ b: { c: 1 } }])`;

/** Errors of cells, awaited and not: R7 of the port, reference rows E1 to E5. */
export const errorCases: readonly ContractCase[] = [
  {
    title: "R7 an error is a result with class, message, line and column, not a throw",
    kinds: ALL,
    run: async (open) => {
      const result = await (await open()).execute("const a = 1\nthrow new RangeError('too far')");
      expect(result).toMatchObject({ ok: false, hasValue: false });
      expect(result.error).toMatchObject({ code: "CellFailed", name: "RangeError", message: "too far", line: 2, cell: result.cell });
      expect(result.error?.column).toBeGreaterThan(0);
    },
  },
  {
    title: "R7 the report shows the cell's own frames with line and source, and no others",
    kinds: ALL,
    run: async (open) => {
      const { report } = await errorOf(await open(), DEEP_THROW);
      expect(report).toMatch(/total \(cell 1, line 5, col \d+\)\n\s+for \(const x of xs\) t \+= \(x as any\)\.missing\.c;/);
      expect(report).not.toMatch(/node:|\.ts:|file:/);
    },
  },
  {
    title: "R7 an error in a function of an old cell shows that cell's line",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "function fail() {\n  throw new Error('deep')\n}");
      const error = await errorOf(runtime, "fail()");
      expect(error.report).toMatch(/fail \(cell 1, line 2, col \d+\)[\s\S]*cell 2, line 1/);
      expect(error.cell).toBe(2);
      expect(error).not.toHaveProperty("line");
    },
  },
  {
    title: "R7 messages use the names of the cell, not those of generated code",
    kinds: ALL,
    run: async (open) => {
      const error = await errorOf(await open(), "notFn = 5; notFn()");
      expect(error.message).toBe("notFn is not a function");
      expect(error.report).not.toMatch(/\$/);
    },
  },
  {
    title: "R7 an unknown name is a ReferenceError that lists the names there are",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "rows", value: [] });
      const error = await errorOf(runtime, "fs.readFile('x')");
      expect(error).toMatchObject({ name: "ReferenceError", message: "fs is not defined" });
      expect(error.report).toMatch(/rows/);
    },
  },
  {
    title: "R7 cells have no process, require or module",
    kinds: ["inline", "sandbox"],
    run: async (open) => {
      const runtime = await open();
      for (const name of ["process", "require", "module"]) expect((await errorOf(runtime, name)).message).toBe(`${name} is not defined`);
      expect(await valueOf(runtime, "[typeof process, typeof globalThis.process, 'process' in globalThis]")).toEqual([
        "undefined",
        "undefined",
        false,
      ]);
    },
  },
  {
    title: "R7 causes and collected errors are in the report",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect((await errorOf(runtime, "throw new Error('outer', { cause: new TypeError('inner') })")).report).toMatch(
        /outer[\s\S]*TypeError: inner/,
      );
      expect((await errorOf(runtime, "throw new AggregateError([new Error('one'), new RangeError('two')], 'all')")).report).toMatch(
        /all[\s\S]*one[\s\S]*RangeError: two/,
      );
    },
  },
  {
    title: "R7 what is no error can be thrown",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect((await errorOf(runtime, "throw 'just text'")).message).toMatch(/just text/);
      expect((await errorOf(runtime, "throw undefined")).report).toMatch(/undefined/);
      expect((await errorOf(runtime, "throw { get message() { throw 1 } }")).code).toBe("CellFailed");
    },
  },
  {
    title: "R7 a rejected value of a cell is its error",
    kinds: ALL,
    run: async (open) => {
      expect(await errorOf(await open(), "Promise.reject(new TypeError('forgot'))")).toMatchObject({
        name: "TypeError",
        message: "forgot",
      });
    },
  },
  {
    title: "background: a rejected promise that nobody awaits is told with the result, and the state is kept",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const first = await runCells(runtime, "let kept = 1; (async () => { throw new Error('lost') })(); 'ok'");
      expect(first.value).toBe("ok");
      const error = first.background[0] ?? (await untilResult(runtime, (result) => result.background[0]));
      expect(error).toMatchObject({ message: "lost", cell: first.cell, line: 1 });
      expect(await valueOf(runtime, "kept")).toBe(1);
    },
  },
  {
    title: "background: throws in timers and events are told under their cell's number, and the host lives",
    kinds: ON_NODE,
    run: async (open) => {
      const runtime = await open({ modules: { "node:events": "node:events" } });
      await runCells(runtime, "import { EventEmitter } from 'node:events'");
      const { cell, background } = await runCells(
        runtime,
        "setTimeout(() => { throw new Error('timer') }, 1); setTimeout(() => new EventEmitter().emit('error', new Error('event')), 1); setTimeout(() => { Promise.reject(new Error('promise')) }, 1); queueMicrotask(() => { throw new Error('microtask') }); 1",
      );
      const seen = [...background];
      await untilResult(runtime, (result) => (seen.push(...result.background), seen.length >= 4 ? true : undefined));
      expect(seen.map(({ message }) => message).sort()).toEqual(["event", "microtask", "promise", "timer"]);
      expect(new Set(seen.map((error) => error.cell))).toEqual(new Set([cell]));
    },
  },
  {
    title: "background: a rejection that a later cell catches is not told once it is caught",
    kinds: ["inline"],
    run: async (open) => {
      const runtime = await open();
      const { background, value } = await runCells(
        runtime,
        "const late = Promise.reject(new Error('caught in time')); await new Promise((resolve) => setTimeout(resolve, 5)); await late.catch((error) => error.message)",
      );
      expect(value).toBe("caught in time");
      expect(background).toEqual([]);
    },
  },
];
