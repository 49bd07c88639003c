import { expect, test } from "vitest";
import { readProviderError, readProviderErrorText } from "./provider-error.ts";

test("the forms that providers use are read alike", () => {
  expect(readProviderError({ error: { message: "m", type: "t", code: "c" } })).toEqual({ message: "m", type: "t", code: "c" });
  expect(readProviderError({ error: { message: "m", type: null, code: null, param: null } })).toEqual({ message: "m" });
  expect(readProviderError({ error: "m" })).toEqual({ message: "m" });
  expect(readProviderError([{ error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED" } }])).toEqual({
    status: 429,
    message: "m",
    type: "RESOURCE_EXHAUSTED",
  });
  expect(readProviderError({ object: "error", message: "m", code: 400 })).toEqual({ status: 400, message: "m" });
  expect(readProviderError({ detail: "m" })).toEqual({ message: "m" });
  expect(readProviderError({ message: "m", code: 7 })).toEqual({ message: "m", code: "7" });
  expect(readProviderError("m")).toEqual({ message: "m" });
});

test("what is no error says nothing", () => {
  for (const value of [undefined, null, 5, "", {}, [], { choices: [] }, { error: null }, { error: 5 }])
    expect(readProviderError(value)).toBeUndefined();
});

test("a body is read as JSON, a short text is the message, and a page says nothing", () => {
  expect(readProviderErrorText('{"error":{"message":"m"}}')).toEqual({ message: "m" });
  expect(readProviderErrorText(" upstream timed out\n")).toEqual({ message: "upstream timed out" });
  for (const body of ["", "  ", "<html>", "x".repeat(400), "null"]) expect(readProviderErrorText(body)).toBeUndefined();
});
