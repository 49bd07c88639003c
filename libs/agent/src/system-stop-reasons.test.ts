import { createSimulatedClock } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { defineAgent } from "./define-agent.ts";
import { createAgent, createSystem } from "./system.ts";
import { createGate, js, watch, answering } from "./testing/system-case.ts";

describe("a run stops with", () => {
  test("max-steps when its steps are used, with what the model said last", async () => {
    const model = scriptedModel(() => js("1"));
    await using agent = await createAgent({ model, limits: { steps: 2 } });
    expect(await agent.run("a")).toMatchObject({
      completed: false,
      stopReason: "max-steps",
      steps: 2,
      content: js("1"),
      cells: ["1", "1"],
    });
    expect(await agent.run("a", { budget: { steps: 1 } })).toMatchObject({ stopReason: "max-steps", steps: 1 });
    expect(model.requests[2]?.messages.map(({ content }) => content).join("\n")).toContain("ended before an answer (max-steps)");
  });

  test("timeout when its time is over while the model is silent", async () => {
    const clock = createSimulatedClock();
    const model = scriptedModel([{ text: "too late", stallAt: 0 }, "again"]);
    const Shelf = defineAgent({ name: "shelf", version: 1, limits: { ms: 5_000 } });
    await using system = await createSystem({ classes: [Shelf], models: { default: model }, clock });
    const run = system.agent(Shelf, "1").run("a");
    await answering(model);
    clock.advance(4_999);
    expect(model.open).toBe(1);
    clock.advance(1);
    expect(await run).toMatchObject({
      completed: false,
      stopReason: "timeout",
      steps: 1,
      error: { code: "DeadlineExceeded" },
      elapsedMs: 5_000,
    });
    expect(model.open).toBe(0);
    expect(await system.agent(Shelf, "1").run("b")).toMatchObject({ completed: true });
  });

  test("timeout, without a single model call, when it has no time at all", async () => {
    const model = scriptedModel(["never asked"]);
    await using agent = await createAgent({ model, limits: { ms: 0 } });
    expect(await agent.run("a")).toMatchObject({ stopReason: "timeout", steps: 0 });
    expect(model.requests).toHaveLength(0);
  });

  test("timeout as a result, also when the caller gave the time", async () => {
    const clock = createSimulatedClock();
    const model = scriptedModel([{ text: "too late", stallAt: 0 }]);
    const Shelf = defineAgent({ name: "shelf", version: 1 });
    await using system = await createSystem({ classes: [Shelf], models: { default: model }, clock });
    const run = system.agent(Shelf, "1").run("a", { budget: { ms: 50 } });
    await answering(model);
    clock.advance(50);
    expect(await run).toMatchObject({ stopReason: "timeout" });
  });

  test.each([
    ["total", { total: 40 }, 40],
    ["input", { input: 30 }, 40],
    ["output", { output: 10 }, 40],
  ])("budget-exhausted when its %s tokens are used, after the step that crossed the bound", async (_name, tokens, used) => {
    const model = scriptedModel(() => ({ text: js("1"), usage: { input: 15, output: 5 } }));
    await using agent = await createAgent({ model, limits: { tokens } });
    expect(await agent.run("a")).toMatchObject({ stopReason: "budget-exhausted", steps: 2, usage: { total: used, estimated: false } });
  });

  test("cancelled when the agent is told to stop, in a model call or in a cell that waits", async () => {
    const gate = createGate();
    const model = scriptedModel([{ text: "never", stallAt: 0 }, js("await hold();")]);
    await using agent = await createAgent({ model });
    await agent.inject("hold", () => gate.pass());
    const thinking = agent.run("a");
    await answering(model);
    await agent.stop();
    expect(await thinking).toMatchObject({ completed: false, stopReason: "cancelled", error: { code: "Cancelled" } });
    const acting = agent.run("b");
    await gate.reached;
    await agent.stop();
    expect(await acting).toMatchObject({ stopReason: "cancelled", cells: ["await hold();"] });
    gate.open();
  });

  test("cancelled, in the agent, when the caller's signal aborts; the caller is told at once", async () => {
    const model = scriptedModel([{ text: "never", stallAt: 0 }]);
    const Shelf = defineAgent({ name: "shelf", version: 1 });
    await using system = await createSystem({ classes: [Shelf], models: { default: model } });
    const events = await watch(system);
    const caller = new AbortController();
    const run = system.agent(Shelf, "1").run("a", { signal: caller.signal });
    await events.until(({ type }) => type === "step-started");
    caller.abort();
    await expect(run).rejects.toMatchObject({ code: "Cancelled" });
    expect(await events.until(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test.each([
    ["transient", "ModelFailed"],
    ["rate-limited", "ModelRateLimited"],
    ["billing", "ModelBilling"],
    ["unauthorized", "Unauthorized"],
    ["context-exceeded", "ModelContextExceeded"],
  ] as const)("model-error when the provider fails: %s", async (kind, code) => {
    const model = scriptedModel([{ text: "half of it", chunks: 4, failAt: { chunk: 1, failure: { kind, message: "why" } } }]);
    await using agent = await createAgent({ model });
    expect(await agent.run("a")).toMatchObject({
      completed: false,
      stopReason: "model-error",
      content: "half",
      error: { code, message: "why" },
    });
  });

  test("model-error when the reply was cut at the output limit: a fragment is no answer", async () => {
    await using agent = await createAgent({ model: scriptedModel([{ text: "The answer is", finish: "length" }]) });
    expect(await agent.run("a")).toMatchObject({ completed: false, stopReason: "model-error", content: "The answer is" });
  });

  test("internal-error when the model has a defect, and the agent lives on", async () => {
    const model = scriptedModel([
      () => {
        throw new TypeError("broken adapter");
      },
      "fine",
    ]);
    await using agent = await createAgent({ model });
    expect(await agent.run("a")).toMatchObject({
      completed: false,
      stopReason: "internal-error",
      error: { code: "AppError", message: "broken adapter" },
    });
    expect(await agent.run("b")).toMatchObject({ completed: true, content: "fine" });
  });
});
