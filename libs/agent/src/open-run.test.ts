import { createSimulatedClock, runId } from "@karst/events";
import type { KarstEvent, RunFact } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { boundary } from "./boundary-schema.ts";
import { OpenRun } from "./open-run.ts";
import type { OpenRunOptions } from "./open-run.ts";
import type { RunResult } from "./run.ts";
import { DEFAULT_RUN_MS } from "./step.ts";

const result: RunResult = {
  runId: "run_1",
  content: "done",
  value: undefined,
  completed: true,
  stopReason: "completed",
  steps: 1,
  elapsedMs: 1,
  usage: { input: 0, output: 0, total: 0, estimated: false },
  cells: [],
};

function open(change: Partial<OpenRunOptions> = {}) {
  const clock = createSimulatedClock();
  const run = new OpenRun({
    runId: runId("run_1"),
    agent: "t/shelf/1",
    model: scriptedModel([]),
    clock,
    budget: {},
    signals: [],
    check: undefined,
    messages: () => Promise.resolve([]),
    onFact: undefined,
    ...change,
  });
  return { clock, run };
}

describe("the signal of a run (Q1)", () => {
  test("aborts when its time is over, to the millisecond, as DeadlineExceeded", () => {
    const { clock, run } = open({ budget: { ms: 50 } });
    clock.advance(49);
    expect(run.signal.aborted).toBe(false);
    expect(run.timeLeftMs()).toBe(1);
    clock.advance(1);
    expect(run.timeLeftMs()).toBe(0);
    expect(run.signal.reason).toMatchObject({ code: "DeadlineExceeded", data: { ms: 50 } });
  });

  test("aborts after ten minutes when the budget says nothing", () => {
    const { clock, run } = open();
    clock.advance(DEFAULT_RUN_MS - 1);
    expect(run.signal.aborted).toBe(false);
    clock.advance(1);
    expect(run.signal.aborted).toBe(true);
  });

  test("follows each signal that it was given, and keeps the first reason", () => {
    const [turn, caller] = [new AbortController(), new AbortController()];
    const { run } = open({ signals: [turn.signal, undefined, caller.signal] });
    caller.abort("caller");
    turn.abort("turn");
    run.cancel("late");
    expect(run.signal.reason).toBe("caller");
  });

  test("has aborted from the start when one of them had", () => {
    expect(open({ signals: [AbortSignal.abort("before")] }).run.signal.reason).toBe("before");
  });
});

test("after the end no timer is left, and nothing aborts it any more (Q2)", async () => {
  const caller = new AbortController();
  const { clock, run } = open({ budget: { ms: 50 }, signals: [caller.signal] });
  expect(clock.pending).toBe(1);
  run.settle(result);
  expect(await run.settled).toBe(result);
  expect(clock.pending).toBe(0);
  caller.abort();
  clock.advance(1_000);
  expect(run.signal.aborted).toBe(false);
});

test("a value is refused with its issues where there is a schema, and accepted where there is none", () => {
  const { run } = open({ check: boundary("result", z.object({ n: z.number() })) });
  expect(run.refused({ n: 1 })).toBeUndefined();
  expect(run.refused({ n: "x" })).toEqual([expect.stringMatching(/^n: /)]);
  expect(open().run.refused({ n: "x" })).toBeUndefined();
});

test("who watches it is shown the facts of runs, and no states or calls", () => {
  const shown: RunFact[] = [];
  const { run } = open({ onFact: (fact) => shown.push(fact) });
  const stamp = { v: 1, id: "t/shelf/1:1:0", agent: "t/shelf/1", seq: 1, at: 0 } as const;
  const started: KarstEvent = { ...stamp, type: "run-started", runId: "run_1", task: "t" };
  run.show({ ...stamp, type: "state-entered", state: "thinking", runId: "run_1" });
  run.show({ ...stamp, type: "agent-stopped", reason: "closed" });
  run.show(started);
  expect(shown).toEqual([started]);
  expect(run.watched).toBe(true);
  expect(open().run.watched).toBe(false);
  open().run.show(started);
});
