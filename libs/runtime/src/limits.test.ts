import { expect, it } from "vitest";
import { DEFAULT_LIMITS, resolveLimits } from "./limits.ts";

it("the defaults hold where nothing is given", () => {
  expect(resolveLimits()).toEqual(DEFAULT_LIMITS);
  expect(resolveLimits({ outputChars: 5 })).toEqual({ ...DEFAULT_LIMITS, outputChars: 5 });
});

it.each([0, -1, 1.5, NaN, Infinity])("a limit of %d is refused by name", (limit) => {
  expect(() => resolveLimits({ queuedCells: limit })).toThrow(/limits\.queuedCells/);
});

it("a limit that does not exist is refused, with those that do", () => {
  const given: Record<string, number> = { outputBytes: 5 };
  expect(() => resolveLimits(given)).toThrow(/limits\.outputBytes.*outputChars/);
});
