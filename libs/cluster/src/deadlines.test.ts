import { createSimulatedClock } from "@karst/events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDeadlines } from "./deadlines.ts";
import type { Expiring } from "./deadlines.ts";

/** An entry that writes the time into `log` when it expires. */
const entry = (then: () => void): Expiring => ({ dueMs: -1, expire: then });

describe("deadlines", () => {
  test("entries expire once each, never early and late by at most 1/128 of their time, whatever is added and removed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ms: fc.integer({ min: 0, max: 700_000 }), removed: fc.boolean() }), { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 40 }),
        (wanted, steps) => {
          const clock = createSimulatedClock();
          const deadlines = createDeadlines(clock);
          const expired = new Map<number, number>();
          const entries = wanted.map((_, index) =>
            entry(() => {
              expect(expired.has(index)).toBe(false);
              expired.set(index, clock.monotonic());
            }),
          );
          for (const [index, { ms }] of wanted.entries()) deadlines.add(entries[index] ?? entry(() => undefined), ms);
          for (const [index, { removed }] of wanted.entries()) if (removed) deadlines.remove(entries[index] ?? entry(() => undefined));
          expect(clock.pending).toBeLessThanOrEqual(1);
          for (const step of steps) clock.advance(step);
          for (const [index, { ms, removed }] of wanted.entries()) {
            const at = expired.get(index);
            const latest = ms + Math.max(1, ms / 128);
            if (removed) expect(at).toBeUndefined();
            else if (at === undefined) expect(clock.monotonic()).toBeLessThan(latest);
            else {
              expect(at).toBeGreaterThanOrEqual(ms);
              expect(at).toBeLessThanOrEqual(latest);
            }
          }
          expect(deadlines.pending).toBe(wanted.filter(({ removed }, index) => !removed && !expired.has(index)).length);
        },
      ),
    );
  });
  test("an entry added by one that expires gets its own time", () => {
    const clock = createSimulatedClock();
    const deadlines = createDeadlines(clock);
    const seen: number[] = [];
    const again = entry(() => seen.push(clock.monotonic()));
    deadlines.add(
      entry(() => {
        seen.push(clock.monotonic());
        deadlines.add(again, 50);
      }),
      100,
    );
    clock.advance(500);
    expect(seen).toEqual([100, 150]);
  });
  test("after closing nothing expires and no timer waits", () => {
    const clock = createSimulatedClock();
    const deadlines = createDeadlines(clock);
    deadlines.add(
      entry(() => expect.fail("it expired")),
      10,
    );
    deadlines.close();
    expect(clock.pending).toBe(0);
    expect(deadlines.pending).toBe(0);
    clock.advance(100);
  });
});
