import { expect } from "vitest";
import { ALL, runCells, valueOf } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

/** Names for outputs too big to show: reference rows O2 to O5. */
export const uniqueNameCases: readonly ContractCase[] = [
  {
    title: "O2 unique names count up and are not used twice, also after reset",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await runtime.bindUnique("_output", "a")).toBe("_output_1");
      expect(await runtime.bindUnique("_output", "b")).toBe("_output_2");
      await runtime.reset();
      expect(await runtime.bindUnique("_output", "c")).toBe("_output_3");
      expect(await valueOf(runtime, "[_output_1, _output_2, _output_3]")).toEqual(["a", "b", "c"]);
    },
  },
  {
    title: "O3 a unique name leaves alone what the host or a cell has under it, also when that is gone after reset",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "_output_1", value: "host" });
      await runCells(runtime, "const _output_2 = 'cell'");
      expect(await runtime.bindUnique("_output", "c")).toBe("_output_3");
      expect(await valueOf(runtime, "[_output_1, _output_2]")).toEqual(["host", "cell"]);
      await runtime.reset();
      expect(await runtime.bindUnique("_output", "d")).toBe("_output_4");
    },
  },
  {
    title: "O4 25 concurrent binds get 25 names with the right values",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const names = await Promise.all(Array.from({ length: 25 }, (_, index) => runtime.bindUnique("_output", index)));
      expect(new Set(names).size).toBe(25);
      expect(await Promise.all(names.map((name) => runtime.retrieve(name)))).toEqual(names.map((_, index) => index));
    },
  },
  {
    title: "O4 a floor for the number is kept, and must be a whole number from 1",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await runtime.bindUnique("_output", "a", 7)).toBe("_output_7");
      expect(await runtime.bindUnique("_output", "b", 7)).toBe("_output_8");
      expect(await runtime.bindUnique("_output", "c")).toBe("_output_1");
      for (const start of [0, -1, 1.5, NaN])
        await expect(runtime.bindUnique("_output", "d", start)).rejects.toMatchObject({ code: "InvalidConfig" });
    },
  },
  {
    title: "O5 a prefix that makes no identifier is refused by the name it makes",
    kinds: ALL,
    run: async (open) => {
      await expect((await open()).bindUnique("bad-name", 1)).rejects.toThrow(/bad-name_1/);
    },
  },
];
