import { expect, test } from "vitest";
import { Progress } from "./progress.ts";
import type { ProgressNow } from "./progress.ts";

test("an update sets the fields, counts, and tells the listener a value that stays as it was", () => {
  const told: ProgressNow[] = [];
  const progress = new Progress((now) => told.push(now));
  expect(progress).toMatchObject({ rule: "", done: 0, total: 0, updates: 0 });
  progress.update("titles", 800, 3_201);
  progress.update("titles", 3_201, 3_201);
  expect(progress).toMatchObject({ rule: "titles", done: 3_201, total: 3_201, updates: 2 });
  expect(told).toEqual([
    { rule: "titles", done: 800, total: 3_201 },
    { rule: "titles", done: 3_201, total: 3_201 },
  ]);
});

test("a progress needs no listener", () => {
  const progress = new Progress();
  progress.update("dates", 1, 2);
  expect(progress.done).toBe(1);
});
