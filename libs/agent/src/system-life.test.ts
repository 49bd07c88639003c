import { createRecordingLog } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { field } from "./field.ts";
import type { Handle } from "./handle-type.ts";
import { createAgent, createSystem } from "./system.ts";
import type { System, SystemOptions } from "./system.ts";
import { createGate, js, watch } from "./testing/system-case.ts";

let gate = createGate();
const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  fields: { count: field(z.int(), { default: 0 }) },
  methods: (method) => ({
    add: method({ output: z.int() }, (self) => (self.state.count += 1)),
    hold: method({ output: z.string() }, async () => {
      await gate.pass();
      return "held";
    }),
    obey: method({ output: z.void() }, async (self) => {
      await new Promise((_resolve, reject) => {
        self.signal.addEventListener("abort", () => {
          reject(self.signal.reason as Error);
        });
        void gate.pass();
      });
    }),
  }),
});

async function start(script: Parameters<typeof scriptedModel>[0] = [], change: Partial<SystemOptions> = {}) {
  gate = createGate();
  const model = scriptedModel(script);
  const system: System = await createSystem({ classes: [Shelf], models: { default: model }, ...change });
  const shelf: Handle<typeof Shelf> = system.agent(Shelf, "1");
  return { system, shelf, model };
}
const isPaused = (event: { readonly type: string }): boolean =>
  event.type === "state-entered" && "state" in event && event.state === "paused";

describe("pause", () => {
  test("holds a run after its step, and resume lets it go on where it was", async () => {
    const { system, shelf, model } = await start([js("await hold(); let n = 1;"), js("n + 1"), "It is 2."]);
    await using _system = system;
    await shelf.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = shelf.run("count");
    await gate.reached;
    await shelf.pause();
    gate.open();
    await events.until(isPaused);
    expect(model.requests).toHaveLength(1);
    expect(events.events.filter(({ type }) => type === "cell-ended")).toHaveLength(1);
    await shelf.resume();
    expect(await run).toMatchObject({ content: "It is 2.", steps: 3 });
    expect(events.events.filter(isPaused)).toHaveLength(1);
  });

  test("of an idle agent holds back turns, in order, but neither queries nor control", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await shelf.add();
    await shelf.pause();
    await shelf.pause();
    const waiting = [shelf.add(), shelf.add()];
    expect(await shelf.state("count")).toEqual({ count: 1 });
    await shelf.resume();
    expect(await Promise.all(waiting)).toEqual([2, 3]);
    await shelf.resume();
    expect(await shelf.add()).toBe(4);
  });

  test.each(["idle", "in a turn"])("of an agent that is %s is seen in its events, and its end too", async (when) => {
    const { system, shelf } = await start();
    await using _system = system;
    const events = await watch(system);
    const held = when === "idle" ? undefined : shelf.hold();
    if (held !== undefined) await gate.reached;
    await shelf.pause();
    gate.open();
    await held;
    await events.until(isPaused);
    await shelf.resume();
    await shelf.add();
    await events.until((event) => event.type === "call-ended" && event.method === "add");
    const states = events.events.flatMap((event) => (event.type === "state-entered" ? [event.state] : []));
    expect(states.slice(states.indexOf("paused"))).toEqual(["paused", "idle"]);
  });

  test("of an agent that nobody has called yet holds it from the start", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await shelf.pause();
    const waiting = shelf.add();
    expect(await shelf.state("count")).toEqual({ count: 0 });
    await shelf.resume();
    expect(await waiting).toBe(1);
  });
});

describe("stop", () => {
  test("cancels the open turn by its signal, and what waits; the next call is served", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const open = shelf.obey();
    await gate.reached;
    const waiting = [shelf.add(), shelf.add()];
    await shelf.stop();
    for (const call of [open, ...waiting]) await expect(call).rejects.toMatchObject({ code: "Cancelled" });
    expect(await shelf.add()).toBe(1);
  });

  test("ends a paused run", async () => {
    const { system, shelf } = await start([js("await hold();"), "never asked"]);
    await using _system = system;
    await shelf.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = shelf.run("count");
    await gate.reached;
    await shelf.pause();
    gate.open();
    await events.until(isPaused);
    await shelf.stop();
    expect(await run).toMatchObject({ stopReason: "cancelled", steps: 1 });
    expect(await shelf.add()).toBe(1);
  });

  test("of an agent that does nothing does nothing", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await shelf.stop();
    expect(await shelf.add()).toBe(1);
  });
});

