import { expect } from "vitest";
import { ALL, ON_NODE, runCells, untilResult } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

/** What cells print, and what changed: R6 of the port, and the namespace diff. */
export const outputCases: readonly ContractCase[] = [
  {
    title: "R6 what a cell prints is in its result, in order, over all methods",
    kinds: ALL,
    run: async (open) => {
      const { output } = await runCells(
        await open(),
        "console.log('a', 1); console.error('b'); await null; console.info('%s-%d', 'c', 2); console.warn({ d: [3] })",
      );
      expect(output).toBe("a 1\nb\nc-2\n{ d: [3] }\n");
    },
  },
  {
    title: "R6 what is printed or valued shows no name that the compiler made",
    kinds: ALL,
    run: async (open) => {
      const { output, valueText } = await runCells(
        await open(),
        "let notFn = 5; try { notFn() } catch (error) { console.log(error.message) }; await Promise.reject(new Error('x')).catch(() => { try { notFn() } catch (error) { return error.message } })",
      );
      expect(output).toBe("notFn is not a function\n");
      expect(valueText).toBe('"notFn is not a function"');
    },
  },
  {
    title: "R6 the output of one cell is not in the next",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect((await runCells(runtime, "console.log('first')")).output).toBe("first\n");
      expect((await runCells(runtime, "console.log('second')")).output).toBe("second\n");
    },
  },
  {
    title: "R6 cells of two runtimes that run at once do not mix their output",
    kinds: ALL,
    run: async (open) => {
      const runtimes = [await open(), await open()];
      const results = await Promise.all(
        runtimes.map((runtime, index) => runCells(runtime, `for (let i = 0; i < 5; i++) { console.log(${String(index)}); await null }`)),
      );
      expect(results.map(({ output }) => output)).toEqual(["0\n".repeat(5), "1\n".repeat(5)]);
    },
  },
  {
    title: "R6 output is capped while it is printed and the dropped characters are counted",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open({ limits: { outputChars: 1_000 } });
      const one = await runCells(runtime, "console.log('x'.repeat(2e6))");
      expect(one.output).toHaveLength(1_000);
      expect(one.outputDroppedChars).toBe(2e6 + 1 - 1_000);
      const many = await runCells(runtime, "for (let i = 0; i < 5_000; i++) console.log('0123456789')");
      expect(many.output).toHaveLength(1_000);
      expect(many.outputDroppedChars).toBe(5_000 * 11 - 1_000);
    },
  },
  {
    title: "R6 what a cell prints after its end comes with a later result, under its number",
    kinds: ON_NODE,
    run: async (open) => {
      const runtime = await open();
      const first = await runCells(runtime, "console.log('s'); setTimeout(() => console.log('later'), 5)");
      expect(first.output).toBe("s\n");
      const late = await untilResult(runtime, (result) => result.late[0]);
      expect(late).toEqual({ cell: first.cell, text: "later\n" });
      expect((await runCells(runtime, "1")).late).toEqual([]);
    },
  },
  {
    title: "R6 a function of an old cell prints into the cell that calls it",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "function say(what) { console.log(what) }");
      expect((await runCells(runtime, "say('now')")).output).toBe("now\n");
    },
  },
  {
    title: "R6 lone surrogates in output become U+FFFD",
    kinds: ALL,
    run: async (open) => {
      expect((await runCells(await open(), "console.log('a\\ud800b', '\\u{1F600}')")).output).toBe("a\uFFFDb \u{1F600}\n");
    },
  },
  {
    title: "values: cycles are marked, bigints end in n, and the text has a bound",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open({ limits: { valueChars: 500 } });
      expect((await runCells(runtime, "const a = { n: 123n, nested: [2n] }; a.self = a; a")).valueText).toBe(
        "{ n: 123n, nested: [2n], self: [Circular] }",
      );
      expect((await runCells(runtime, "console.log(5n, a)")).output).toBe("5n { n: 123n, nested: [2n], self: [Circular] }\n");
      expect((await runCells(runtime, "'y'.repeat(400_000)")).valueText?.length).toBeLessThanOrEqual(500);
      expect((await runCells(runtime, "Array.from({ length: 1e5 }, (_, i) => ({ i }))")).valueText?.length).toBeLessThanOrEqual(500);
    },
  },
  {
    title: "values: showing a value calls none of its getters",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(
        runtime,
        "let asked = 0; const sly = { get a() { asked++; throw new Error('no') } }; class S { get [Symbol.toStringTag]() { asked++; return 'x' } static get name() { asked++; return 'y' } }",
        "console.log(sly, new S(), S)",
        "sly",
        "new S()",
      );
      expect((await runCells(runtime, "asked")).value).toBe(0);
    },
  },
  {
    title: "diff: names that a cell added, changed and removed, with type and size",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "let n = 1, list = [1, 2], map = new Map(), same = { a: 1 }");
      const { diff } = await runCells(runtime, "n = 2; list.push(3); map.set('a', 1); let fresh = [{ id: 1 }]");
      expect(diff.added).toEqual([{ name: "fresh", type: "{ id: number }[]", size: 1 }]);
      expect(diff.changed).toEqual([
        { name: "n", type: "number" },
        { name: "list", type: "number[]", size: 3 },
        { name: "map", type: "Map<string, number>", size: 1 },
      ]);
      expect(diff.removed).toEqual([]);
    },
  },
  {
    title: "diff: rows that were changed in place count as changed, also when a function of an old cell did it",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(
        runtime,
        "const rows = [{ day: '2020-01-01' }, { day: '2020-01-02' }]; function mend() { for (const row of rows) row.day = new Date(row.day) }",
      );
      expect((await runCells(runtime, "rows.length")).diff.changed).toEqual([]);
      expect((await runCells(runtime, "mend()")).diff.changed.map(({ name }) => name)).toEqual(["rows"]);
    },
  },
  {
    title: "diff: a cell that fails still tells what it had changed",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const { diff } = await runtime.execute("let before = 1; throw new Error('then')");
      expect(diff.added.map(({ name }) => name)).toContain("before");
    },
  },
];
