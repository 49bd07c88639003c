import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findJsonFault } from "./json-fault.ts";
import { volume } from "@karst/events/testing";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("the place where a text stops being JSON", () => {
  test.each([
    ["", 1, 1, "a value"],
    ['[\n  {"a": 1},\n  {"b" 2}\n]', 3, 8, "':'"],
    ['[{"a": 1,}]', 1, 10, "a key in double quotes"],
    ["[1, 2", 1, 6, "',' or ']'"],
    ['{"a": 1', 1, 8, "',' or '}'"],
    ["[1] x", 1, 5, "nothing more"],
    ["[01]", 1, 2, "a value"],
    ["[1,]", 1, 4, "a value"],
    ['{"a": "x\ny"}', 1, 7, "a value"],
    ["[tru]", 1, 2, "a value"],
    ["{a: 1}", 1, 2, "a key in double quotes or '}'"],
    ['["\\x"]', 1, 2, "a value"],
  ])("of %j is line %i, column %i: %s was expected", (text, line, column, wanted) => {
    expect(isJson(text)).toBe(false);
    const fault = findJsonFault(text);
    expect(fault).toMatchObject({ line, column });
    expect(fault?.reason).toContain(`not JSON: ${wanted} is expected`);
  });

  test("shows what stands there, or that the file ends", () => {
    expect(findJsonFault("[1 2]")?.reason).toBe(`not JSON: ',' or ']' is expected, "2]" is there`);
    expect(findJsonFault("[1")?.reason).toBe("not JSON: ',' or ']' is expected, the end of the file is there");
  });

  test("is found in any text that JSON.parse refuses, and in no other", () => {
    const cut = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.nat(),
      fc.constantFrom("", ",", ":", "]", "}", "{", "[", '"', "\\", "0", "-", "e", ".", "t", " ", "\n", "\u0001"),
    );
    fc.assert(
      fc.property(cut, ([json, at, length, put]) => {
        const from = at % (json.length + 1);
        const text = json.slice(0, from) + put + json.slice(from + (length % 3));
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: volume(5_000) },
    );
  });

  test("takes deep nesting and long strings", () => {
    const deep = "[".repeat(100_000);
    expect(findJsonFault(deep)).toMatchObject({ line: 1, column: 100_001 });
    expect(findJsonFault(`["${"x".repeat(2_000_000)}" 1]`)).toMatchObject({ column: 2_000_005 });
  });
});
