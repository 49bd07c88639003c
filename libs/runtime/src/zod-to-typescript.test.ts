import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describedAs, zodShapeToTypeScript, zodToTypeScript } from "./zod-to-typescript.ts";
import type { ZodTypeOptions } from "./zod-to-typescript.ts";

class Light {}
const text = (schema: z.ZodType, options?: ZodTypeOptions): string => zodToTypeScript(schema, options).type;

describe("zodToTypeScript", () => {
  it.each<[string, z.ZodType, string]>([
    ["string", z.string(), "string"],
    ["string with a format", z.email(), "string /* email */"],
    ["string with limits", z.string().min(1).max(5), "string /* 1..5 */"],
    ["string by pattern", z.string().regex(/a/), "string"],
    ["number", z.number(), "number"],
    ["int", z.number().int(), "number /* int */"],
    ["number with limits", z.number().min(0).max(100), "number /* 0..100 */"],
    ["number with one limit", z.int().min(1), "number /* int, 1.. */"],
    ["bigint", z.bigint(), "bigint"],
    ["bigint with a limit", z.bigint().min(0n), "bigint /* 0.. */"],
    ["boolean", z.boolean(), "boolean"],
    ["date", z.date(), "Date"],
    ["symbol", z.symbol(), "symbol"],
    ["null", z.null(), "null"],
    ["undefined", z.undefined(), "undefined"],
    ["void", z.void(), "void"],
    ["never", z.never(), "never"],
    ["any", z.any(), "any"],
    ["unknown", z.unknown(), "unknown"],
    ["nan", z.nan(), "number"],
    ["file", z.file(), "File"],
    ["array", z.array(z.string()), "string[]"],
    ["array of a union", z.array(z.union([z.string(), z.number()])), "(string | number)[]"],
    ["array of a function", z.array(z.function({ input: [z.string()], output: z.void() })), "((arg0: string) => void)[]"],
    ["empty object", z.object({}), "{}"],
    ["object", z.object({ a: z.string(), "b-c": z.number().optional() }), '{ a: string; "b-c"?: number }'],
    ["nested object", z.object({ a: z.object({ b: z.date() }) }), "{ a: { b: Date } }"],
    ["loose object", z.looseObject({ a: z.string() }), "{ a: string; [key: string]: unknown }"],
    ["strict object", z.strictObject({ a: z.string() }), "{ a: string }"],
    ["object with a catch-all", z.object({}).catchall(z.number()), "{ [key: string]: number }"],
    [
      "description of a property",
      z.object({ a: z.string().describe("the */ first\n letter").optional() }),
      "{ /** the * / first letter */ a?: string }",
    ],
    ["tuple", z.tuple([z.string(), z.number().optional()]), "[string, number?]"],
    ["tuple with a rest", z.tuple([z.string()], z.union([z.number(), z.null()])), "[string, ...(number | null)[]]"],
    ["map", z.map(z.string(), z.array(z.date())), "Map<string, Date[]>"],
    ["set", z.set(z.bigint()), "Set<bigint>"],
    ["record", z.record(z.string(), z.number()), "Record<string, number>"],
    ["record of an enum", z.record(z.enum(["a", "b"]), z.number()), 'Record<"a" | "b", number>'],
    ["partial record", z.partialRecord(z.enum(["a", "b"]), z.number()), 'Partial<Record<"a" | "b", number>>'],
    ["union without repeats", z.union([z.string(), z.number(), z.string().min(0)]), "string | number | string /* 0.. */"],
    ["union with a function", z.union([z.string(), z.function({ input: [], output: z.void() })]), "string | (() => void)"],
    ["union with unknown", z.union([z.string(), z.unknown()]), "unknown"],
    ["union with any", z.union([z.string(), z.any()]), "any"],
    [
      "discriminated union",
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a"), n: z.number() }), z.object({ kind: z.literal("b") })]),
      '{ kind: "a"; n: number } | { kind: "b" }',
    ],
    [
      "intersection",
      z.intersection(z.object({ a: z.string() }), z.union([z.null(), z.object({ b: z.string() })])),
      "{ a: string } & (null | { b: string })",
    ],
    ["enum", z.enum(["a", "b"]), '"a" | "b"'],
    ["numeric enum", z.enum({ A: 0, B: 5 }), "0 | 5"],
    ["literals", z.literal(["a", 1, 2n, true, null, undefined]), '"a" | 1 | 2n | true | null | undefined'],
    ["template literal", z.templateLiteral(["a`$", z.number(), z.enum(["px", "em"])]), '`a\\`\\$${number}${"px" | "em"}`'],
    ["optional", z.string().optional(), "string | undefined"],
    ["nullable", z.string().nullable(), "string | null"],
    ["nullish", z.string().nullish(), "string | null | undefined"],
    ["default", z.string().default("x"), "string"],
    ["prefault", z.string().prefault("x"), "string"],
    ["catch", z.string().catch("x"), "string"],
    ["nonoptional", z.string().optional().nonoptional(), "string"],
    ["readonly array", z.array(z.string()).readonly(), "readonly string[]"],
    ["array of readonly arrays", z.array(z.array(z.string()).readonly()), "(readonly string[])[]"],
    ["readonly map", z.map(z.string(), z.string()).readonly(), "ReadonlyMap<string, string>"],
    ["readonly object", z.object({ a: z.string() }).readonly(), "Readonly<{ a: string }>"],
    ["readonly string", z.string().readonly(), "string"],
    ["promise", z.promise(z.string()), "Promise<string>"],
    ["branded", z.string().brand<"Id">(), "string"],
    ["refined", z.string().refine((value) => value !== ""), "string"],
    ["lazy", z.lazy(() => z.string()), "string"],
    ["class", z.instanceof(Light), "Light"],
    ["custom", z.custom<string>(() => true), "unknown"],
    ["transform", z.string().transform((value) => value.length), "unknown"],
    ["pipe", z.string().pipe(z.coerce.number()), "number"],
    ["preprocess", z.preprocess((value) => value, z.number()), "number"],
    ["codec", z.codec(z.string(), z.date(), { decode: (value) => new Date(value), encode: (date) => date.toISOString() }), "Date"],
    ["string to boolean", z.stringbool(), "boolean"],
    ["success", z.success(z.string()), "boolean"],
    [
      "function",
      z.function({ input: [z.string(), z.number().optional()], output: z.promise(z.date()) }),
      "(arg0: string, arg1?: number) => Promise<Date>",
    ],
    [
      "function with a rest",
      z.function({ input: z.tuple([z.string()], z.number()), output: z.void() }),
      "(arg0: string, ...rest: number[]) => void",
    ],
    ["function of anything", z.function(), "(...args: unknown[]) => unknown"],
  ])("prints %s", (_, schema, type) => {
    expect(text(schema)).toBe(type);
  });

  it("shows what a schema takes, with defaults optional, when asked for the input", () => {
    const schema = z.object({
      a: z.string().default("x"),
      b: z.number().prefault(1).optional(),
      c: z.codec(z.string(), z.date(), { decode: (value) => new Date(value), encode: String }),
    });
    expect(text(schema, { side: "input" })).toBe("{ a?: string; b?: number; c: string }");
    expect(text(schema, { side: "output" })).toBe("{ a: string; b?: number; c: Date }");
    expect(text(z.string().default("x"), { side: "input" })).toBe("string | undefined");
    expect(
      text(
        z.preprocess((value) => value, z.number()),
        { side: "input" },
      ),
    ).toBe("number");
  });

  it("names types that contain themselves", () => {
    interface Tree {
      readonly value: number;
      readonly children: Tree[];
    }
    const Tree: z.ZodType<Tree> = z.object({
      value: z.number(),
      get children() {
        return z.array(Tree);
      },
    });
    expect(zodToTypeScript(Tree)).toEqual({
      type: "Recursive1",
      recursive: [{ name: "Recursive1", type: "{ value: number; children: Recursive1[] }" }],
    });
    expect(zodToTypeScript(z.array(z.lazy(() => Tree)))).toEqual({
      type: "Recursive1[]",
      recursive: [{ name: "Recursive1", type: "{ value: number; children: Recursive1[] }" }],
    });
    expect(zodToTypeScript(Tree, { names: new Map([[Tree, "Tree"]]) })).toEqual({
      type: "{ value: number; children: Tree[] }",
      recursive: [],
    });
    expect(text(z.object({ root: Tree }), { names: new Map([[Tree, "Tree"]]) })).toBe("{ root: Tree }");
    expect(text(z.json())).toMatch(/Recursive1/);
  });

  it("prints a schema used twice, without containing itself, twice", () => {
    const part = z.object({ a: z.string() });
    expect(zodToTypeScript(z.tuple([part, part]))).toEqual({ type: "[{ a: string }, { a: string }]", recursive: [] });
  });

  it("stops at the depth it is given, and leaves comments out when told to", () => {
    const schema = z.object({ a: z.object({ b: z.object({ c: z.int() }) }).describe("first") });
    expect(text(schema, { depth: 2 })).toBe("{ /** first */ a: { b: object } }");
    expect(text(schema, { comments: false })).toBe("{ a: { b: { c: number } } }");
  });

  it("prints the properties of an object that has no schema", () => {
    expect(zodShapeToTypeScript({ text: z.string(), strict: z.boolean().default(false) }, { side: "input" }).type).toBe(
      "{ text: string; strict?: boolean }",
    );
    expect(zodShapeToTypeScript({}).type).toBe("{}");
  });

  it("finds the description of what a wrapper wraps", () => {
    expect(describedAs(z.string().describe("inner").optional().nullable())).toBe("inner");
    expect(describedAs(z.string())).toBeUndefined();
    expect(describedAs(z.promise(z.string().describe("inner")))).toBeUndefined();
  });
});
