import { expect } from "vitest";
import { z } from "zod";
import { ALL, BY_REFERENCE, runCells } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

/** What the model is shown: reference rows D1, D2, L9, RT11. Details of the text are tested beside describe.ts. */
export const describeCases: readonly ContractCase[] = [
  {
    title: "RT11 with nothing injected describe gives a fixed text",
    kinds: ALL,
    run: async (open) => {
      expect((await open()).describe()).toBe((await open()).describe());
      expect((await open()).describe()).toMatch(/^\/\/ No /);
    },
  },
  {
    title: "L9 what is injected later is shown later, and what a cell set is shown as it is now",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "first", value: 1 });
      expect(runtime.describe()).not.toMatch(/second/);
      await runtime.inject({ kind: "variable", name: "second", value: [1, 2, 3], description: "The second" });
      await runCells(runtime, "first = 'now a text'");
      expect(runtime.describe()).toMatch(/first: string[\s\S]*The second[\s\S]*second: number\[\]; \/\/ length 3/);
    },
  },
  {
    title: "describe: functions, types and handles are shown as TypeScript by schema and text",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const Row = z.object({ id: z.number(), at: z.date() });
      await runtime.inject([
        { kind: "type", name: "Row", value: Row, schema: Row },
        {
          kind: "function",
          name: "parse",
          value: () => new Date(0),
          description: "Parses",
          input: { text: z.string() },
          output: z.array(Row),
        },
        { kind: "handle", name: "cleaner", value: {}, typeText: "{ run(task: string): Promise<string> }" },
      ]);
      expect(runtime.describe().split("\n")).toEqual([
        "type Row = { id: number; at: Date };",
        "/** Parses */",
        "declare function parse(input: { text: string }): Promise<Row[]>;",
        "declare const cleaner: { run(task: string): Promise<string> };",
      ]);
    },
  },
  {
    title: "describe: names can be picked, those that cells made too, and an unknown one is an error",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject([
        { kind: "variable", name: "a", value: 1 },
        { kind: "variable", name: "b", value: 2 },
      ]);
      await runCells(runtime, "let made = [true]");
      expect(runtime.describe({ names: ["b", "made"] })).toBe(
        "declare let b: number; // = 2\ndeclare let made: boolean[]; // length 1, e.g. [true]",
      );
      expect(() => runtime.describe({ names: ["none"] })).toThrow(expect.objectContaining({ code: "NoSuchName" }));
    },
  },
  {
    title: "D1 rows with gaps show what may be missing, and no getter is called",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      let asked = 0;
      const rows = Array.from({ length: 5_000 }, (_, id) => ({
        id,
        meta: id % 5 === 0 ? null : { src: `s${String(id)}` },
        ...(id % 7 === 0 ? { note: `n${String(id)}` } : {}),
        get total() {
          asked += 1;
          return id;
        },
      }));
      await runtime.inject({ kind: "variable", name: "rows", value: rows });
      expect(runtime.describe()).toMatch(
        /\{ id: number; meta: \{ src: string \} \| null; note\?: string; total: unknown \}\[\]; \/\/ length 5000/,
      );
      expect(asked).toBe(0);
    },
  },
  {
    title: "D2 a large nested object is described within the budget, the same each time, in under 50 ms",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      const leaf = (n: number): object =>
        Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `key${String(i)}`,
            { text: `${String(n)} `.repeat(30), list: Array.from({ length: 30 }, (_each, j) => j * n) },
          ]),
        );
      await runtime.inject({ kind: "variable", name: "big", value: Array.from({ length: 400 }, (_, n) => leaf(n)) });
      const first = runtime.describe({ budgetChars: 2_000 });
      // The best of a few: what other work on the machine adds is not the cost of describing.
      const tookMs = [1, 2, 3, 4, 5].map(() => {
        const startedMs = performance.now();
        expect(runtime.describe({ budgetChars: 2_000 })).toBe(first);
        return performance.now() - startedMs;
      });
      expect(Math.min(...tookMs)).toBeLessThan(50);
      expect(first.length).toBeLessThanOrEqual(2_000);
      expect(first).toMatch(/big/);
    },
  },
];
