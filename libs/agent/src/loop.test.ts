import { createSimulatedClock, runId } from "@karst/events";
import type { NewEvent } from "@karst/events";
import { scriptedModel } from "@karst/model";
import type { Model, ModelPart } from "@karst/model";
import { createRuntime } from "@karst/runtime";
import { describe, expect, test } from "vitest";
import type { ConversationEntry } from "./context/history.ts";
import { Loop, summary } from "./loop.ts";
import { OpenRun } from "./open-run.ts";
import { afterModel, startRun } from "./step.ts";
import { js } from "./testing/system-case.ts";

function setUp(model: Model) {
  const clock = createSimulatedClock(1_000);
  const published: NewEvent[] = [];
  const remembered: ConversationEntry[] = [];
  const runtime = createRuntime({ kind: "inline" });
  const loop = new Loop({
    clock,
    publish: (fact) => {
      published.push(fact);
    },
    runtime: () => Promise.resolve(runtime),
    remember: (entry) => {
      remembered.push(entry);
    },
  });
  const open = new OpenRun({
    runId: runId("run_1"),
    agent: "t/shelf/1",
    model,
    clock,
    budget: {},
    signals: [],
    check: undefined,
    messages: () => Promise.resolve([{ role: "user", content: "12345678" }]),
    onFact: undefined,
  });
  const run = startRun({ runId: "run_1", task: "t", budget: {}, mayReturn: false, startedAtMs: 1_000 });
  return { clock, loop, open, run, runtime, published, remembered };
}
const textOf = (published: readonly NewEvent[]): string[] => published.flatMap((fact) => (fact.type === "model-delta" ? [fact.text] : []));

describe("thinking", () => {
  test("publishes prose and reasoning as they come, and code not at all", async () => {
    const { loop, open, run, published } = setUp(scriptedModel([{ text: `Let me.\n${js("1")}`, chunks: 4, reasoning: "Hm" }]));
    const turn = await loop.think(run, open);
    expect(turn).toMatchObject({ reasoning: "Hm", finish: "stop", failure: undefined, reply: { code: "1", prose: "Let me.\n" } });
    expect(textOf(published).join("")).toBe("Let me.\n");
    expect(published.filter(({ type }) => type === "reasoning-delta")).toHaveLength(1);
  });

  test("takes the provider's count of tokens, and says so when it is an estimate", async () => {
    const counted = setUp(scriptedModel([{ text: "Done.", usage: { input: 30, output: 4 } }]));
    expect((await counted.loop.think(counted.run, counted.open)).usage).toEqual({ input: 30, output: 4, total: 34, estimated: false });
    const guessed = setUp(scriptedModel([{ text: "Done.", usage: "omit" }]));
    const { usage } = await guessed.loop.think(guessed.run, guessed.open);
    expect(usage).toMatchObject({ estimated: true, total: usage.input + usage.output });
    expect(usage.input).toBeGreaterThan(0);
  });

  test("never reads a refusal for code", async () => {
    const { loop, open, run, published } = setUp(scriptedModel([{ text: js("rm()"), refusal: true, finish: "content-filter" }]));
    const turn = await loop.think(run, open);
    expect(turn.reply).toEqual({ text: js("rm()"), prose: js("rm()"), code: undefined, unclosed: false });
    expect(afterModel(run, turn)).toMatchObject({ next: "end", outcome: { stopReason: "model-error", error: { code: "ModelRefused" } } });
    expect(textOf(published)).toEqual([js("rm()")]);
  });

  test("passes on the prose that it had held back when the stream ends, and a failure as it came", async () => {
    const failure = { kind: "cut", message: "gone" } as const;
    const { loop, open, run, published } = setUp(
      scriptedModel([{ text: "a\n``", chunks: [...["a\n", "``"]], failAt: { chunk: 2, failure } }]),
    );
    const turn = await loop.think(run, open);
    expect(turn).toMatchObject({ failure, finish: undefined, reply: { text: "a\n``" } });
    expect(textOf(published).join("")).toBe("a\n``");
  });

  test("leaves the model when the first block has closed", async () => {
    let left = false;
    const endless: Model = {
      id: "endless",
      async *stream(): AsyncGenerator<ModelPart> {
        try {
          await Promise.resolve();
          yield { type: "text", text: `${js("1")}\n` };
          for (;;) yield { type: "text", text: "more" };
        } finally {
          left = true;
        }
      },
    };
    const { loop, open, run } = setUp(endless);
    expect((await loop.think(run, open)).reply.code).toBe("1");
    expect(left).toBe(true);
  });
});

