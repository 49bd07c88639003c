import { expect, test } from "vitest";
import { bytesText, countText, durationText, pluralText } from "./number-text.ts";

test.each([
  [0, 0, "0"],
  [999, 0, "999"],
  [1_000, 0, "1,000"],
  [1234567, 0, "1,234,567"],
  [-1234, 0, "-1,234"],
  [-0.4, 0, "0"],
  [-0.001, 2, "0.00"],
  [1234.5678, 2, "1,234.57"],
  [12918.03, 0, "12,918"],
  [0.5, 1, "0.5"],
])("%d with %i digits is %s", (value, digits, text) => {
  expect(countText(value, digits)).toBe(text);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [404_321, "404 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [1_399_981, "1.4 MB"],
  [250_000_000, "250 MB"],
  [3_200_000_000, "3.2 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([
  [0, "0 ms"],
  [3.6, "4 ms"],
  [999, "999 ms"],
  [999.6, "1.0 s"],
  [2_149, "2.1 s"],
  [59_949, "59.9 s"],
  [59_951, "1 m 00 s"],
  [185_000, "3 m 05 s"],
])("%d ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test("one has no plural", () => {
  expect([0, 1, 2_000].map((value) => pluralText(value, "call"))).toEqual(["0 calls", "1 call", "2,000 calls"]);
  expect(pluralText(2, "more agent", "more agents")).toBe("2 more agents");
});
