import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createSimulatedClock, systemClock } from "./clock.ts";

describe("the simulated clock", () => {
  it("fires what falls due in the order of time, then of making, each at its own time", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 30 }), (delays) => {
        const clock = createSimulatedClock(1000);
        const fired: { index: number; atMs: number }[] = [];
        for (const [index, ms] of delays.entries()) clock.after(ms, () => fired.push({ index, atMs: clock.now() }));
        clock.advance(20);
        const expected = delays.map((ms, index) => ({ index, atMs: 1000 + ms })).sort((a, b) => a.atMs - b.atMs || a.index - b.index);
        expect(fired).toEqual(expected);
        expect([clock.now(), clock.monotonic(), clock.pending]).toEqual([1020, 1020, 0]);
      }),
    );
  });

  it("fires nothing before its time, nor what was cancelled", () => {
    const clock = createSimulatedClock();
    const fired: string[] = [];
    clock.after(10, () => fired.push("a"));
    const cancel = clock.after(5, () => fired.push("b"));
    cancel();
    clock.advance(9);
    expect([fired, clock.pending]).toEqual([[], 1]);
    clock.advance(1);
    expect(fired).toEqual(["a"]);
  });

  it("a timer may start and cancel others while time moves", () => {
    const clock = createSimulatedClock();
    const fired: string[] = [];
    const cancel = clock.after(3, () => fired.push("never"));
    clock.after(1, () => {
      cancel();
      clock.after(1, () => fired.push(`second at ${String(clock.now())}`));
      clock.after(100, () => fired.push("later"));
    });
    clock.after(-5, () => fired.push("at once"));
    clock.advance(10);
    expect([fired, clock.pending]).toEqual([["at once", "second at 2"], 1]);
  });
});

describe("the machine's clock", () => {
  it("goes on, and its timers fire unless cancelled", () => {
    vi.useFakeTimers();
    try {
      const fired: string[] = [];
      systemClock.after(50, () => fired.push("a"));
      systemClock.after(50, () => fired.push("b"))();
      systemClock.after(-1, () => fired.push("c"));
      vi.advanceTimersByTime(49);
      expect(fired).toEqual(["c"]);
      vi.advanceTimersByTime(1);
      expect(fired).toEqual(["c", "a"]);
    } finally {
      vi.useRealTimers();
    }
    const before = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });

  it("waits longer than setTimeout can, and can be cancelled in the middle", () => {
    vi.useFakeTimers();
    try {
      const fired: string[] = [];
      const days = 60 * 24 * 3600 * 1000;
      systemClock.after(days, () => fired.push("a"));
      const cancel = systemClock.after(days, () => fired.push("b"));
      vi.advanceTimersByTime(days - 1);
      cancel();
      expect(fired).toEqual([]);
      vi.advanceTimersByTime(1);
      expect([fired, vi.getTimerCount()]).toEqual([["a"], 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});
