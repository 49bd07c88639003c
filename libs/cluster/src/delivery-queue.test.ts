import { expect, test } from "vitest";
import { createDeliveryQueue } from "./delivery-queue.ts";
import { until } from "./testing/until.ts";

test("deliveries run later, in order, also those that are pushed by deliveries", async () => {
  const queue = createDeliveryQueue();
  const seen: number[] = [];
  queue.push(() => {
    seen.push(1);
    queue.push(() => seen.push(3));
  });
  queue.push(() => seen.push(2));
  expect(seen).toEqual([]);
  await until("all have run", () => seen.length === 3);
  expect(seen).toEqual([1, 2, 3]);
});

test("an endless chain of deliveries does not keep the event loop from its turn", async () => {
  const queue = createDeliveryQueue();
  let runs = 0;
  let stopped = false;
  const again = (): void => {
    runs++;
    if (!stopped) queue.push(again);
  };
  queue.push(again);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  stopped = true;
  expect(runs).toBeGreaterThan(500);
  expect(runs).toBeLessThan(5_000);
});
