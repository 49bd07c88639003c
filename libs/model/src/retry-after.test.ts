import { expect, test } from "vitest";
import { readRetryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 10, 3, 12, 0, 0);
const read = (headers: Record<string, string>): number | undefined => readRetryAfterMs(headers, NOW);

test("milliseconds go before seconds", () => {
  expect(read({ "retry-after-ms": "250.5", "retry-after": "9" })).toBe(250.5);
  expect(read({ "retry-after-ms": "soon", "retry-after": "9" })).toBe(9_000);
});

test("seconds may have a fraction and are not capped", () => {
  expect(read({ "retry-after": "1.5" })).toBe(1_500);
  expect(read({ "retry-after": " 3600 " })).toBe(3_600_000);
  expect(read({ "retry-after": "0" })).toBe(0);
});

test("an HTTP date counts from now, in each of its three forms, and one that has passed is no wait", () => {
  expect(read({ "retry-after": "Tue, 03 Nov 2026 12:00:03 GMT" })).toBe(3_000);
  expect(read({ "retry-after": "Tuesday, 03-Nov-26 12:00:03 GMT" })).toBe(3_000);
  expect(read({ "retry-after": "Tue, 03 Nov 2026 11:00:00 GMT" })).toBe(0);
});

test("anything else is no wait that was asked for", () => {
  for (const text of ["", "-5", "soon", "2026-11-03", "Tue, nonsense", "NaN", "1e3"]) expect(read({ "retry-after": text })).toBeUndefined();
  expect(read({})).toBeUndefined();
});
