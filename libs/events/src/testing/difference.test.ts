import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossingValue } from "./crossing-value.ts";
import { difference } from "./difference.ts";

const holes = (length: number): unknown[] => {
  const array: unknown[] = [];
  array.length = length;
  return array;
};
const shared = {};
const loop = (): object => {
  const object: Record<string, unknown> = {};
  object["self"] = object;
  return object;
};
const unrolled = (): object => {
  const object: Record<string, unknown> = {};
  object["self"] = loop();
  return object;
};

describe("the difference of two values", () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["zero and minus zero", [0], [-0]],
    ["a hole and undefined", holes(1), [undefined]],
    ["a missing and an undefined property", {}, { a: undefined }],
    ["the order of properties", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a hidden and an enumerable property", Object.defineProperty({}, "a", { value: 1 }), { a: 1 }],
    ["prototypes", Object.create(null), {}],
    ["one object twice and two alike", [{}, {}], [shared, shared]],
    ["two alike and one object twice", [shared, shared], [{}, {}]],
    ["a cycle and its unrolling", unrolled(), loop()],
    ["times", new Date(1), new Date(2)],
    ["an invalid time", new Date(NaN), new Date(0)],
    ["the order of a Set", new Set([1, 2]), new Set([2, 1])],
    ["the size of a Set", new Set([1]), new Set([1, 2])],
    ["the values of a Map", new Map([[1, 1]]), new Map([[1, 2]])],
    ["bytes", new Uint8Array([1]), new Uint8Array([2])],
    ["bytes of a buffer", new ArrayBuffer(1), new ArrayBuffer(2)],
    ["bytes of a view", new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(2))],
    ["kinds of bytes", new Uint8Array([1]), new Int8Array([1])],
    ["lastIndex", Object.assign(/a/, { lastIndex: 1 }), /a/],
    ["flags", /a/g, /a/],
    ["addresses", new URL("http://a"), new URL("http://b")],
    ["messages", new TypeError("a", { cause: 1 }), new TypeError("b", { cause: 1 })],
    ["names of DOMExceptions", new DOMException("a", "AbortError"), new DOMException("a", "TimeoutError")],
    ["objects and primitives", {}, 1],
    ["primitives", "a", "b"],
    ["what an object is inside", Object.setPrototypeOf(new Date(1), Object.prototype), {}],
  ];

  it.each(cases)("sees %s", (_, actual, expected) => {
    expect(difference(actual, expected)).toBeTypeOf("string");
    expect(difference({ deep: [actual] }, { deep: [expected] })).toMatch(/^value\.deep\.0/);
  });

  it("sees none between a value and itself", () => {
    fc.assert(
      fc.property(crossingValue, (value) => {
        expect(difference(value, value)).toBeUndefined();
      }),
    );
  });
});
