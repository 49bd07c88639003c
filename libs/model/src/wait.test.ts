import { createSimulatedClock } from "@karst/events";
import { expect, test, vi } from "vitest";
import { orAbort, sleep } from "./wait.ts";

const never = (): AbortSignal => new AbortController().signal;

test("a wait settles as its promise does", async () => {
  expect(await orAbort(Promise.resolve(0), never())).toBe(0);
  const fault = new Error("no");
  await expect(orAbort(Promise.reject(fault), never())).rejects.toBe(fault);
});

test("a signal that has aborted wins over a promise that has settled", async () => {
  const reason = new Error("enough");
  await expect(orAbort(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("a promise that fails after the abort is no unhandled rejection", async () => {
  const controller = new AbortController();
  let fail: (error: Error) => void = () => undefined;
  const waiting = orAbort(
    new Promise((_resolve, reject) => {
      fail = reject;
    }),
    controller.signal,
  );
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  const unhandled: unknown[] = [];
  const listen = (error: unknown): void => {
    unhandled.push(error);
  };
  process.on("unhandledRejection", listen);
  fail(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});

test("no time is not waited for, and an aborted sleep does not begin", async () => {
  const clock = createSimulatedClock();
  await sleep(0, clock, never());
  const reason = new Error("enough");
  await expect(sleep(5, clock, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(clock.pending).toBe(0);
});

test("a sleeper keeps the process alive until it wakes", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const clock = createSimulatedClock();
  const sleeping = sleep(1_000, clock, never());
  expect(timers()).toBe(before + 1);
  clock.advance(1_000);
  await sleeping;
  expect(timers()).toBe(before);
});

test("a wait leaves no listener on its signal, however it ended", async () => {
  const signal = never();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  await orAbort(Promise.resolve(1), signal);
  await expect(orAbort(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(added).toHaveBeenCalledTimes(2);
  expect(removed.mock.calls.map((call) => call[1])).toEqual(added.mock.calls.map((call) => call[1]));
});
