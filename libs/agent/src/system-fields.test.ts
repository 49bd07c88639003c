import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { field } from "./field.ts";
import type { Handle } from "./handle-type.ts";
import { createSystem } from "./system.ts";
import type { System } from "./system.ts";
import { createGate, js, watch } from "./testing/system-case.ts";

let gate = createGate();
const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  roles: ["library"],
  fields: {
    count: field(z.int(), { default: 0, visibleTo: ["orchestrator", "reader"] }),
    notes: field(z.array(z.string()), { default: ["first"], retain: { last: 3 } }),
    owner: field(z.string().min(1)),
    open: field(z.object({ days: z.set(z.string()) }), { default: () => ({ days: new Set(["Monday"]) }), visibleTo: [] }),
  },
  methods: (method) => ({
    add: method({ input: z.int(), output: z.int() }, (self, by) => (self.state.count += by)),
    fail: method({ output: z.void() }, (self) => {
      self.state.count = 99;
      self.state.notes.push("lost");
      self.emit("counted", { count: 99 });
      throw new RangeError("after the change");
    }),
    spoil: method({ output: z.void() }, (self) => {
      self.state.count = 5;
      self.emit("counted", { count: 5 });
      self.state.count = 1.5;
    }),
    spoilDeep: method({ output: z.void() }, (self) => {
      (self.state.notes as unknown[]).push(7);
    }),
    live: method({ output: z.void() }, (self) => {
      (self.state as { open: unknown }).open = { days: new Set(), now: () => 1 };
    }),
    note: method({ input: z.array(z.string()), output: z.void() }, (self, notes) => {
      self.state.notes.push(...notes);
    }),
    read: method({ kind: "query", output: z.array(z.string()) }, (self) => self.state.notes),
    slow: method({ output: z.int() }, async (self) => {
      self.state.count += 1;
      await gate.pass();
      return self.state.count;
    }),
    say: method({ input: z.object({ name: z.string(), payload: z.unknown() }), output: z.void() }, (self, { name, payload }) => {
      self.emit(name, payload);
    }),
    sayFromQuery: method({ kind: "query", output: z.void() }, (self) => {
      self.emit("counted", { count: 1 });
    }),
    runAndCount: method({ output: z.int() }, async (self) => {
      self.state.count += 1;
      const { completed } = await self.run("go");
      return completed ? self.state.count : -1;
    }),
  }),
  emits: { counted: z.object({ count: z.int() }), anything: z.unknown() },
});

async function start(): Promise<AsyncDisposable & { readonly system: System; readonly shelf: Handle<typeof Shelf> }> {
  gate = createGate();
  const system = await createSystem({ classes: [Shelf], models: { default: scriptedModel([js("1"), "Done."]) } });
  return { system, shelf: system.agent(Shelf, "1"), [Symbol.asyncDispose]: () => system.close() };
}

describe("fields", () => {
  test("are committed when the turn ends, and not before", async () => {
    await using scene = await start();
    const { shelf } = scene;
    const slow = shelf.slow();
    await gate.reached;
    expect(await shelf.state("count")).toEqual({ count: 0 });
    gate.open();
    expect(await slow).toBe(1);
    expect(await shelf.state("count", "notes", "owner")).toEqual({ count: 1, notes: ["first"], owner: undefined });
  });

  test("stay as they were when the method throws", async () => {
    await using scene = await start();
    const { shelf } = scene;
    await shelf.add(3);
    await expect(shelf.fail()).rejects.toThrow("after the change");
    expect(await shelf.state("count", "notes")).toEqual({ count: 3, notes: ["first"] });
  });

  test.each(["spoil", "spoilDeep"] as const)(
    "stay as they were, and the call fails, when what the method left breaks a schema: %s",
    async (name) => {
      await using scene = await start();
      const { shelf } = scene;
      await expect(shelf[name]()).rejects.toMatchObject({
        code: "InvalidValue",
        message: expect.stringMatching(name === "spoil" ? /shelf\.count/ : /shelf\.notes: \[1\]/) as unknown,
      });
      expect(await shelf.state("count", "notes")).toEqual({ count: 0, notes: ["first"] });
      expect(await shelf.add(1)).toBe(1);
    },
  );

  test("cannot hold what is live: the call fails with the path", async () => {
    await using scene = await start();
    const { shelf } = scene;
    await expect(shelf.live()).rejects.toMatchObject({ code: "NotSerialisable", data: { path: "shelf.open.now" } });
  });

  test("keep only the items that they retain", async () => {
    await using scene = await start();
    const { shelf } = scene;
    await shelf.note(["a", "b"]);
    expect(await shelf.read()).toEqual(["first", "a", "b"]);
    await shelf.note(["c", "d"]);
    expect(await shelf.read()).toEqual(["b", "c", "d"]);
  });

  test("are the same draft before and after a run of the same turn", async () => {
    await using scene = await start();
    const { shelf } = scene;
    expect(await shelf.runAndCount()).toBe(1);
    expect(await shelf.state("count")).toEqual({ count: 1 });
  });

  test("of two agents are apart, defaults too", async () => {
    await using scene = await start();
    const { system, shelf } = scene;
    await shelf.note(["mine"]);
    expect(await system.agent(Shelf, "2").read()).toEqual(["first"]);
  });

  test("come back as equal values of any kind that crosses", async () => {
    await using scene = await start();
    const { shelf } = scene;
    expect(await shelf.state("open")).toEqual({ open: { days: new Set(["Monday"]) } });
  });

  test("that there are not are refused by name", async () => {
    await using scene = await start();
    const { shelf } = scene;
    for (const name of ["cuont", "toString", "constructor"])
      await expect(shelf.state(name as "count")).rejects.toMatchObject({ code: "InvalidValue", data: { what: `shelf.${name}` } });
  });
});

