import { expect, test } from "vitest";
import { volume } from "./config.ts";

test("a property runs its sample by day and twenty times that at night", () => {
  expect(volume(300, {})).toBe(300);
  expect(volume(300, { KARST_NIGHTLY: "1" })).toBe(6_000);
});
