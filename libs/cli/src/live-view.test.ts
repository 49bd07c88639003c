import type { KarstEvent, NewEvent, RunSummary } from "@karst/events";
import { describe, expect, test } from "vitest";
import { displayWidth } from "./display-width.ts";
import { EMPTY_VIEW, foldEvent, MOST_AGENTS, renderTree } from "./live-view.ts";
import type { LiveView } from "./live-view.ts";

const BOSS = "default/boss/demo";
const CLEANER = "default/cleaner/demo";
const ANALYZER = "default/analyzer/demo";

type Said = readonly [agent: string, event: NewEvent, at?: number];

/** Stamps events in order, as their agents would. */
function stamped(said: readonly Said[]): KarstEvent[] {
  const seqs = new Map<string, number>();
  return said.map(([agent, event, at = 0]) => {
    const seq = (seqs.get(agent) ?? 0) + 1;
    seqs.set(agent, seq);
    return { v: 1, id: `${agent}:${String(seq)}:0`, agent, seq, at, ...event };
  });
}
const fold = (...said: Said[]): LiveView => stamped(said).reduce(foldEvent, EMPTY_VIEW);

const usage = { input: 1_000, output: 234, total: 1_234, estimated: false };
const summary = (change: Partial<RunSummary> = {}): RunSummary => ({
  runId: "r",
  content: "Done.\nMore.",
  completed: true,
  stopReason: "completed",
  steps: 2,
  elapsedMs: 5,
  usage,
  cells: [],
  ...change,
});
const run = (agent: string, runId: string, at: number, parent?: string): Said => [
  agent,
  { type: "run-started", runId, task: `Task of ${runId}`, ...(parent === undefined ? {} : { parent }) },
  at,
];
const call = (from: string, agent: string, method: string): Said => [
  agent,
  { type: "call-started", callId: "c", method, from, argBytes: 1, handles: 0 },
];
const cellEnded = (agent: string, runId: string, output: string, error?: string): Said => [
  agent,
  {
    type: "cell-ended",
    runId,
    step: 1,
    ok: error === undefined,
    output,
    ms: 3,
    added: [],
    changed: [],
    removed: [],
    ...(error === undefined ? {} : { error }),
  },
];

const demo: readonly Said[] = [
  [BOSS, { type: "agent-activated", node: "n" }],
  run(BOSS, "r1", 1_000),
  [BOSS, { type: "state-entered", state: "acting", step: 1 }],
  [BOSS, { type: "step-started", runId: "r1", step: 1 }],
  [BOSS, { type: "cell-started", runId: "r1", step: 1, code: "\nconst report = await cleaner.clean({ rows });\nreport" }],
  call(BOSS, CLEANER, "clean"),
  run(CLEANER, "r2", 1_500, "r1"),
  [CLEANER, { type: "state-entered", state: "thinking" }],
  [CLEANER, { type: "step-started", runId: "r2", step: 1 }],
  [CLEANER, { type: "cell-started", runId: "r2", step: 1, code: "data.length" }],
  [CLEANER, { type: "step-ended", runId: "r2", step: 1, usage }],
  [CLEANER, { type: "step-started", runId: "r2", step: 2 }],
  call(CLEANER, "default/helper/one", "ask"),
  call(BOSS, ANALYZER, "inject"),
  [BOSS, { type: "call-ended", callId: "c", method: "inject", from: "operator", ms: 1, resultBytes: 1, handles: 0 }],
];
const lastLine = (...said: Said[]): string | undefined => fold(...said).agents.get(CLEANER)?.lastLine;

