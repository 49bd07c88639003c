import { describe, expect, it } from "vitest";
import { createNameTable, requireBindable } from "./names.ts";
import type { NamedEntry } from "./names.ts";

const variable = (name: string): NamedEntry => ({ name, kind: "variable" });
const free = (): boolean => false;

describe("name table", () => {
  it("keeps entries in the order their names were first put in", () => {
    const table = createNameTable();
    table.put([variable("b"), variable("a")]);
    table.put([{ name: "b", kind: "variable" }]);
    expect(table.entries().map(({ name }) => name)).toEqual(["b", "a"]);
    expect(table.get("a")).toEqual(variable("a"));
    expect(table.get("c")).toBeUndefined();
  });

  it("lets variables, handles and hidden bindings be put in again, and nothing else", () => {
    const table = createNameTable();
    for (const kind of ["variable", "handle", "hidden"] as const) {
      table.put([{ name: kind, kind }]);
      table.put([{ name: kind, kind }]);
    }
    for (const kind of ["function", "type"] as const) {
      table.put([{ name: `${kind}1`, kind }]);
      expect(() => {
        table.put([{ name: `${kind}1`, kind }]);
      }).toThrow(expect.objectContaining({ code: "NameTaken", data: { name: `${kind}1`, owner: kind, wanted: kind } }));
    }
  });

  it("refuses one name twice in a batch and puts nothing of it in", () => {
    const table = createNameTable();
    expect(() => {
      table.put([variable("a"), variable("b"), { name: "a", kind: "function" }]);
    }).toThrow(/variable of the same batch/);
    expect(table.entries()).toEqual([]);
  });

  it("gives a reserved name to an output only, and to nobody else until it is released", () => {
    const table = createNameTable();
    const name = table.allocate("_output", 1, free);
    expect(() => {
      table.check([variable(name)]);
    }).toThrow(expect.objectContaining({ code: "NameTaken", data: { name, owner: "reservation", wanted: "variable" } }));
    table.put([{ name, kind: "output" }]);
    expect(table.get(name)?.kind).toBe("output");
    const second = table.allocate("_output", 1, free);
    table.release(second);
    table.put([variable(second)]);
    expect(table.get(second)?.kind).toBe("variable");
  });

  it("never gives a number again, also after its output never came", () => {
    const table = createNameTable();
    table.release(table.allocate("_output", 1, free));
    expect(table.allocate("_output", 1, free)).toBe("_output_2");
  });

  it("starts at the floor, fills the gap below it for who asks from 1, and counts each prefix alone", () => {
    const table = createNameTable();
    expect(table.allocate("x", 3, free)).toBe("x_3");
    expect([1, 2, 3].map(() => table.allocate("x", 1, free))).toEqual(["x_1", "x_2", "x_4"]);
    expect(table.allocate("y", 1, free)).toBe("y_1");
  });

  it("leaves out names in use and names that were", () => {
    const table = createNameTable();
    table.put([variable("x_1")]);
    table.retire(["x_2", "plain"]);
    expect(table.allocate("x", 1, (name) => name === "x_3")).toBe("x_4");
  });

  it("allocates ten thousand names without looking at each used one every time", () => {
    const table = createNameTable();
    let asked = 0;
    for (let n = 0; n < 10_000; n += 1) table.allocate("x", 1, () => (asked++, false));
    expect(asked).toBe(10_000);
  });
});

describe("requireBindable", () => {
  it.each([
    ["a b", /identifier/],
    ["1x", /identifier/],
    ["let", /reserved/],
    ["yield", /reserved/],
    ["Array", /built-in/],
    ["globalThis", /built-in/],
    ["ﬁ", /"fi"/],
    ["\u212a", /"K"/],
  ])("refuses %s and says why", (name, why) => {
    expect(() => {
      requireBindable(name);
    }).toThrow(why);
  });

  it.each(["x", "$", "_a1", "größe", "变量", "fetch", "process", "Event", "Row"])("takes %s", (name) => {
    expect(() => {
      requireBindable(name);
    }).not.toThrow();
  });
});
