import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds, seededRandom, systemRandom } from "./random.ts";
import { volume } from "./testing/config.ts";

describe("randomness", () => {
  it("a seed gives the same sequence again, and another seed another one", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const [a, b, c] = [seededRandom(seed), seededRandom(seed), seededRandom(seed + 1)];
        const draw = (random: { next(): number }): number[] => Array.from({ length: 20 }, () => random.next());
        const first = draw(a);
        expect(draw(b)).toEqual(first);
        expect(draw(c)).not.toEqual(first);
      }),
      { numRuns: volume(50) },
    );
  });

  it("draws lie in [0, 1) and spread over it", () => {
    for (const random of [seededRandom(7), systemRandom]) {
      const draws = Array.from({ length: 20_000 }, () => random.next());
      expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
      const tenths = Array.from({ length: 10 }, (_, tenth) => draws.filter((draw) => Math.floor(draw * 10) === tenth).length);
      for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(300);
    }
  });
});

describe("ids", () => {
  it("are unique within a process and say their kind", () => {
    const ids = createIds(seededRandom(1));
    const made = Array.from({ length: 3000 }, (_, index) => [ids.run(), ids.call(), ids.node()][index % 3]);
    expect(new Set(made).size).toBe(3000);
    expect([ids.run(), ids.call(), ids.node()].map((id) => id.split("_")[0])).toEqual(["run", "call", "node"]);
  });

  it("of two processes differ, and the same seed gives the same ids", () => {
    expect(createIds().call()).not.toBe(createIds().call());
    expect(createIds(seededRandom(5)).run()).toBe(createIds(seededRandom(5)).run());
  });
});
