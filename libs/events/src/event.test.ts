import { describe, expect, it } from "vitest";
import { EVENT_TYPES, eventSchema, eventToken } from "./event.ts";
import type { KarstEvent } from "./event.ts";

const common = { v: 1 as const, id: "t/C/1:1:0", agent: "t/C/1", seq: 1, at: 0 };
const run = { ...common, runId: "r" };
const step = { ...run, step: 0 };
const call = { ...common, callId: "c", method: "clean", from: "operator" };
const usage = { input: 1, output: 2, total: 3, estimated: false };

const samples: readonly KarstEvent[] = [
  { ...common, type: "agent-activated", node: "n" },
  { ...common, type: "agent-stopped", reason: "idle" },
  { ...common, type: "state-entered", state: "thinking", runId: "r", step: 1 },
  { ...call, type: "call-started", argBytes: 5, handles: 0 },
  { ...call, type: "call-ended", ms: 1.5, resultBytes: 5, handles: 1 },
  { ...call, type: "call-failed", ms: 1, code: "NotFound", message: "gone" },
  { ...run, type: "run-started", task: "do", parent: "r0" },
  { ...step, type: "step-started" },
  { ...step, type: "reasoning-delta", text: "hm" },
  { ...step, type: "model-delta", text: "so" },
  { ...step, type: "cell-started", code: "1" },
  { ...step, type: "cell-ended", ok: false, output: "", ms: 1, error: "E", added: ["a"], changed: [], removed: [] },
  { ...step, type: "step-ended", usage },
  {
    ...run,
    type: "run-ended",
    result: {
      runId: "r",
      content: "",
      completed: false,
      stopReason: "max-steps",
      steps: 1,
      elapsedMs: 2,
      usage,
      cells: [],
      error: { code: "RunFailed", message: "m" },
    },
  },
  { ...common, type: "event-emitted", name: "cleaned", payload: { rows: [1, null, "a", true] } },
];

describe("events", () => {
  it("there is a sample of each type here, and each is accepted as it is, also after JSON", () => {
    expect(samples.map((event) => event.type).sort()).toEqual([...EVENT_TYPES].sort());
    for (const event of samples) {
      expect(eventSchema.parse(event)).toEqual(event);
      expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
    }
  });

  it("an event without one of its fields, or with a wrong one, is refused", () => {
    const optional = new Set(["runId", "step", "parent", "error"]);
    for (const event of samples)
      for (const key of Object.keys(event)) {
        const without = Object.fromEntries(Object.entries(event).filter(([name]) => name !== key));
        const mayMiss =
          optional.has(key) &&
          ["state-entered", "run-started", "cell-ended"].includes(event.type) &&
          !(key === "step" && event.type === "cell-ended") &&
          !(key === "runId" && event.type !== "state-entered");
        expect(eventSchema.safeParse(without).success, `${event.type} without ${key}`).toBe(mayMiss);
        expect(eventSchema.safeParse({ ...event, [key]: Symbol("wrong") }).success, `${event.type} with wrong ${key}`).toBe(false);
      }
  });

  it("numbers that count begin with 1 and are whole", () => {
    for (const seq of [0, -1, 1.5, NaN]) expect(eventSchema.safeParse({ ...samples[0], seq }).success).toBe(false);
    expect(eventSchema.safeParse({ ...step, type: "step-started", step: -1 }).success).toBe(false);
    expect(eventSchema.safeParse({ ...samples[0], type: "no-such-event" }).success).toBe(false);
  });

  it("the subject's token is the type, and of a named event its name", () => {
    expect(samples.map(eventToken)).toEqual(samples.map((event) => (event.type === "event-emitted" ? "cleaned" : event.type)));
  });
});
