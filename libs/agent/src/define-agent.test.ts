import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent, rolesOf } from "./define-agent.ts";
import { field } from "./field.ts";
import { fn } from "./function.ts";
import { RESERVED_NAMES } from "./handle-type.ts";
import { variable } from "./variable.ts";

const nothing = { description: "", input: {}, output: z.void(), effect: "pure" } as const;
/** Any definition, as one who writes JavaScript could give it. */
const define = (definition: object): unknown => defineAgent({ name: "shelf", version: 1, ...definition });
const refused = (place: string, problem: RegExp): Error =>
  expect.objectContaining({
    code: "InvalidDefinition",
    data: { place, problem: expect.stringMatching(problem) as unknown },
  }) as Error;

describe("a class", () => {
  test("has its parts under their names, and defaults for what it does not say", () => {
    const Shelf = defineAgent({ name: "shelf", version: 2 });
    expect(Shelf).toEqual({
      name: "shelf",
      fields: {},
      variables: {},
      methods: {},
      definition: {
        version: 2,
        role: "worker",
        roles: [],
        description: undefined,
        instructions: undefined,
        model: "default",
        runtime: { kind: "inline" },
        limits: {},
        functions: {},
        types: {},
        emits: {},
      },
    });
  });

  test("is frozen, its parts too", () => {
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      fields: { n: field(z.number(), { default: 0 }) },
      methods: (method) => ({ add: method({ output: z.void() }, () => undefined) }),
    });
    for (const part of [Shelf, Shelf.fields, Shelf.methods, Shelf.variables, Shelf.definition, Shelf.definition.emits])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test("gives its agents its name, its roles, and orchestrator when it is one", () => {
    expect(rolesOf(defineAgent({ name: "a", version: 1 }))).toEqual(["a"]);
    expect(rolesOf(defineAgent({ name: "b", version: 1, role: "orchestrator", roles: ["x", "y"] }))).toEqual([
      "b",
      "x",
      "y",
      "orchestrator",
    ]);
  });

  test("may have a method of any other name", () => {
    const Shelf = defineAgent({
      name: "s",
      version: 1,
      methods: (method) => ({ class: method({ output: z.void() }, () => undefined), größe: method({ output: z.void() }, () => undefined) }),
    });
    expect(Object.keys(Shelf.methods)).toEqual(["class", "größe"]);
  });
});

