import { createRecordingLog } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test, vi } from "vitest";
import { createAgent } from "./system.ts";
import { openCounter } from "./testing/counter-case.ts";
import { answering, js, watch } from "./testing/system-case.ts";

const isPaused = (event: { readonly type: string }): boolean =>
  event.type === "state-entered" && "state" in event && event.state === "paused";

describe("closing a system", () => {
  test("lets open calls end first, then ends every agent and the events, and refuses all that comes after", async () => {
    const { system, counter, gate, Counter } = await openCounter();
    const events = await watch(system);
    await system.agent(Counter, "2").add();
    const open = counter.hold();
    await gate.reached;
    const closing = system.close();
    gate.open();
    expect(await open).toBe("held");
    await closing;
    await events.ended;
    expect(
      events.events
        .filter(({ type }) => type === "agent-stopped")
        .map(({ agent }) => agent)
        .sort(),
    ).toEqual(["default/counter/1", "default/counter/2"]);
    await expect(counter.add()).rejects.toMatchObject({ code: "Closed" });
    await expect(counter.run("a")).rejects.toMatchObject({ code: "Closed" });
    expect(() => system.agent(Counter, "3")).toThrow(expect.objectContaining({ code: "Closed" }) as Error);
    await expect(system.create(Counter)).rejects.toMatchObject({ code: "Closed" });
    await expect(system.events()).rejects.toMatchObject({ code: "Closed" });
    await system.close();
  });

  test("takes no new call while it waits", async () => {
    const { system, counter, gate } = await openCounter();
    const open = counter.hold();
    await gate.reached;
    const closing = system.close();
    await expect(counter.add()).rejects.toMatchObject({ code: "Closed" });
    gate.open();
    await open;
    await closing;
  });

  test("cancels what is still open when the grace is over, and says in the log that it waited", async () => {
    const log = createRecordingLog();
    const { system, counter, model } = await openCounter([{ text: "never", stallAt: 0 }], { log });
    const events = await watch(system);
    const run = counter.run("a");
    run.catch(() => undefined);
    await answering(model);
    await system.close({ graceMs: 0 });
    expect(model.open).toBe(0);
    expect(events.events.find(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
    await run.catch((error: unknown) => {
      expect(error).toMatchObject({ code: "Closed" });
    });
    expect(log.lines).toContainEqual(expect.objectContaining({ level: "info", message: "waiting for open calls" }));
  });

  test("does not wait for a run that is paused", async () => {
    const { system, counter, gate } = await openCounter([js("await hold();"), "never asked"]);
    await counter.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = counter.run("count");
    run.catch(() => undefined);
    await gate.reached;
    await counter.pause();
    gate.open();
    await events.until(isPaused);
    await system.close({ graceMs: 0 });
    expect(events.events.find(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test("ends what its cells left running: no timer goes on", async () => {
    const { system, counter } = await openCounter([js("let ticks = 0; setInterval(() => { tick(); }, 1); 1"), "Done."]);
    let ticks = 0;
    await counter.inject("tick" as string, () => {
      ticks += 1;
    });
    await counter.run("tick");
    await vi.waitFor(
      () => {
        expect(ticks).toBeGreaterThan(0);
      },
      { interval: 1 },
    );
    await system.close();
    const atClose = ticks;
    await new Promise((resolve) => setImmediate(resolve));
    expect(ticks).toBe(atClose);
  });

  test("of createAgent comes with disposing the agent", async () => {
    const agent = await createAgent({ model: scriptedModel(["hi"]) });
    expect((await agent.run("a")).content).toBe("hi");
    await agent[Symbol.asyncDispose]();
    await expect(agent.run("b")).rejects.toMatchObject({ code: "Closed" });
  });
});

describe("two systems", () => {
  test("share nothing: same classes and ids are other agents, with other events, names and grants", async () => {
    await using one = await openCounter([js("let n = 1;"), "Done."]);
    await using other = await openCounter();
    const events = await watch(other.system);
    await one.counter.add();
    await one.counter.run("make n");
    expect(await other.counter.state("count")).toEqual({ count: 0 });
    await expect(other.counter.retrieve("n")).rejects.toMatchObject({ code: "NoSuchName" });
    await events.until(({ type }) => type === "call-failed");
    expect(events.events.some(({ type }) => type === "run-started")).toBe(false);
    await one.system.close();
    expect(await other.counter.add()).toBe(1);
  });

  test("of one handle each: a handle of the one calls in the other, on its behalf", async () => {
    await using one = await openCounter();
    await using other = await openCounter();
    await one.counter.inject("far" as string, other.counter);
    const far = (await one.counter.retrieve("far")) as typeof one.counter;
    expect(await far.add()).toBe(1);
    expect(await one.counter.state("count")).toEqual({ count: 1 });
    expect(await other.counter.state("count")).toEqual({ count: 0 });
  });
});
