import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkVariable, classBindings, handleTypeText, variableBinding } from "./bindings.ts";
import { defineAgent } from "./define-agent.ts";
import { fn } from "./function.ts";
import type { FnContext } from "./function.ts";
import type { ErasedClass } from "./handle-type.ts";
import { type } from "./host-type.ts";
import { handle, variable } from "./variable.ts";

class Light {
  level = 0;
}
const Row = z.object({ title: z.string() });
const literal = [{ title: "a" }];

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  variables: {
    rows: variable(z.array(Row), { default: literal, description: "Input rows", preview: false }),
    seen: variable(z.set(z.string()), { default: () => new Set<string>() }),
    total: variable(z.number()),
  },
  functions: {
    half: fn({ description: "Half of n.", input: { n: z.number() }, output: z.number(), effect: "pure" }, ({ n }) => n / 2),
    where: fn({ description: "Where.", input: {}, output: z.string(), effect: "once" }, (_input, context) => context.caller),
    wrong: fn({ description: "Wrong.", input: {}, output: z.number(), effect: "pure" }, () => "text" as never),
  },
  types: { Row, Light: type(Light, { description: "A lamp", doc: "signatures" }) },
  methods: (method) => ({
    add: method({ input: Row, output: z.number(), description: "Adds a row." }, () => 1),
    clear: method({ output: z.void() }, () => undefined),
  }),
});
const Reader = defineAgent({
  name: "reader",
  version: 1,
  variables: { shelf: handle(Shelf, { only: ["add"], description: "Books" }), any: handle(Shelf) },
});
const shelf = Shelf as unknown as ErasedClass; // the parts without their types, as the host sees them
const reader = Reader as unknown as ErasedClass; // the same

function contextOf(change: Partial<FnContext> = {}): FnContext {
  return { signal: new AbortController().signal, idempotencyKey: "k", deadlineMs: 1, caller: "t/shelf/1", ...change };
}
function bindingsOf(of: ErasedClass, context = contextOf()) {
  return new Map(classBindings(of, () => context).map((binding) => [binding.name, binding]));
}
type Call = (input?: unknown) => Promise<unknown>;
const functionOf = (name: string, context?: FnContext): Call => bindingsOf(shelf, context).get(name)?.value as Call; // it is a function binding

describe("the names of a class in its runtime", () => {
  test("are variables with their defaults, functions and types", () => {
    const bindings = bindingsOf(shelf);
    expect([...bindings].map(([name, { kind }]) => [name, kind])).toEqual([
      ["rows", "variable"],
      ["seen", "variable"],
      ["total", "variable"],
      ["half", "function"],
      ["where", "function"],
      ["wrong", "function"],
      ["Row", "type"],
      ["Light", "type"],
    ]);
    expect(bindings.get("rows")).toMatchObject({ value: literal, description: "Input rows", preview: false });
    expect(bindings.get("total")).toMatchObject({ value: undefined });
    expect(bindings.get("half")).toMatchObject({ description: "Half of n.", input: { n: expect.anything() as unknown } });
    expect(bindings.get("Row")).toMatchObject({ value: Row, schema: Row });
    expect(bindings.get("Light")).toMatchObject({ value: Light, description: "A lamp", doc: "signatures" });
  });

  test("have defaults of their own for each agent", () => {
    const [one, other] = [bindingsOf(shelf), bindingsOf(shelf)];
    for (const name of ["rows", "seen"]) expect(one.get(name)?.value).not.toBe(other.get(name)?.value);
    expect(one.get("rows")?.value).not.toBe(literal);
  });

  test("show handles by the methods that they grant", () => {
    const bindings = bindingsOf(reader);
    expect(bindings.get("shelf")).toMatchObject({ kind: "handle", description: "Books", preview: false });
    expect(bindings.get("shelf")?.typeText).toContain("add(input: { title: string })");
    expect(bindings.get("shelf")?.typeText).not.toContain("clear");
    expect(bindings.get("any")?.typeText).toContain("clear(): Promise<void>");
  });
});

describe("a host function", () => {
  test("is called with checked input and gives a checked result", async () => {
    expect(await functionOf("half")({ n: 3 })).toBe(1.5);
    await expect(functionOf("half")({ n: "3" })).rejects.toMatchObject({
      code: "BadArgs",
      data: { method: "shelf.half", issues: [expect.stringMatching(/^n: /)] },
    });
    await expect(functionOf("half")()).rejects.toMatchObject({ code: "BadArgs" });
    await expect(functionOf("wrong")()).rejects.toMatchObject({ code: "InvalidValue", data: { what: "the result of shelf.wrong" } });
  });

  test("without parameters may be called with nothing, and is told who calls", async () => {
    expect(await functionOf("where")()).toBe("t/shelf/1");
  });

  test("does not start once its signal has aborted", async () => {
    const reason = new TypeError("too late");
    await expect(functionOf("half", contextOf({ signal: AbortSignal.abort(reason) }))({ n: 1 })).rejects.toBe(reason);
  });
});

describe("a value for a variable", () => {
  test("is checked when the class declares it, and taken as it is otherwise", () => {
    const declared = shelf.variables["rows"];
    expect(checkVariable("shelf", "rows", declared, literal)).toBe(literal);
    expect(() => checkVariable("shelf", "rows", declared, [{ title: 1 }])).toThrow(/^shelf\.rows: \[0\]\.title: /);
    const live = new Light();
    expect(checkVariable("shelf", "other", undefined, live)).toBe(live);
  });

  test("binds under what is said now, else under what the class said", () => {
    expect(variableBinding("rows", shelf.variables["rows"], [], "Now").description).toBe("Now");
    expect(variableBinding("rows", shelf.variables["rows"], []).description).toBe("Input rows");
    expect(variableBinding("x", undefined, 1)).toEqual({ kind: "variable", name: "x", value: 1 });
  });
});

describe("the type of a handle", () => {
  test("has the class's methods with their schemas, and the verbs", () => {
    const text = handleTypeText(shelf);
    expect(text).toContain("/** Adds a row. */ add(input: { title: string }): Promise<number>");
    expect(text).toMatch(/retrieve\(name: string\): Promise<any> \/\* rows, seen, total, or any name there \*\//);
    expect(text).toContain("only(");
  });

  test("has no more than it grants, but for narrowing it further", () => {
    expect(handleTypeText(shelf, ["clear", "stop"])).toBe(
      "{ clear(): Promise<void>; only(...names: string[]): Handle; stop(): Promise<void> }",
    );
  });
});
