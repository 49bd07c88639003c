import { expect, test } from "vitest";
import { closeRun } from "./history.ts";
import type { ConversationEntry } from "./history.ts";

const task: ConversationEntry = { kind: "task", runId: "r1", text: "Do it" };

test("a run that stopped without an answer is closed by a notice that says why", () => {
  expect(closeRun([task], "r1", 3, "max-steps")).toEqual([
    task,
    { kind: "notice", runId: "r1", step: 3, text: expect.stringContaining("max-steps") as unknown },
  ]);
});

test("nothing is added when the run has left nothing", () => {
  expect(closeRun([], "r1", 0, "timeout")).toEqual([]);
  expect(closeRun([task], "r2", 0, "timeout")).toEqual([task]);
});

test("the entries given stay as they are", () => {
  const entries = Object.freeze([task]);
  closeRun(entries, "r1", 1, "cancelled");
  expect(entries).toEqual([task]);
});