describe("destroy", () => {
  test("ends the agent and forgets its fields and names; the address begins anew", async () => {
    const { system, shelf } = await start([js("let n = 1;"), "Done."]);
    await using _system = system;
    const events = await watch(system);
    await shelf.add();
    await shelf.run("make n");
    await shelf.destroy();
    expect(await events.until(({ type }) => type === "agent-stopped")).toMatchObject({ agent: "default/shelf/1" });
    expect(await shelf.state("count")).toEqual({ count: 0 });
    await expect(shelf.retrieve("n")).rejects.toMatchObject({ code: "NoSuchName" });
    expect(await system.create(Shelf, { id: "2" })).toBeDefined();
    await system.agent(Shelf, "2").destroy();
    expect(await (await system.create(Shelf, { id: "2", fields: { count: 5 } })).add()).toBe(6);
  });

  test("cancels the open turn and what waits", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const open = shelf.obey();
    await gate.reached;
    const waiting = shelf.add();
    await shelf.destroy();
    for (const call of [open, waiting]) await expect(call).rejects.toMatchObject({ code: "Closed" });
    expect(await shelf.add()).toBe(1);
  });
});

describe("closing a system", () => {
  test("lets open calls end first, then ends every agent and the events, and refuses all that comes after", async () => {
    const { system, shelf } = await start();
    const events = await watch(system);
    await system.agent(Shelf, "2").add();
    const open = shelf.hold();
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
    ).toEqual(["default/shelf/1", "default/shelf/2"]);
    await expect(shelf.add()).rejects.toMatchObject({ code: "Closed" });
    await expect(shelf.run("a")).rejects.toMatchObject({ code: "Closed" });
    expect(() => system.agent(Shelf, "3")).toThrow(expect.objectContaining({ code: "Closed" }) as Error);
    await expect(system.create(Shelf)).rejects.toMatchObject({ code: "Closed" });
    await expect(system.events()).rejects.toMatchObject({ code: "Closed" });
    await system.close();
  });

  test("takes no new call while it waits", async () => {
    const { system, shelf } = await start();
    const open = shelf.hold();
    await gate.reached;
    const closing = system.close();
    await expect(shelf.add()).rejects.toMatchObject({ code: "Closed" });
    gate.open();
    await open;
    await closing;
  });

  test("cancels what is still open when the grace is over, and says in the log that it waited", async () => {
    const log = createRecordingLog();
    const { system, shelf, model } = await start([{ text: "never", stallAt: 0 }], { log });
    const events = await watch(system);
    const run = shelf.run("a");
    run.catch(() => undefined);
    await vi.waitFor(
      () => {
        expect(model.open).toBe(1);
      },
      { interval: 1 },
    );
    await system.close({ graceMs: 0 });
    expect(model.open).toBe(0);
    expect(events.events.find(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
    await run.catch((error: unknown) => {
      expect(error).toMatchObject({ code: "Closed" });
    });
    expect(log.lines).toContainEqual(expect.objectContaining({ level: "info", message: "waiting for open calls" }));
  });

  test("does not wait for a run that is paused", async () => {
    const { system, shelf } = await start([js("await hold();"), "never asked"]);
    await shelf.inject("hold" as string, () => gate.pass());
    const events = await watch(system);
    const run = shelf.run("count");
    run.catch(() => undefined);
    await gate.reached;
    await shelf.pause();
    gate.open();
    await events.until(isPaused);
    await system.close({ graceMs: 0 });
    expect(events.events.find(({ type }) => type === "run-ended")).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test("ends what its cells left running: no timer goes on", async () => {
    const { system, shelf } = await start([js("let ticks = 0; setInterval(() => { tick(); }, 1); 1"), "Done."]);
    let ticks = 0;
    await shelf.inject("tick" as string, () => {
      ticks += 1;
    });
    await shelf.run("tick");
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
    const [one, other] = [await start([js("let n = 1;"), "Done."]), await start([])];
    await using _one = one.system;
    await using _other = other.system;
    const events = await watch(other.system);
    await one.shelf.add();
    await one.shelf.run("make n");
    expect(await other.shelf.state("count")).toEqual({ count: 0 });
    await expect(other.shelf.retrieve("n")).rejects.toMatchObject({ code: "NoSuchName" });
    await events.until(({ type }) => type === "call-failed");
    expect(events.events.some(({ type }) => type === "run-started")).toBe(false);
    await one.system.close();
    expect(await other.shelf.add()).toBe(1);
  });

  test("of one handle each: a handle of the one calls in the other, on its behalf", async () => {
    const [one, other] = [await start(), await start()];
    await using _one = one.system;
    await using _other = other.system;
    await one.shelf.inject("far" as string, other.shelf);
    const far = (await one.shelf.retrieve("far")) as Handle<typeof Shelf>;
    expect(await far.add()).toBe(1);
    expect(await one.shelf.state("count")).toEqual({ count: 1 });
    expect(await other.shelf.state("count")).toEqual({ count: 0 });
  });
});

describe("a system is refused at its start", () => {
  test("when a class names a model that is not in the table", async () => {
    const Own = defineAgent({ name: "own", version: 1, model: "big" });
    await expect(createSystem({ classes: [Own], models: { default: scriptedModel([]) } })).rejects.toMatchObject({
      code: "InvalidConfig",
      data: { place: "models.big" },
    });
    await expect(
      createSystem({ classes: [defineAgent({ name: "own", version: 1, model: "toString" })], models: {} }),
    ).rejects.toMatchObject({ code: "InvalidConfig" });
  });

  test("when two classes have one name; the same class twice is one", async () => {
    const Twin = defineAgent({ name: "shelf", version: 1 });
    await expect(createSystem({ classes: [Shelf, Twin], models: { default: scriptedModel([]) } })).rejects.toMatchObject({
      code: "InvalidConfig",
      data: { place: "classes.shelf" },
    });
    await using system = await createSystem({ classes: [Shelf, Shelf], models: { default: scriptedModel([]) } });
    expect(await system.agent(Shelf, "1").add()).toBe(1);
  });

  test("when its tenant has no name that could be one", async () => {
    await expect(createSystem({ classes: [Shelf], models: { default: scriptedModel([]) }, tenant: "a b" })).rejects.toMatchObject({
      code: "InvalidName",
    });
  });
});

test("an agent of a class that the system does not have is not found", async () => {
  const { system } = await start();
  await using _system = system;
  const Other = defineAgent({ name: "other", version: 1, methods: (method) => ({ go: method({ output: z.void() }, () => undefined) }) });
  await expect(system.agent(Other, "1").go()).rejects.toMatchObject({ code: expect.stringMatching(/NotFound|Unavailable/) as unknown });
});

test("events can be narrowed to a class, an agent or a type, and end with their signal", async () => {
  const { system, shelf } = await start();
  await using _system = system;
  const stop = new AbortController();
  const ended = await system.events({ class: "shelf", id: "1", type: "call-ended", signal: stop.signal });
  await system.agent(Shelf, "2").add();
  await shelf.add();
  expect((await ended.next()).value).toMatchObject({ agent: "default/shelf/1", type: "call-ended", method: "add" });
  stop.abort();
  expect((await ended.next()).done).toBe(true);
});

test("another tenant's addresses are this tenant's own", async () => {
  const { system, shelf } = await start([], { tenant: "acme" });
  await using _system = system;
  const events = await watch(system);
  await shelf.add();
  expect((await events.until(({ type }) => type === "call-ended")).agent).toBe("acme/shelf/1");
});