describe("refused at construction:", () => {
  test.each(["", "a b", "a.b", "a/b", "x".repeat(65), "ü"])("the class name %j", (name) => {
    expect(() => defineAgent({ name, version: 1 })).toThrow(expect.objectContaining({ code: "InvalidName" }) as Error);
  });

  test.each([0, -1, 1.5, NaN, Infinity])("the version %d", (version) => {
    expect(() => define({ version })).toThrow(refused("shelf.version", /whole number from 1/));
  });

  test.each(["sandbox", "process", "vm", 1, undefined])("the kind of runtime %j", (kind) => {
    expect(() => define({ runtime: { kind } })).toThrow(refused("shelf.runtime.kind", /not available; 'inline' is/));
  });

  test.each(RESERVED_NAMES)("a method named %s", (name) => {
    expect(() =>
      define({ methods: (method: (o: object, run: () => void) => object) => ({ [name]: method({ output: z.void() }, () => undefined) }) }),
    ).toThrow(refused(`shelf.methods.${name}`, /reserved/));
  });

  test.each(["a-b", "1st", "a b", ""])("a method named %j", (name) => {
    expect(() =>
      define({ methods: (method: (o: object, run: () => void) => object) => ({ [name]: method({ output: z.void() }, () => undefined) }) }),
    ).toThrow(refused("shelf.methods", /not an identifier/));
  });

  test("a kind of method that there is not", () => {
    const methods = (method: (o: object, run: () => void) => object) => ({
      go: method({ kind: "event", output: z.void() }, () => undefined),
    });
    expect(() => define({ methods })).toThrow(refused("shelf.methods", /'event' is none of command, query, run, tell/));
  });

  test.each(["class", "await", "console", "Map", "globalThis", "a-b", "1st", "ﬁle"])("a variable named %j", (name) => {
    expect(() => define({ variables: { [name]: variable(z.number()) } })).toThrow(refused(`shelf.variables.${name}`, /.+/));
  });

  test("a function and a type named like what JavaScript has", () => {
    expect(() => define({ functions: { fetch: fn(nothing, () => undefined), new: fn(nothing, () => undefined) } })).toThrow(
      refused("shelf.functions.new", /reserved word/),
    );
    expect(() => define({ types: { Date: z.date() } })).toThrow(refused("shelf.types.Date", /built-in/));
  });

  test("a name that two parts of the runtime want, naming both", () => {
    const definition = { variables: { parse: variable(z.number()) }, functions: { parse: fn(nothing, () => undefined) } };
    expect(() => define(definition)).toThrow(refused("shelf.functions.parse", /taken by shelf\.variables\.parse/));
    expect(() => define({ variables: { Row: variable(z.number()) }, types: { Row: z.object({}) } })).toThrow(
      refused("shelf.types.Row", /shelf\.variables\.Row/),
    );
  });

  test("an event named like one of Karst's own, or with a name that is no token", () => {
    expect(() => define({ emits: { "run-ended": z.object({}) } })).toThrow(refused("shelf.emits.run-ended", /Karst itself/));
    expect(() => define({ emits: { "a.b": z.object({}) } })).toThrow(expect.objectContaining({ code: "InvalidName" }) as Error);
  });

  test.each([
    ["steps", { steps: -1 }],
    ["ms", { ms: NaN }],
    ["total", { tokens: { total: Infinity } }],
    ["input", { tokens: { input: -5 } }],
  ])("a limit of %s that is no number from 0 up", (name, limits) => {
    expect(() => define({ limits })).toThrow(refused("shelf.limits", new RegExp(`^${name} is `)));
  });

  test.each([-1, 1.5, NaN])("a field that retains the last %d items", (last) => {
    expect(() => field(z.array(z.number()), { retain: { last } })).toThrow(refused("field.retain", /whole number/));
  });

  test("schemas that change values: of fields, variables, functions, events, a method's input and output", () => {
    const changing = z.string().transform(Number);
    expect(() => field(changing)).toThrow(refused("field", /transform/));
    expect(() => variable(changing)).toThrow(refused("variable", /transform/));
    expect(() => fn({ ...nothing, input: { text: changing } }, () => undefined)).toThrow(refused("fn.input.text", /transform/));
    expect(() => fn({ ...nothing, output: changing }, () => "1")).toThrow(refused("fn.output", /transform/));
    expect(() => define({ emits: { done: changing } })).toThrow(refused("shelf.emits.done", /transform/));
    const methodOf = (options: object) => (method: (o: object, run: () => void) => object) => ({
      go: method({ output: z.void(), ...options }, () => undefined),
    });
    expect(() => define({ methods: methodOf({ input: z.object({ a: changing }) }) })).toThrow(
      refused("shelf.methods input.a", /transform/),
    );
    expect(() => define({ methods: methodOf({ output: changing }) })).toThrow(refused("shelf.methods output", /transform/));
  });
});

describe("a class written in JavaScript", () => {
  test.each([
    ["fields", { fields: { a: z.int() } }],
    ["variables", { variables: { a: z.int() } }],
    ["functions", { functions: { a: () => 1 } }],
    ["methods", { methods: () => ({ a: () => 1 }) }],
  ])("is refused by the name of a part in %s that no maker of ours made", (group, parts) => {
    expect(() => define(parts)).toThrow(refused(`shelf.${group}.a`, /not made by/));
  });

  test("is refused when a method has no output schema", () => {
    const methods = (method: (options: object, run: () => number) => unknown): object => ({ a: method({}, () => 1) });
    expect(() => define({ methods })).toThrow(refused("shelf.methods output", /not a zod schema/));
  });
});
