import { describe, expect, test } from "vitest";
import { openCounter } from "./testing/counter-case.ts";
import { js, watch } from "./testing/system-case.ts";

const isPaused = (event: { readonly type: string }): boolean =>
  event.type === "state-entered" && "state" in event && event.state === "paused";

describe("pause", () => {
  test("holds a run after its step, and resume lets it go on where it was", async () => {
    await using scene = await openCounter([js("await hold(); let n = 1;"), js("n + 1"), "It is 2."]);
    const { system, counter, model, gate } = scene;
    await counter.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = counter.run("count");
    await gate.reached;
    await counter.pause();
    gate.open();
    await events.until(isPaused);
    expect(model.requests).toHaveLength(1);
    expect(events.events.filter(({ type }) => type === "cell-ended")).toHaveLength(1);
    await counter.resume();
    expect(await run).toMatchObject({ content: "It is 2.", steps: 3 });
    expect(events.events.filter(isPaused)).toHaveLength(1);
  });

  test("of an idle agent holds back turns, in order, but neither queries nor control", async () => {
    await using scene = await openCounter();
    const { counter } = scene;
    await counter.add();
    await counter.pause();
    await counter.pause();
    const waiting = [counter.add(), counter.add()];
    expect(await counter.state("count")).toEqual({ count: 1 });
    await counter.resume();
    expect(await Promise.all(waiting)).toEqual([2, 3]);
    await counter.resume();
    expect(await counter.add()).toBe(4);
  });

  test.each(["idle", "in a turn"])("of an agent that is %s is seen in its events, and its end too", async (when) => {
    await using scene = await openCounter();
    const { system, counter, gate } = scene;
    const events = await watch(system);
    const held = when === "idle" ? undefined : counter.hold();
    if (held !== undefined) await gate.reached;
    await counter.pause();
    gate.open();
    await held;
    await events.until(isPaused);
    await counter.resume();
    await counter.add();
    await events.until((event) => event.type === "call-ended" && event.method === "add");
    const states = events.events.flatMap((event) => (event.type === "state-entered" ? [event.state] : []));
    expect(states.slice(states.indexOf("paused"))).toEqual(["paused", "idle"]);
  });

  test("of an agent that nobody has called yet holds it from the start", async () => {
    await using scene = await openCounter();
    const { counter } = scene;
    await counter.pause();
    const waiting = counter.add();
    expect(await counter.state("count")).toEqual({ count: 0 });
    await counter.resume();
    expect(await waiting).toBe(1);
  });
});

describe("stop", () => {
  test("cancels the open turn by its signal, and what waits; the next call is served", async () => {
    await using scene = await openCounter();
    const { counter, gate } = scene;
    const open = counter.obey();
    await gate.reached;
    const waiting = [counter.add(), counter.add()];
    await counter.stop();
    for (const call of [open, ...waiting]) await expect(call).rejects.toMatchObject({ code: "Cancelled" });
    expect(await counter.add()).toBe(1);
  });

  test("ends a paused run", async () => {
    await using scene = await openCounter([js("await hold();"), "never asked"]);
    const { system, counter, gate } = scene;
    await counter.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = counter.run("count");
    await gate.reached;
    await counter.pause();
    gate.open();
    await events.until(isPaused);
    await counter.stop();
    expect(await run).toMatchObject({ stopReason: "cancelled", steps: 1 });
    expect(await counter.add()).toBe(1);
  });

  test("of an agent that does nothing does nothing", async () => {
    await using scene = await openCounter();
    const { counter } = scene;
    await counter.stop();
    expect(await counter.add()).toBe(1);
  });
});

describe("destroy", () => {
  test("ends the agent and forgets its fields and names; the address begins anew", async () => {
    await using scene = await openCounter([js("let n = 1;"), "Done."]);
    const { system, counter, Counter } = scene;
    const events = await watch(system);
    await counter.add();
    await counter.run("make n");
    await counter.destroy();
    expect(await events.until(({ type }) => type === "agent-stopped")).toMatchObject({ agent: "default/counter/1" });
    expect(await counter.state("count")).toEqual({ count: 0 });
    await expect(counter.retrieve("n")).rejects.toMatchObject({ code: "NoSuchName" });
    expect(await system.create(Counter, { id: "2" })).toBeDefined();
    await system.agent(Counter, "2").destroy();
    expect(await (await system.create(Counter, { id: "2", fields: { count: 5 } })).add()).toBe(6);
  });

  test("cancels the open turn and what waits", async () => {
    await using scene = await openCounter();
    const { counter, gate } = scene;
    const open = counter.obey();
    await gate.reached;
    const waiting = counter.add();
    await counter.destroy();
    for (const call of [open, waiting]) await expect(call).rejects.toMatchObject({ code: "Closed" });
    expect(await counter.add()).toBe(1);
  });
});
