import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createBindings } from "./bindings.ts";
import type { Binding } from "./runtime.ts";

const put = async (bindings: ReturnType<typeof createBindings>, given: Binding | readonly Binding[]): Promise<void> => {
  bindings.table.put(await bindings.prepare(given));
};

describe("bindings", () => {
  it("keeps a copy of the binding and the value itself", async () => {
    const bindings = createBindings();
    const value = { a: 1 };
    const given = { kind: "variable", name: "x", value, description: "first" } as const;
    await put(bindings, given);
    const [held] = bindings.bindings();
    expect(held).toEqual(given);
    expect(held).not.toBe(given);
    expect(held?.value).toBe(value);
  });

  it("answers at once where no value has a schema to fit", () => {
    const prepared = createBindings().prepare([
      { kind: "variable", name: "x", value: 1 },
      { kind: "variable", name: "empty", value: undefined, schema: z.string() },
      { kind: "handle", name: "h", value: 1, schema: z.string() },
    ]);
    expect(prepared).not.toBeInstanceOf(Promise);
  });

  it("keeps what an update leaves out, and takes what it brings", async () => {
    const bindings = createBindings();
    await put(bindings, { kind: "variable", name: "x", value: 1, description: "one", preview: false });
    await put(bindings, { kind: "variable", name: "x", value: 2, description: "two" });
    expect(bindings.bindings()).toEqual([{ kind: "variable", name: "x", value: 2, description: "two", preview: false }]);
  });

  it("takes a zod schema that is given as a type for its schema", async () => {
    const bindings = createBindings();
    const Row = z.object({ id: z.number() });
    await put(bindings, { kind: "type", name: "Row", value: Row });
    expect(bindings.bindings()[0]?.schema).toBe(Row);
  });

  it.each<[string, Binding, RegExp]>([
    ["a function that is none", { kind: "function", name: "f", value: null }, /"f".*function.*null/],
    ["a type that is none", { kind: "type", name: "T", value: [1] }, /"T".*class.*an array/],
    ["a type that is text", { kind: "type", name: "T", value: "T" }, /of type string/],
  ])("refuses %s", (_, given, message) => {
    expect(() => createBindings().prepare(given)).toThrow(message);
  });

  it("names the places that do not fit a schema, and counts the rest", async () => {
    const schema = z.object({ rows: z.array(z.object({ id: z.number() })) });
    const rows = [{ id: "a" }, { id: 1 }, { id: "b" }, { id: "c" }, { id: "d" }, { id: "e" }];
    const refused = createBindings().prepare({ kind: "variable", name: "data", value: { rows }, schema });
    await expect(refused).rejects.toMatchObject({ code: "InvalidValue" });
    await expect(refused).rejects.toThrow(/data\.rows\[0\]\.id: .*; data\.rows\[2\]\.id: .*; data\.rows\[3\]\.id: .*; 2 more/);
  });

  it("refuses a collision before it looks at any value", async () => {
    const bindings = createBindings();
    await put(bindings, { kind: "function", name: "f", value: () => 1 });
    let looked = 0;
    const schema = z.custom(() => (looked += 1) > 0);
    expect(() =>
      bindings.prepare([
        { kind: "variable", name: "x", value: 1, schema },
        { kind: "variable", name: "f", value: 1 },
      ]),
    ).toThrow(/taken/);
    expect(looked).toBe(0);
  });

  it("waits for a schema that checks asynchronously", async () => {
    const schema = z.string().refine((text) => Promise.resolve(text === "good"));
    await expect(createBindings().prepare({ kind: "variable", name: "x", value: "bad", schema })).rejects.toMatchObject({
      code: "InvalidValue",
    });
    await expect(createBindings().prepare({ kind: "variable", name: "x", value: "good", schema })).resolves.toHaveLength(1);
  });

  it("lists outputs in the table, and not among bindings", () => {
    const bindings = createBindings();
    bindings.table.put([{ kind: "output", name: "_output_1", value: "text" }]);
    expect(bindings.bindings()).toEqual([]);
    expect(bindings.table.entries()).toHaveLength(1);
  });
});
