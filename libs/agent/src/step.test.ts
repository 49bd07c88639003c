import type { CellResult } from "@karst/runtime";
import { describe, expect, test } from "vitest";
import { ReplyParser } from "./reply.ts";
import { afterModel, DEFAULT_RUN_MS, DEFAULT_STEPS, limitReached, NO_USAGE, startRun, withCell, withModelTurn } from "./step.ts";
import type { ModelTurn, RunState } from "./step.ts";

function run(change: Partial<RunState> = {}): RunState {
  return { ...startRun({ runId: "r", task: "t", budget: {}, mayReturn: false, startedAtMs: 1_000 }), ...change };
}

function turn(text: string, change: Partial<ModelTurn> = {}): ModelTurn {
  const parser = new ReplyParser();
  parser.feed(text);
  return { reply: parser.end().reply, reasoning: "", usage: NO_USAGE, finish: "stop", failure: undefined, ...change };
}

function cell(change: Partial<CellResult> = {}): CellResult {
  return {
    cell: 1,
    ok: true,
    hasValue: false,
    returned: false,
    output: "",
    outputDroppedChars: 0,
    late: [],
    background: [],
    durationMs: 1,
    diff: { added: [], changed: [], removed: [] },
    ...change,
  };
}

const used = (total: number, input = 0, output = 0) => ({ usage: { input, output, total, estimated: false } });

describe("the limits at a step boundary", () => {
  test("a new run is within them", () => {
    expect(limitReached(run(), 1_000)).toBeUndefined();
  });

  test.each([
    ["total", { total: 40 }, used(40)],
    ["input", { input: 5 }, used(9, 5, 4)],
    ["output", { output: 4 }, used(9, 5, 4)],
  ])("used-up %s tokens end it with budget-exhausted", (_name, tokens, usage) => {
    expect(limitReached(run({ budget: { tokens }, ...usage }), 1_000)?.stopReason).toBe("budget-exhausted");
  });

  test("one token left lets it go on", () => {
    expect(limitReached(run({ budget: { tokens: { total: 41, input: 6, output: 5 } }, ...used(40, 5, 4) }), 1_000)).toBeUndefined();
  });

  test("time ends it with timeout at the millisecond, by default after ten minutes", () => {
    expect(limitReached(run({ budget: { ms: 10 } }), 1_009)).toBeUndefined();
    expect(limitReached(run({ budget: { ms: 10 } }), 1_010)?.stopReason).toBe("timeout");
    expect(limitReached(run({ budget: { ms: 0 } }), 1_000)?.stopReason).toBe("timeout");
    expect(limitReached(run(), 1_000 + DEFAULT_RUN_MS - 1)).toBeUndefined();
    expect(limitReached(run(), 1_000 + DEFAULT_RUN_MS)?.stopReason).toBe("timeout");
  });

  test("steps end it with max-steps, by default after ten", () => {
    expect(limitReached(run({ budget: { steps: 3 }, steps: 2 }), 1_000)).toBeUndefined();
    expect(limitReached(run({ budget: { steps: 3 }, steps: 3 }), 1_000)?.stopReason).toBe("max-steps");
    expect(limitReached(run({ steps: DEFAULT_STEPS }), 1_000)?.stopReason).toBe("max-steps");
  });

  test("tokens are named before time, and time before steps", () => {
    const all = { steps: 1, budget: { steps: 1, ms: 1, tokens: { total: 1 } }, ...used(1) };
    expect(limitReached(run(all), 2_000)?.stopReason).toBe("budget-exhausted");
    expect(limitReached(run({ ...all, usage: NO_USAGE }), 2_000)?.stopReason).toBe("timeout");
    expect(limitReached(run({ ...all, usage: NO_USAGE }), 1_000)?.stopReason).toBe("max-steps");
  });

  test("what the model said last is the content, and the error says which limit", () => {
    expect(limitReached(run({ budget: { steps: 0 }, said: "so far" }), 1_000)).toEqual({
      stopReason: "max-steps",
      content: "so far",
      error: { code: "RunFailed", message: "all 0 steps were used" },
    });
  });
});

