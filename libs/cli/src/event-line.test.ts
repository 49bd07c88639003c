import { EVENT_TYPES } from "@karst/events";
import type { KarstEvent, NewEvent, RunSummary } from "@karst/events";
import { describe, expect, test } from "vitest";
import { displayWidth } from "./display-width.ts";
import { eventLine } from "./event-line.ts";

const CLEANER = "default/cleaner/demo";
const usage = { input: 1_200, output: 34, total: 1_234, estimated: false };
const result: RunSummary = {
  runId: "r",
  content: "Done.\nAll of it.",
  completed: true,
  stopReason: "completed",
  steps: 1,
  elapsedMs: 2_100,
  usage,
  cells: [],
};
const failed: RunSummary = {
  ...result,
  completed: false,
  stopReason: "model-error",
  error: { code: "ModelFailed", message: "the stream was cut" },
};
const call = { callId: "c", method: "clean", from: "default/boss/demo" };
const cell = { runId: "r", step: 2, ms: 3.2, added: [], changed: [], removed: [] };

const event = (said: NewEvent): KarstEvent => ({ v: 1, id: `${CLEANER}:1:0`, agent: CLEANER, seq: 1, at: 11_250, ...said });
const line = (said: NewEvent): string | undefined => eventLine(event(said), { startMs: 10_000, width: 200 });

const GOLDEN: readonly (readonly [NewEvent, string | undefined])[] = [
  [{ type: "agent-activated", node: "n1" }, "is active on n1"],
  [{ type: "agent-stopped", reason: "the system closed" }, "stopped: the system closed"],
  [{ type: "state-entered", state: "acting", step: 2 }, "acting (step 2)"],
  [{ type: "state-entered", state: "idle" }, "idle"],
  [{ type: "call-started", ...call, argBytes: 404_321, handles: 0 }, "← boss/demo calls clean(404 kB)"],
  [
    { type: "call-started", ...call, from: "operator", method: "inject", argBytes: 60, handles: 1 },
    "← operator calls inject(60 B, 1 handle)",
  ],
  [{ type: "call-ended", ...call, ms: 812, resultBytes: 240, handles: 2 }, "→ boss/demo gets clean: 240 B, 2 handles in 812 ms"],
  [{ type: "call-failed", ...call, ms: 5, code: "BadArgs", message: "no\nrows" }, "→ boss/demo gets clean: BadArgs after 5 ms: no rows"],
  [{ type: "run-started", runId: "r", task: "Clean\n`data`" }, "run: Clean `data`"],
  [{ type: "step-started", runId: "r", step: 2 }, "step 2"],
  [{ type: "reasoning-delta", runId: "r", step: 2, text: "hm" }, undefined],
  [{ type: "model-delta", runId: "r", step: 2, text: "I" }, undefined],
  [{ type: "cell-started", runId: "r", step: 2, code: "const a = 1;\na" }, "step 2: cell of 2 lines: const a = 1;"],
  [{ type: "cell-ended", ...cell, ok: true, output: "one\ntwo\nthree\n" }, "step 2: cell ended in 3 ms: one (+ 2 lines)"],
  [{ type: "cell-ended", ...cell, ok: true, output: "\n" }, "step 2: cell ended in 3 ms: no output"],
  [{ type: "cell-ended", ...cell, ok: false, output: "", error: "TypeError: no\u001b[31m" }, "step 2: cell failed in 3 ms: TypeError: no"],
  [{ type: "step-ended", runId: "r", step: 2, usage }, "step 2: 1,200 tokens in, 34 out"],
  [{ type: "step-ended", runId: "r", step: 2, usage: { ...usage, estimated: true } }, "step 2: ~1,200 tokens in, 34 out"],
  [{ type: "run-ended", runId: "r", result }, "run completed after 1 step, 2.1 s: Done. All of it."],
  [{ type: "run-ended", runId: "r", result: failed }, "run ended with model-error after 1 step, 2.1 s: the stream was cut"],
  [{ type: "event-emitted", name: "progress", payload: { rule: "dates", done: 800, total: 3_200 } }, "progress 800/3,200 dates"],
];

describe("the line of an event", () => {
  test.each(GOLDEN)("of %j", (said, text) => {
    expect(line(said)).toBe(text === undefined ? undefined : `  +1.25s  cleaner/demo    ${text}`);
  });

  test("is there for every type of event but the pieces of a reply", () => {
    const shown = new Set(GOLDEN.filter(([, text]) => text !== undefined).map(([said]) => said.type as string));
    expect(EVENT_TYPES.filter((type) => !shown.has(type)).toSorted()).toEqual(["model-delta", "reasoning-delta"]);
  });

  test("is left out of a log beside the tree when the tree shows it", () => {
    const inLog = GOLDEN.filter(([said]) => eventLine(event(said), { startMs: 0, width: 100, detail: "log" }) === undefined).map(
      ([{ type }]) => type,
    );
    expect(new Set(inLog)).toEqual(new Set(["state-entered", "step-started", "model-delta", "reasoning-delta"]));
  });

  test("fits the width, painted or not, and is one line", () => {
    for (const [said] of GOLDEN)
      for (const width of [40, 60]) {
        const text = eventLine(event(said), { startMs: 0, width, colour: true }) ?? "";
        expect(displayWidth(text)).toBeLessThanOrEqual(width);
        expect(text).not.toContain("\n");
      }
  });

  test("is red where something failed", () => {
    const red = GOLDEN.filter(([said]) => eventLine(event(said), { startMs: 0, width: 100, colour: true })?.includes("\u001b[31m"));
    expect(red.map(([said]) => said.type)).toEqual(["call-failed", "cell-ended", "run-ended"]);
  });

  test("gives a long agent name its room", () => {
    const long = { ...event({ type: "agent-activated", node: "n" }), agent: `default/long-class-name/${"x".repeat(60)}` };
    expect(displayWidth(eventLine(long, { startMs: 0, width: 60 }) ?? "")).toBeLessThanOrEqual(60);
  });
});
