import { createSimulatedClock } from "@karst/events";
import { expect, test } from "vitest";
import { pause } from "./pause.ts";
import { codeOf } from "./testing/calls.ts";

test("a pause ends after its time", async () => {
  const clock = createSimulatedClock();
  let over = false;
  const pausing = pause(clock, 100).then(() => {
    over = true;
  });
  clock.advance(99);
  await Promise.resolve();
  expect(over).toBe(false);
  clock.advance(1);
  await pausing;
  expect(over).toBe(true);
});

test("aborting the signal ends a pause with Cancelled and takes its timer away", async () => {
  const clock = createSimulatedClock();
  const abort = new AbortController();
  const pausing = codeOf(pause(clock, 100, abort.signal));
  abort.abort();
  expect(await pausing).toBe("Cancelled");
  expect(clock.pending).toBe(0);
  expect(await codeOf(pause(clock, 100, abort.signal))).toBe("Cancelled");
});