describe("a cell", () => {
  test("that fails in the runtime itself ends the run with runtime-error", async () => {
    const { loop, open, run, runtime } = setUp(scriptedModel([]));
    await runtime.close();
    const error: unknown = await loop.act(run, "1", open).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "RuntimeStopped" });
    expect(loop.broke({ ...run, said: "so far" }, error, open).outcome).toEqual({
      stopReason: "runtime-error",
      content: "so far",
      error: { code: "RuntimeStopped", message: expect.any(String) as unknown },
    });
  });

  test("is published with what it printed, changed and threw, and remembered for the model", async () => {
    const { loop, open, run, published, remembered } = setUp(scriptedModel([]));
    const first = await loop.acted(run, "a", await loop.act(run, "let a = 1; console.log('hi')", open), open);
    await loop.acted(first, "b", await loop.act(first, "a = 2; nope()", open), open);
    const ended = published.filter(({ type }) => type === "cell-ended");
    expect(ended).toMatchObject([
      { ok: true, output: "hi\n".trimEnd(), added: ["a"], changed: [], removed: [] },
      { ok: false, added: [], changed: ["a"], error: expect.stringContaining("nope") as unknown },
    ]);
    expect(remembered.map(({ kind }) => kind)).toEqual(["result", "result"]);
    expect(published.map(({ type }) => type)).toEqual([
      "cell-started",
      "cell-ended",
      "step-ended",
      "cell-started",
      "cell-ended",
      "step-ended",
    ]);
  });

  test("whose output is beyond all bounds is published in part, and kept whole in a variable", async () => {
    const { loop, open, run, published, runtime } = setUp(scriptedModel([]));
    await loop.acted(run, "a", await loop.act(run, 'console.log("x".repeat(150_000))', open), open);
    const [ended] = published.filter(({ type }) => type === "cell-ended");
    expect(ended?.type === "cell-ended" ? ended.output.length : 0).toBeLessThan(100_100);
    expect(await runtime.retrieve("_output_1")).toHaveLength(150_000);
  });
});

describe("a run that was aborted", () => {
  test.each([
    ["a deadline", Object.assign(new TypeError("late"), { code: "DeadlineExceeded" }), "timeout", "DeadlineExceeded"],
    ["a time limit of the platform", new DOMException("late", "TimeoutError"), "timeout", "DeadlineExceeded"],
    ["a cancellation", Object.assign(new TypeError("stop"), { code: "Cancelled" }), "cancelled", "Cancelled"],
    ["something else", "because", "cancelled", "Cancelled"],
  ])("by %s ends with %4$s", (_name, reason, stopReason, code) => {
    const { loop, open, run, published } = setUp(scriptedModel([]));
    open.cancel(reason);
    expect(loop.prepare(run, open).outcome).toMatchObject({ stopReason, error: { code } });
    expect(loop.broke(run, new TypeError("torn down"), open).outcome).toMatchObject({ stopReason });
    expect(published).toEqual([]);
  });
});

test("the summary of a run says what happened, and is an internal-error without an outcome", () => {
  const { run } = setUp(scriptedModel([]));
  const ended = { ...run, steps: 2, cells: ["a"], outcome: { stopReason: "completed", content: "3", value: 3 } as const };
  expect(summary(ended, 1_500)).toEqual({
    runId: "run_1",
    content: "3",
    completed: true,
    stopReason: "completed",
    steps: 2,
    elapsedMs: 500,
    usage: { input: 0, output: 0, total: 0, estimated: false },
    cells: ["a"],
  });
  expect(summary(run, 1_000)).toMatchObject({ completed: false, stopReason: "internal-error" });
});
