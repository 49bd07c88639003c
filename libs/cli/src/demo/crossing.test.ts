import type { KarstEvent, NewEvent } from "@karst/events";
import { describe, expect, test } from "vitest";
import { foldCrossing, NOTHING_CROSSED, summarizeCrossing } from "./crossing.ts";
import type { Crossing } from "./crossing.ts";

const BOSS = "default/boss/demo";
const CLEANER = "default/cleaner/demo";
const ANALYZER = "default/analyzer/demo";
const rows = Array.from({ length: 100 }, (_, index) => ({ title: `Film ${String(index)}` }));

/** Stamps events in order, as their agents would. */
function stamper(): (agent: string, event: NewEvent) => KarstEvent {
  const seqs = new Map<string, number>();
  return (agent, event) => {
    const seq = (seqs.get(agent) ?? 0) + 1;
    seqs.set(agent, seq);
    return { v: 1, id: `${agent}:${String(seq)}:0`, agent, seq, at: 0, ...event };
  };
}

function call(
  stamp: ReturnType<typeof stamper>,
  from: string,
  agent: string,
  method: string,
  argBytes: number,
  resultBytes: number,
  handles = 0,
): KarstEvent[] {
  const common = { callId: "c", method, from };
  return [
    stamp(agent, { type: "call-started", ...common, argBytes, handles }),
    stamp(agent, { type: "call-ended", ...common, ms: 1, resultBytes, handles: 0 }),
  ];
}

const fold = (events: readonly KarstEvent[]): Crossing => events.reduce(foldCrossing, NOTHING_CROSSED);
const estimateTokens = (text: string): number => Math.ceil(text.length / 4);
const facts = { orchestrator: BOSS, rawRows: rows, cleanedRows: rows.slice(1), estimateTokens };

function demoEvents(): KarstEvent[] {
  const stamp = stamper();
  return [
    ...call(stamp, "operator", BOSS, "inject", 9_000, 0),
    ...call(stamp, BOSS, CLEANER, "clean", 8_000, 200),
    ...call(stamp, BOSS, ANALYZER, "inject", 60, 0, 1),
    ...call(stamp, ANALYZER, CLEANER, "retrieve", 10, 7_000),
    ...call(stamp, BOSS, ANALYZER, "analyze", 5, 900),
  ];
}

describe("what crossed", () => {
  test("is counted between agents; the operator's part stands apart", () => {
    expect(summarizeCrossing(fold(demoEvents()), facts)).toMatchObject({
      calls: 4,
      failed: 0,
      handles: 1,
      bytesByValue: 16_175,
      bytesThroughOrchestrator: 9_165,
      bytesDirect: 7_010,
      rowsDirect: 99,
      hostBytes: 9_000,
    });
  });

  test("has a line for each method between two agents", () => {
    const stamp = stamper();
    const events = [...call(stamp, BOSS, CLEANER, "clean", 1, 2), ...call(stamp, BOSS, CLEANER, "clean", 3, 4, 2)];
    expect(summarizeCrossing(fold(events), facts).routes).toEqual([
      { from: BOSS, agent: CLEANER, method: "clean", calls: 2, failed: 0, argBytes: 4, resultBytes: 6, handles: 2 },
    ]);
  });

  test("does not change when events come twice", () => {
    const events = demoEvents();
    expect(fold(events.flatMap((event) => [event, event]))).toEqual(fold(events));
    expect(fold([...events, ...events])).toEqual(fold(events));
  });

  test("counts a failed call and its arguments", () => {
    const stamp = stamper();
    const common = { callId: "c", method: "clean", from: BOSS };
    const events = [
      stamp(CLEANER, { type: "call-started", ...common, argBytes: 50, handles: 0 }),
      stamp(CLEANER, { type: "call-failed", ...common, ms: 1, code: "BadArgs", message: "no" }),
    ];
    expect(summarizeCrossing(fold(events), facts)).toMatchObject({ calls: 1, failed: 1, bytesByValue: 50 });
  });

  test("counts no rows as direct when they pass through the orchestrator or the result is too small to hold them", () => {
    const stamp = stamper();
    const events = [...call(stamp, BOSS, CLEANER, "retrieve", 10, 7_000), ...call(stamp, ANALYZER, CLEANER, "retrieve", 10, 100)];
    expect(summarizeCrossing(fold(events), facts)).toMatchObject({ rowsDirect: 0, bytesThroughOrchestrator: 7_010, bytesDirect: 110 });
    expect(fold([stamp(CLEANER, { type: "agent-stopped", reason: "done" })])).toBe(NOTHING_CROSSED);
  });

  test("sets against it the tokens of the rows as JSON", () => {
    const { tokensAsText } = summarizeCrossing(NOTHING_CROSSED, facts);
    expect(tokensAsText).toBe(estimateTokens(JSON.stringify(rows)) + estimateTokens(JSON.stringify(rows.slice(1))));
    expect(tokensAsText).toBeGreaterThan(900);
  });
});