describe("the tree", () => {
  test("shows agents under their callers with state, step, cell, tokens, elapsed and last line", () => {
    expect(renderTree(fold(...demo), { nowMs: 3_100, width: 120 })).toEqual([
      "● boss/demo         acting    step 1   cell 1                    2.1 s  const report = await cleaner.clean({ rows });",
      "● ├─ cleaner/demo   thinking  step 2   cell 1     1,234 tokens   1.6 s  data.length",
      "○ │  └─ helper/one  idle                                                ask()",
      "○ └─ analyzer/demo  idle                                                inject()",
    ]);
  });

  test("marks how runs ended, stops their time and says estimated tokens", () => {
    const view = fold(
      run(BOSS, "r1", 1_000),
      [BOSS, { type: "step-ended", runId: "r1", step: 1, usage: { ...usage, estimated: true } }],
      [BOSS, { type: "run-ended", runId: "r1", result: summary() }, 2_000],
      run(CLEANER, "r2", 1_000),
      [
        CLEANER,
        {
          type: "run-ended",
          runId: "r2",
          result: summary({ completed: false, stopReason: "model-error", error: { code: "ModelFailed", message: "cut\noff" } }),
        },
        4_000,
      ],
      [ANALYZER, { type: "agent-stopped", reason: "the system closed" }],
    );
    expect(renderTree(view, { nowMs: 99_000, width: 100 })).toEqual([
      "✓ boss/demo      idle                         ~1,234 tokens   1.0 s  Done.",
      "✗ cleaner/demo   idle                                         3.0 s  model-error: cut",
      "○ analyzer/demo  stopped                                             the system closed",
    ]);
  });

  test("never makes a line wider than asked, with wide text and colours too", () => {
    const view = fold(...demo, [BOSS, { type: "model-delta", runId: "r1", step: 1, text: "日本語のとても長い文章です。".repeat(9) }]);
    for (const width of [40, 41, 60, 77, 120])
      for (const line of renderTree(view, { nowMs: 0, width, colour: true })) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test("paints marks and last lines only when asked", () => {
    expect(renderTree(fold(...demo), { nowMs: 0, width: 120, colour: true })[0]).toMatch(/^\u001b\[36m●\u001b\[39m boss.*\u001b\[2mconst/);
    expect(renderTree(fold(...demo), { nowMs: 0, width: 120 }).join("")).not.toContain("\u001b");
  });

  test("counts the agents that do not fit", () => {
    expect(renderTree(fold(...demo), { nowMs: 0, width: 80, lines: 3 }).map((line) => line.slice(0, 20).trimEnd())).toEqual([
      "● boss/demo        a",
      "● ├─ cleaner/demo  t",
      "… and 2 more agents",
    ]);
    expect(renderTree(fold(...demo), { nowMs: 0, width: 80, lines: 0 })).toEqual([]);
    expect(renderTree(EMPTY_VIEW, { nowMs: 0, width: 80 })).toEqual([]);
  });
});

describe("the view", () => {
  test("does not change when events come twice", () => {
    const events = stamped(demo);
    const once = events.reduce(foldEvent, EMPTY_VIEW);
    expect([...events, ...events].reduce(foldEvent, EMPTY_VIEW)).toEqual(once);
    expect(once.agents.get(CLEANER)).toMatchObject({ parent: BOSS, tokens: 1_234, cells: 1 });
  });

  test("puts an agent under the first that called it and makes no circles", () => {
    const view = fold(
      call(BOSS, CLEANER, "clean"),
      call(ANALYZER, CLEANER, "retrieve"),
      call(CLEANER, BOSS, "ask"),
      call(CLEANER, CLEANER, "again"),
      call("operator", ANALYZER, "go"),
    );
    expect([...view.agents.values()].map(({ address, parent }) => [address, parent])).toEqual([
      [CLEANER, BOSS],
      [BOSS, undefined],
      [ANALYZER, undefined],
    ]);
  });

  test("puts an agent under the one whose run caused its run, while that run lasts", () => {
    expect(fold(run(BOSS, "r1", 0), run(CLEANER, "r2", 0, "r1")).agents.get(CLEANER)?.parent).toBe(BOSS);
    const ended: Said = [BOSS, { type: "run-ended", runId: "r1", result: summary() }];
    const later = fold(run(BOSS, "r1", 0), ended, run(CLEANER, "r2", 0, "r1"));
    expect(later.agents.get(CLEANER)?.parent).toBeUndefined();
    expect([...later.runs.keys()]).toEqual(["r2"]);
  });

  test("shows the line of the reply that is coming in, however it is cut", () => {
    const delta = (text: string): Said => [CLEANER, { type: "model-delta", runId: "r", step: 1, text }];
    expect(lastLine(delta("I look "), delta("at the\nro"), delta("ws "), delta("now"))).toBe("rows now");
    expect(lastLine(delta("done"), [CLEANER, { type: "step-started", runId: "r", step: 2 }], delta("next"))).toBe("next");
    expect(lastLine(delta("x".repeat(5_000)))).toHaveLength(200);
    expect(lastLine(delta("said"), [CLEANER, { type: "reasoning-delta", runId: "r", step: 1, text: "thought" }])).toBe("said");
  });

  test("shows what a cell printed last, or how it failed, without control characters", () => {
    expect(lastLine(cellEnded(CLEANER, "r", "one\n\u0007\u001b[31mtwo\n\n"))).toBe("two");
    expect(lastLine(cellEnded(CLEANER, "r", "", "TypeError: row.Title.trim is not a function\n  at cell:2"))).toBe(
      "TypeError: row.Title.trim is not a function",
    );
    expect(
      lastLine([CLEANER, { type: "cell-ended", runId: "r", step: 1, ok: false, output: "", ms: 1, added: [], changed: [], removed: [] }]),
    ).toBe("the cell failed");
    expect(
      lastLine([CLEANER, { type: "call-failed", callId: "c", method: "clean", from: BOSS, ms: 1, code: "BadArgs", message: "no\nrows" }]),
    ).toBe("clean() failed: no");
  });

  test("shows a run that ended without an error by its stop reason", () => {
    expect(lastLine([CLEANER, { type: "run-ended", runId: "r", result: summary({ completed: false, stopReason: "cancelled" }) }])).toBe(
      "cancelled",
    );
  });

  test("shows progress as a count and other emitted events as they are", () => {
    const emitted = (name: string, payload: Extract<NewEvent, { type: "event-emitted" }>["payload"]): Said => [
      CLEANER,
      { type: "event-emitted", name, payload },
    ];
    expect(lastLine(emitted("progress", { rule: "dates", done: 800, total: 3_200 }))).toBe("progress 800/3,200 dates");
    expect(lastLine(emitted("progress", { done: 1, total: 2 }))).toBe("progress 1/2");
    expect(lastLine(emitted("progress", { done: "1", total: 2 }))).toBe('progress {"done":"1","total":2}');
    expect(lastLine(emitted("cleaned", 5))).toBe("cleaned 5");
  });

  test("lets an agent that was stopped begin again", () => {
    const view = fold([CLEANER, { type: "agent-stopped", reason: "idle" }], [CLEANER, { type: "agent-activated", node: "n" }]);
    expect(view.agents.get(CLEANER)).toMatchObject({ phase: "new", state: "idle" });
  });

  test("stays bounded: stopped agents without others below them go", () => {
    const stopped = Array.from({ length: MOST_AGENTS + 5 }, (_, index): Said => [
      `default/worker/${String(index)}`,
      { type: "agent-stopped", reason: "done" },
    ]);
    const view = fold(call(BOSS, CLEANER, "clean"), [BOSS, { type: "agent-stopped", reason: "done" }], ...stopped);
    expect(view.agents.size).toBeLessThanOrEqual(MOST_AGENTS);
    expect(view.agents.has(BOSS) && view.agents.has(CLEANER)).toBe(true);
  });
});
