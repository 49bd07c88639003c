import { seededRandom } from "@karst/events";
import { expect, test } from "vitest";
import { isRetried, retryDelayMs } from "./retry.ts";
import type { ModelFailure } from "./model.ts";

const failure = (kind: ModelFailure["kind"], retryAfterMs?: number): ModelFailure => ({
  kind,
  message: kind,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const highest = { next: () => 1 };

test("only what may pass is tried again", () => {
  const kinds = ["transient", "rate-limited", "billing", "unauthorized", "context-exceeded", "bad-request", "cut", "malformed"] as const;
  expect(kinds.filter(isRetried)).toEqual(["transient", "rate-limited", "cut"]);
  expect(retryDelayMs(failure("billing", 5), 0, highest)).toBeUndefined();
});

test("the back-off doubles from half a second and stops at 32 seconds", () => {
  const limits = { maxRetries: 100 };
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((retries) => retryDelayMs(failure("transient"), retries, highest, limits));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000]);
});

test("the jitter is full: any part of the back-off", () => {
  const random = seededRandom(7);
  const delays = Array.from({ length: 1_000 }, () => retryDelayMs(failure("cut"), 2, random) ?? NaN);
  expect(Math.min(...delays)).toBeLessThan(50);
  expect(Math.max(...delays)).toBeGreaterThan(1_950);
  expect(Math.max(...delays)).toBeLessThan(2_000);
});

test("a wait that was asked for is kept in full, without jitter", () => {
  expect(retryDelayMs(failure("rate-limited", 45_000), 0, { next: () => 0 })).toBe(45_000);
  expect(retryDelayMs(failure("rate-limited", 0), 0, highest)).toBe(500);
});

test("a longer wait than the limit is not shortened but left to the caller", () => {
  expect(retryDelayMs(failure("rate-limited", 60_001), 0, highest)).toBeUndefined();
  expect(retryDelayMs(failure("rate-limited", 60_001), 0, highest, { maxWaitMs: 90_000 })).toBe(60_001);
});

test("after five retries there is no other", () => {
  expect(retryDelayMs(failure("transient"), 4, highest)).toBe(8_000);
  expect(retryDelayMs(failure("transient"), 5, highest)).toBeUndefined();
  expect(retryDelayMs(failure("transient"), 0, highest, { maxRetries: 0 })).toBeUndefined();
});