describe("after a model call", () => {
  test("prose is the answer", () => {
    expect(afterModel(run(), turn("It is 4."))).toEqual({ next: "end", outcome: { stopReason: "completed", content: "It is 4." } });
  });

  test("a block is the next cell, whatever else the reply was", () => {
    const failure = { kind: "cut", message: "gone" } as const;
    expect(afterModel(run(), turn("Hm\n```js\na=1\n```", { failure, finish: undefined }))).toEqual({ next: "cell", code: "a=1" });
  });

  test.each([
    ["transient", "ModelFailed"],
    ["rate-limited", "ModelRateLimited"],
    ["billing", "ModelBilling"],
    ["unauthorized", "Unauthorized"],
    ["context-exceeded", "ModelContextExceeded"],
    ["bad-request", "ModelFailed"],
    ["cut", "ModelFailed"],
    ["malformed", "ModelFailed"],
  ] as const)("a failure of kind %s ends the run with model-error and code %s", (kind, code) => {
    expect(afterModel(run(), turn("par", { failure: { kind, message: "why" }, finish: undefined }))).toEqual({
      next: "end",
      outcome: { stopReason: "model-error", content: "par", error: { code, message: "why" } },
    });
  });

  test.each([
    ["length", "ModelFailed"],
    ["content-filter", "ModelRefused"],
  ] as const)("a reply that the provider ended with %s is never an answer", (finish, code) => {
    expect(afterModel(run(), turn("The answer is", { finish }))).toMatchObject({
      next: "end",
      outcome: { stopReason: "model-error", content: "The answer is", error: { code } },
    });
  });

  test("a failure without text keeps what was said before", () => {
    const after = afterModel(run({ said: "before" }), turn("", { failure: { kind: "cut", message: "gone" } }));
    expect(after).toMatchObject({ outcome: { content: "before" } });
  });

  test.each([
    ["an unclosed block", "```js\na=1", /not closed/],
    ["an opening line alone", "Now:\n```js", /not closed/],
    ["an empty reply", " \n", /empty/],
  ])("%s is sent back once, then the run ends with model-error", (_name, text, advice) => {
    const first = afterModel(run(), turn(text));
    expect(first).toMatchObject({ next: "repair" });
    expect(first.next === "repair" ? first.advice : "").toMatch(advice);
    expect(afterModel(run({ repairs: 1 }), turn(text))).toMatchObject({ next: "end", outcome: { stopReason: "model-error" } });
  });
});

describe("the run after", () => {
  test("a model call has its tokens added, and what was said kept", () => {
    const usage = { input: 3, output: 2, total: 5, estimated: false };
    const first = withModelTurn(run(), turn("one", { usage }));
    expect(first).toMatchObject({ usage, stepUsage: usage, said: "one" });
    const second = withModelTurn(first, turn("", { usage: { input: 1, output: 0, total: 1, estimated: true } }));
    expect(second).toMatchObject({
      usage: { input: 4, output: 2, total: 6, estimated: true },
      stepUsage: { input: 1, output: 0, total: 1, estimated: true },
      said: "one",
    });
  });

  test("a cell has its code added and goes on", () => {
    expect(withCell(run({ cells: ["a"] }), "b", cell({ returned: true, value: 1 }), undefined)).toMatchObject({
      cells: ["a", "b"],
      outcome: undefined,
    });
  });

  test("a top-level return ends a run that may end so, with that value", () => {
    const returning = withCell(
      run({ mayReturn: true, said: "here" }),
      "return 1",
      cell({ returned: true, hasValue: true, value: 1 }),
      undefined,
    );
    expect(returning.outcome).toEqual({ stopReason: "completed", content: "here", value: 1 });
  });

  test.each([
    ["a last expression", cell({ hasValue: true, value: 1 }), undefined],
    ["a failed cell", cell({ ok: false, returned: true, value: 1 }), undefined],
    ["a refused value", cell({ returned: true, value: 1 }), ["n: no"]],
  ])("%s does not end it", (_name, result, refused) => {
    expect(withCell(run({ mayReturn: true }), "c", result, refused).outcome).toBeUndefined();
  });
});
