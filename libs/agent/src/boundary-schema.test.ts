import { describe, expect, test } from "vitest";
import { z } from "zod";
import { boundary, checkValue } from "./boundary-schema.ts";

describe("a schema that would change what it checks is refused where it is declared, naming the place", () => {
  test.each<[string, z.ZodType, string]>([
    ["a transform", z.string().transform((text) => text.length), "p"],
    ["a transform in an object", z.object({ a: z.object({ b: z.string().transform(Number) }) }), "p.a.b"],
    ["a pipe", z.string().pipe(z.string()), "p"],
    ["a preprocess", z.preprocess(String, z.string()), "p"],
    ["a codec", z.codec(z.string(), z.number(), { decode: Number, encode: String }), "p"],
    ["a catch", z.string().catch("x"), "p"],
    ["a prefault", z.string().prefault("x"), "p"],
    ["a coercion", z.coerce.number(), "p"],
    ["a coercion in a union", z.union([z.string(), z.coerce.date()]), "p[1]"],
    ["a transform in an array", z.array(z.string().transform(Number)), "p"],
    ["a transform behind a default", z.string().transform(Number).default(1), "p"],
    ["a transform in a lazy schema", z.lazy(() => z.string().transform(Number)), "p"],
    ["a trim", z.string().trim(), "p"],
    ["a lower-casing in an object", z.object({ a: z.string().min(1).toLowerCase() }), "p.a"],
    ["an overwrite", z.number().overwrite((n) => n + 1), "p"],
    ["a stringbool", z.stringbool(), "p"],
  ])("%s", (_name, schema, place) => {
    expect(() => boundary("p", schema)).toThrow(
      expect.objectContaining({ code: "InvalidDefinition", data: expect.objectContaining({ place }) as unknown }),
    );
  });
});

describe("what a schema accepts", () => {
  test("is the identical value that came, keys it does not name included", () => {
    const value = { a: 1, more: [1] };
    expect(boundary("p", z.object({ a: z.number() })).accept(value)).toEqual({ ok: true, value });
    const accepted = boundary("p", z.object({ a: z.number() })).accept(value);
    expect(accepted.ok && accepted.value).toBe(value);
  });

  test("has its defaults filled in, also deep inside, and then only what the schema names", () => {
    const check = boundary("p", z.object({ a: z.object({ n: z.number().default(7) }) }));
    expect(check.accept({ a: {}, more: 1 })).toEqual({ ok: true, value: { a: { n: 7 } } });
  });

  test("may contain itself, by a getter or lazily", () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree);
      },
    });
    expect(boundary("p", Tree).accept({ name: "a", children: [{ name: "b", children: [] }] }).ok).toBe(true);
    const List: z.ZodType = z.lazy(() => z.object({ next: List.optional() }));
    expect(boundary("p", List).accept({ next: { next: {} } }).ok).toBe(true);
  });
});

describe("what a schema refuses", () => {
  test("is told by place", () => {
    const check = boundary("p", z.object({ rows: z.array(z.object({ n: z.number() })) }));
    expect(check.accept({ rows: [{ n: 1 }, { n: "2" }] })).toEqual({
      ok: false,
      issues: [expect.stringMatching(/^rows\[1\]\.n: .*number/)],
    });
    expect(boundary("p", z.number()).accept("x")).toEqual({ ok: false, issues: [expect.stringMatching(/^Invalid input/)] });
  });

  test("is told in ten lines at most, and how many more there are", () => {
    const accepted = boundary("p", z.array(z.number())).accept(Array.from({ length: 13 }, () => "x"));
    expect(accepted.ok ? [] : accepted.issues).toHaveLength(11);
    expect(accepted.ok ? "" : accepted.issues.at(-1)).toBe("3 more");
  });

  test("throws InvalidValue that names what it was, when it is checked", () => {
    const check = boundary("p", z.object({ n: z.number() }));
    expect(checkValue("shelf.rows", check, { n: 1 })).toEqual({ n: 1 });
    expect(() => checkValue("shelf.rows", check, { n: "1" })).toThrow(
      expect.objectContaining({
        code: "InvalidValue",
        message: expect.stringMatching(/^shelf\.rows: n: /) as unknown,
        data: expect.objectContaining({ what: "shelf.rows" }) as unknown,
      }),
    );
  });
});
