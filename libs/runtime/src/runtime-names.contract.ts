import { expect } from "vitest";
import { z } from "zod";
import { ALL, BY_REFERENCE, errorOf, runCells, valueOf } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

class Light {
  level = 10;
  dim(to: number): number {
    this.level = to;
    return to;
  }
}

/** The name table: injecting, updating, collisions, what reset keeps (R2, R3, R5 of the port; reference rows RT1 to RT10). */
export const nameCases: readonly ContractCase[] = [
  {
    title: "RT1 an injected variable is a name in cells and can be retrieved",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "rows", value: [{ id: 1 }, { id: 2 }] });
      expect(await valueOf(runtime, "rows.length")).toBe(2);
      expect(await runtime.retrieve("rows")).toEqual([{ id: 1 }, { id: 2 }]);
      expect(runtime.has("rows")).toBe(true);
      expect(runtime.has("nothing")).toBe(false);
    },
  },
  {
    title: "RT1 an injected function can be awaited in cells",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "function", name: "twice", value: (n: number) => n * 2 });
      expect(await valueOf(runtime, "await twice(21)")).toBe(42);
    },
  },
  {
    title: "RT2 two runtimes do not share names, nor what they set on globalThis",
    kinds: ALL,
    run: async (open) => {
      const [a, b] = [await open(), await open()];
      await runCells(a, "let mine = 1; globalThis.global1 = 1; Object.assign(globalThis, { global2: 2 })");
      expect(await valueOf(b, "[typeof mine, typeof global1, typeof global2, typeof globalThis.global1]")).toEqual(
        Array(4).fill("undefined"),
      );
      expect(Object.hasOwn(globalThis, "global1")).toBe(false);
    },
  },
  {
    title: "RT3 a cell works on the host's own object, and retrieve gives it back",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      const light = new Light();
      await runtime.inject({ kind: "variable", name: "light", value: light });
      await runCells(runtime, "light.dim(3)");
      expect(light.level).toBe(3);
      expect(await runtime.retrieve("light")).toBe(light);
    },
  },
  {
    title: "X2 injected objects are instances of the classes that cells see",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject([
        { kind: "variable", name: "values", value: [new Date(), new Map(), []] },
        {
          kind: "function",
          name: "fail",
          value: () => {
            throw new TypeError("no");
          },
        },
      ]);
      expect(await valueOf(runtime, "[values[0] instanceof Date, values[1] instanceof Map, values[2] instanceof Array]")).toEqual([
        true,
        true,
        true,
      ]);
      expect(
        await valueOf(
          runtime,
          "let caught; try { fail() } catch (error) { caught = error } [caught instanceof TypeError, caught instanceof Error]",
        ),
      ).toEqual([true, true]);
    },
  },
  {
    title: "RT4 retrieving an unknown name lists the names there are, without hidden ones",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject([
        { kind: "variable", name: "known", value: 1 },
        { kind: "hidden", name: "secret", value: 2 },
      ]);
      await runCells(runtime, "let made = 1");
      const error: unknown = await runtime.retrieve("unknown").catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "NoSuchName" });
      expect(String(error)).toMatch(/unknown.*known, made/);
      expect(String(error)).not.toMatch(/secret/);
    },
  },
  {
    title: "R2 a name has one owner over all kinds, and the error names both",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "taken", value: 1 });
      for (const kind of ["function", "handle", "hidden", "type"] as const) {
        const value = kind === "function" || kind === "type" ? class {} : {};
        await expect(runtime.inject({ kind, name: "taken", value })).rejects.toMatchObject({
          code: "NameTaken",
          data: { owner: "variable", wanted: kind },
        });
      }
      expect(await runtime.retrieve("taken")).toBe(1);
    },
  },
  {
    title: "R2 an output's name is taken for everybody else",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const name = await runtime.bindUnique("_output", "text");
      await expect(runtime.inject({ kind: "variable", name, value: 1 })).rejects.toMatchObject({
        code: "NameTaken",
        data: { owner: "output" },
      });
    },
  },
  {
    title: "R2 what is no identifier, a reserved word, a built-in or a look-alike is refused",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      for (const name of ["", "bad-name", "1a", "class", "await", "undefined", "Promise", "console", "ﬁle", "Åb".normalize("NFD")])
        await expect(runtime.inject({ kind: "variable", name, value: 1 }), name).rejects.toMatchObject({ code: "InvalidName" });
      for (const name of ["$", "_", "größe", "名前"]) await runtime.inject({ kind: "variable", name, value: 1 });
    },
  },
  {
    title: "R2 a cell's own name gives way to an injected one",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "const x = 'made'");
      await runtime.inject({ kind: "variable", name: "x", value: "given" });
      expect(await valueOf(runtime, "x")).toBe("given");
    },
  },
  {
    title: "R3 a batch with one bad binding changes nothing",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "a", value: "old" });
      const good = { kind: "variable", name: "a", value: "new" } as const;
      const fresh = { kind: "variable", name: "fresh", value: 1 } as const;
      await expect(runtime.inject([good, fresh, { kind: "variable", name: "no way", value: 1 }])).rejects.toMatchObject({
        code: "InvalidName",
      });
      await expect(runtime.inject([good, fresh, { kind: "function", name: "f", value: 5 }])).rejects.toMatchObject({
        code: "InvalidValue",
      });
      await expect(runtime.inject([good, fresh, fresh])).rejects.toMatchObject({ code: "NameTaken" });
      await expect(runtime.inject([good, { kind: "variable", name: "n", schema: z.number(), value: "no number" }])).rejects.toMatchObject({
        code: "InvalidValue",
      });
      expect(await runtime.retrieve("a")).toBe("old");
      expect(runtime.has("fresh")).toBe(false);
    },
  },
  {
    title: "RT6 a variable can be injected again, which updates it and keeps its description and schema",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "rows", value: undefined, description: "Input rows", schema: z.array(z.number()) });
      await runtime.inject({ kind: "variable", name: "rows", value: [1, 2] });
      expect(await valueOf(runtime, "rows.length")).toBe(2);
      expect(runtime.describe()).toMatch(/Input rows[\s\S]*rows: number\[\]/);
      await expect(runtime.inject({ kind: "variable", name: "rows", value: [1, "two"] })).rejects.toThrow(/rows\[1\]/);
      expect(await runtime.retrieve("rows")).toEqual([1, 2]);
    },
  },
  {
    title: "RT10 a type must be a class or have a schema",
    kinds: ALL,
    run: async (open) => {
      await expect((await open()).inject({ kind: "type", name: "Lamp", value: new Light() })).rejects.toMatchObject({
        code: "InvalidValue",
      });
    },
  },
  {
    title: "RT8 the class of an injected instance can be used by its name",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "light", value: new Light() });
      expect(await valueOf(runtime, "light instanceof Light && new Light().dim(4)")).toBe(4);
      expect((await runCells(runtime, "let other = 1")).diff.added.map(({ name }) => name)).toEqual(["other"]);
    },
  },
  {
    title: "RT9 an explicit type wins over the class that came along with a value",
    kinds: BY_REFERENCE,
    run: async (open) => {
      const runtime = await open();
      class Other {}
      await runtime.inject({ kind: "variable", name: "light", value: new Light() });
      await runtime.inject({ kind: "type", name: "Light", value: Other });
      expect(await runtime.retrieve("Light")).toBe(Other);
      await runtime.inject({ kind: "variable", name: "second", value: new Light() });
      expect(await runtime.retrieve("Light")).toBe(Other);
    },
  },
  {
    title: "hidden: a hidden binding can be used and is neither described nor listed",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "hidden", name: "backstage", value: 5 });
      expect(await valueOf(runtime, "backstage + 1")).toBe(6);
      expect(runtime.describe()).not.toMatch(/backstage/);
      expect((await errorOf(runtime, "missing")).report).not.toMatch(/backstage/);
      await runtime.inject({ kind: "hidden", name: "backstage", value: 6 });
      expect(await valueOf(runtime, "backstage")).toBe(6);
    },
  },
  {
    title: "R5 reset drops what cells made and restores all that was injected, and outputs",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject([
        { kind: "variable", name: "n", value: 1 },
        { kind: "function", name: "f", value: () => "host" },
        { kind: "hidden", name: "h", value: 3 },
        { kind: "type", name: "Light", value: Light },
      ]);
      await runtime.inject({ kind: "variable", name: "n", value: 2 });
      const output = await runtime.bindUnique("_output", "long text");
      await runCells(runtime, "n = 99; f = () => 'cell'; h = 98; var Light = 1; let own = 1; globalThis.g = 1", `${output} = ''`);
      await runtime.reset();
      expect(await valueOf(runtime, `[n, await f(), h, typeof Light, typeof own, typeof g, ${output}]`)).toEqual([
        2,
        "host",
        3,
        "function",
        "undefined",
        "undefined",
        "long text",
      ]);
      expect(runtime.has("own")).toBe(false);
    },
  },
];
