import { createSimulatedClock, eventSchema } from "@karst/events";
import type { RunFact } from "@karst/events";
import { scriptedModel } from "@karst/model";
import type { ModelScript, ScriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import type { RunEvent } from "./run.ts";
import { createSystem } from "./system.ts";
import type { System } from "./system.ts";
import { answering, createGate, js, readAll, watch } from "./testing/system-case.ts";

const Shelf = defineAgent({ name: "shelf", version: 1 });
const SCRIPT = [
  { text: `Let me see.\n${js("const n = 1; console.log(n)")}`, chunks: 5, reasoning: "Hm" },
  { text: "It is 1.", chunks: 3 },
];

async function start(script: ModelScript): Promise<AsyncDisposable & { readonly system: System; readonly model: ScriptedModel }> {
  const model = scriptedModel(script);
  const system = await createSystem({ classes: [Shelf], models: { default: model }, clock: createSimulatedClock(1_000) });
  return { model, system, [Symbol.asyncDispose]: () => system.close() };
}
/** What does not name the one run: its ids, and what the machine's own clock measured in the cell. */
function plain(event: RunEvent | RunFact): unknown {
  const { runId: _runId, id: _id, seq: _seq, ...rest } = event;
  if (rest.type === "cell-ended") return { ...rest, ms: 0 };
  return rest.type === "run-ended" ? { ...rest, result: { ...rest.result, runId: "" } } : rest;
}
const isOfRun = (event: { readonly type: string }): boolean => event.type !== "state-entered";

describe("a stream", () => {
  test("gives the events of the run, and its result, that run() and the system's events give", async () => {
    const [one, other] = [await start(SCRIPT), await start(SCRIPT)];
    await using streaming = one.system;
    await using running = other.system;
    const events = await watch(running);
    const result = await running.agent(Shelf, "1").run("How many?");
    await events.until(({ type }) => type === "call-ended");
    const facts = events.events.filter((event): event is RunFact => "runId" in event && isOfRun(event));
    const streamed = await readAll(streaming.agent(Shelf, "1").stream("How many?"));
    expect(streamed.map(({ type }) => type)).toEqual(facts.map(({ type }) => type));
    expect(streamed.slice(0, -1).map(plain)).toEqual(facts.slice(0, -1).map(plain));
    const last = streamed.at(-1);
    expect(last?.type === "run-ended" ? { ...last.result, runId: "" } : last).toEqual({ ...result, runId: "" });
  });

  test("gives each event whole and numbered upwards, one run-ended, last, though nobody else watches", async () => {
    await using scene = await start(SCRIPT);
    const { system } = scene;
    const events = await readAll(system.agent(Shelf, "1").stream("How many?"));
    expect(events.filter(({ type }) => type === "run-ended")).toEqual([events.at(-1)]);
    for (const event of events) expect(eventSchema.safeParse(event).success, event.type).toBe(true);
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(events.flatMap((event) => (event.type === "model-delta" ? [event.text] : [])).join("")).toBe("Let me see.\nIt is 1.");
    expect(events.flatMap((event) => (event.type === "reasoning-delta" ? [event.text] : [])).join("")).toBe("Hm");
  });

  test("carries the run's value, which need not be JSON", async () => {
    await using scene = await start([js("return new Map([[1, new Date(5)]]);")]);
    const { system } = scene;
    const events = await readAll(system.agent(Shelf, "1").stream("Give", { result: z.map(z.number(), z.date()) }));
    expect(events.at(-1)).toMatchObject({ type: "run-ended", result: { completed: true, value: new Map([[1, new Date(5)]]) } });
  });

  test("gives a run that fails as a result, as run() does", async () => {
    await using scene = await start([{ text: "half", finish: "length" }]);
    const { system } = scene;
    const events = await readAll(system.agent(Shelf, "1").stream("How many?"));
    expect(events.at(-1)).toMatchObject({ type: "run-ended", result: { completed: false, stopReason: "model-error" } });
  });

  test("carries cell output of any length and script", async () => {
    await using scene = await start([js('console.log("漢".repeat(199_000))'), "Done."]);
    const { system } = scene;
    const events = await readAll(system.agent(Shelf, "1").stream("Print"));
    expect(events.at(-1)).toMatchObject({ result: { completed: true, content: "Done." } });
  });

  test("throws when the call itself is refused", async () => {
    await using scene = await start([]);
    const { system } = scene;
    await expect(readAll(system.agent(Shelf, "1").stream("a", { model: "none" }))).rejects.toMatchObject({ code: "InvalidConfig" });
  });
});

describe("leaving a stream early", () => {
  test("cancels the run", async () => {
    await using scene = await start([{ text: "Long answer", chunks: 1, stallAt: 3 }]);
    const { system, model } = scene;
    const events = await watch(system);
    for await (const event of system.agent(Shelf, "1").stream("a")) if (event.type === "model-delta") break;
    expect(await events.until(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(model.open).toBe(0);
  });

  test("does not when it is detached: the run goes on to its answer", async () => {
    const gate = createGate();
    await using scene = await start([js("await hold(); 1"), "Done."]);
    const { system } = scene;
    const shelf = system.agent(Shelf, "1");
    await shelf.inject("hold", () => gate.pass());
    const events = await watch(system);
    for await (const event of shelf.stream("a", { detach: true })) if (event.type === "cell-started") break;
    gate.open();
    expect(await events.until(({ type }) => type === "run-ended")).toMatchObject({ result: { completed: true, content: "Done." } });
  });

  test("by its signal ends the iteration with Cancelled, and the run too", async () => {
    await using scene = await start([{ text: "never", stallAt: 0 }]);
    const { system, model } = scene;
    const events = await watch(system);
    const caller = new AbortController();
    const reading = readAll(system.agent(Shelf, "1").stream("a", { signal: caller.signal, detach: true }));
    await answering(model);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ code: "Cancelled" });
    expect(await events.until(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
  });
});
