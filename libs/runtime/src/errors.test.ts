import { isKarstError } from "@karst/events";
import { expect, it } from "vitest";
import {
  InvalidBindingError,
  ModuleRefusedError,
  NameTakenError,
  NoSuchNameError,
  RuntimeOverloadedError,
  RuntimeStoppedError,
} from "./errors.ts";

it("a missing name lists those there are, up to a bound", () => {
  expect(new NoSuchNameError("x", []).message).toBe('there is no "x" here; there are no names yet');
  expect(new NoSuchNameError("x", ["a", "b"]).message).toBe('there is no "x" here; there is: a, b');
  expect(
    new NoSuchNameError(
      "x",
      Array.from({ length: 60 }, (_, i) => `n${String(i)}`),
    ).message,
  ).toMatch(/n49, and 10 more$/);
});

it("a refused module says what can be imported", () => {
  expect(new ModuleRefusedError("fs", []).message).toMatch(/"fs".*no modules/);
  expect(new ModuleRefusedError("fs", ["a", "b"]).message).toMatch(/"fs".*a, b/);
});

it("every error has a code that callers can test, and its own name", () => {
  const errors = [
    new NameTakenError("x", "variable", "function"),
    new RuntimeStoppedError("execute"),
    new RuntimeOverloadedError("cells", 1),
    new InvalidBindingError("x", "no"),
  ];
  for (const error of errors) expect(isKarstError(error)).toBe(true);
  expect(errors.map(({ code }) => code)).toEqual(["NameTaken", "RuntimeStopped", "Overloaded", "InvalidValue"]);
  expect(errors.map(({ name }) => name)).toEqual([
    "NameTakenError",
    "RuntimeStoppedError",
    "RuntimeOverloadedError",
    "InvalidBindingError",
  ]);
});
