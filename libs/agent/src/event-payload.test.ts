import fc from "fast-check";
import { expect, test } from "vitest";
import { eventPayload } from "./event-payload.ts";

test("plain JSON comes back equal, as a copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes("__proto__"));
      expect(JSON.stringify(eventPayload("p", value))).toBe(text);
    }),
  );
  const value = { a: [1] };
  expect(eventPayload("p", value)).not.toBe(value);
  expect(eventPayload("p", Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
});

test("a property that is undefined is left out, the same part may be there twice", () => {
  const shared = { n: 1 };
  expect(eventPayload("p", { a: undefined, b: shared, c: [shared] })).toEqual({ b: { n: 1 }, c: [{ n: 1 }] });
});

const circle: { self?: unknown } = {};
circle.self = circle;
test.each([
  ["undefined", undefined, "undefined is not JSON"],
  ["a bigint", { n: 1n }, "n: a bigint is not JSON"],
  ["a function", { f: () => 1 }, "f: a function is not JSON"],
  ["a symbol", [Symbol("s")], "[0]: a symbol is not JSON"],
  ["NaN", { a: [{ b: NaN }] }, "a[0].b: NaN is not JSON"],
  ["an infinity", -Infinity, "-Infinity is not JSON"],
  ["a Date", { at: new Date(0) }, "at: an object of class Date is not JSON"],
  ["a Map", new Map(), "an object of class Map is not JSON"],
  ["a hole", [1, , 2], "[1]: undefined is not JSON"],
  ["a circle", circle, "self: a circle is not JSON"],
])("%s is refused with its path", (_name, value, issue) => {
  expect(() => eventPayload("shelf.emits.x", value)).toThrow(
    expect.objectContaining({ code: "InvalidValue", data: { what: "shelf.emits.x", issues: [issue] } }) as Error,
  );
});