describe("create", () => {
  test("makes an agent with fields of its own, the others by default", async () => {
    await using scene = await start();
    const { system } = scene;
    const shelf = await system.create(Shelf, { id: "new", fields: { count: 7, open: { days: new Set(["Friday"]) } } });
    expect(await shelf.state("count", "notes", "open")).toEqual({ count: 7, notes: ["first"], open: { days: new Set(["Friday"]) } });
    expect(await system.agent(Shelf, "new").add(1)).toBe(8);
  });

  test("gives an id when there is none, another one each time", async () => {
    await using scene = await start();
    const { system } = scene;
    const [one, other] = [await system.create(Shelf, { fields: { count: 1 } }), await system.create(Shelf)];
    expect([await one.state("count"), await other.state("count")]).toEqual([{ count: 1 }, { count: 0 }]);
  });

  test("refuses an id in use, fields that break their schema, and fields that there are not; nothing is made then", async () => {
    await using scene = await start();
    const { system, shelf } = scene;
    await shelf.add(2);
    await expect(system.create(Shelf, { id: "1" })).rejects.toMatchObject({ code: "NameTaken" });
    expect(await shelf.state("count")).toEqual({ count: 2 });
    await expect(system.create(Shelf, { id: "x", fields: { count: 1.5 } })).rejects.toMatchObject({
      code: "InvalidValue",
      data: { what: "shelf.count" },
    });
    await expect(system.create(Shelf, { id: "x", fields: { cuont: 1 } as never })).rejects.toMatchObject({ code: "InvalidValue" });
    await expect(system.create(Shelf, { id: "x", fields: { owner: () => 1 } as never })).rejects.toMatchObject({
      code: expect.stringMatching(/NotSerialisable|InvalidValue/) as unknown,
    });
    expect(await (await system.create(Shelf, { id: "x" })).state("count")).toEqual({ count: 0 });
  });

  test.each(["", "a/b", "x".repeat(65), "a\nb"])("refuses the id %j", async (id) => {
    await using scene = await start();
    const { system } = scene;
    await expect(system.create(Shelf, { id })).rejects.toMatchObject({ code: "InvalidName" });
    expect(() => system.agent(Shelf, id)).toThrow(expect.objectContaining({ code: "InvalidName" }) as Error);
  });
});

describe("events of a class", () => {
  test("leave when the turn is committed, before the call's end, with the payload", async () => {
    await using scene = await start();
    const { system, shelf } = scene;
    const events = await watch(system);
    await shelf.say({ name: "counted", payload: { count: 3 } });
    await events.until(({ type }) => type === "call-ended");
    expect(events.events.slice(-2)).toMatchObject([
      { type: "event-emitted", name: "counted", payload: { count: 3 } },
      { type: "call-ended", method: "say" },
    ]);
  });

  test.each(["fail", "spoil"] as const)("do not leave when the turn fails: %s", async (name) => {
    await using scene = await start();
    const { system, shelf } = scene;
    const events = await watch(system);
    await shelf[name]().catch(() => undefined);
    await shelf.add(1);
    await events.until(({ type }) => type === "call-ended");
    expect(events.events.map(({ type }) => type)).toEqual(["agent-activated", "call-started", "call-failed", "call-started", "call-ended"]);
  });

  test("are refused when they are not declared or break their schema, and from a query", async () => {
    await using scene = await start();
    const { shelf } = scene;
    await expect(shelf.say({ name: "uncounted", payload: {} })).rejects.toMatchObject({
      code: "InvalidValue",
      message: expect.stringContaining("counted, anything") as unknown,
    });
    await expect(shelf.say({ name: "toString", payload: {} })).rejects.toMatchObject({ code: "InvalidValue" });
    await expect(shelf.say({ name: "counted", payload: { count: "3" } })).rejects.toMatchObject({
      code: "InvalidValue",
      message: expect.stringContaining("count: ") as unknown,
    });
    await expect(shelf.sayFromQuery()).rejects.toMatchObject({ code: "InvalidDefinition" });
  });

  test.each([
    ["a bigint", { n: 1n }, "n"],
    ["a Date", [new Date(0)], "[0]"],
    ["a Map", { a: { m: new Map([[1, 2]]) } }, "a.m"],
    ["NaN", { n: NaN }, "n"],
    ["undefined", undefined, ""],
    ["undefined in an array", [undefined], "[0]"],
  ])("are plain JSON: %s is refused with its path, not changed", async (_name, payload, path) => {
    await using scene = await start();
    const { shelf } = scene;
    const place = path === "" ? "" : `${path}: `;
    await expect(shelf.say({ name: "anything", payload })).rejects.toMatchObject({
      code: "InvalidValue",
      data: { what: "shelf.emits.anything", issues: [expect.stringContaining(place) as unknown] },
    });
  });

  test("may leave a property undefined: JSON leaves it out", async () => {
    await using scene = await start();
    const { system, shelf } = scene;
    const events = await watch(system);
    await shelf.say({ name: "anything", payload: { a: undefined, b: [null, "x", true, -1.5] } });
    expect(await events.until(({ type }) => type === "event-emitted")).toMatchObject({ payload: { b: [null, "x", true, -1.5] } });
  });
});
