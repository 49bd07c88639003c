import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { createSystem } from "./system.ts";
import { openCounter } from "./testing/counter-case.ts";
import { watch } from "./testing/system-case.ts";

const Counter = defineAgent({ name: "counter", version: 1, methods: (method) => ({ add: method({ output: z.int() }, () => 1) }) });

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
    const Twin = defineAgent({ name: "counter", version: 1 });
    await expect(createSystem({ classes: [Counter, Twin], models: { default: scriptedModel([]) } })).rejects.toMatchObject({
      code: "InvalidConfig",
      data: { place: "classes.counter" },
    });
    await using system = await createSystem({ classes: [Counter, Counter], models: { default: scriptedModel([]) } });
    expect(await system.agent(Counter, "1").add()).toBe(1);
  });

  test("when its tenant has no name that could be one", async () => {
    await expect(createSystem({ classes: [Counter], models: { default: scriptedModel([]) }, tenant: "a b" })).rejects.toMatchObject({
      code: "InvalidName",
    });
  });
});

test("an agent of a class that the system does not have is not found", async () => {
  await using scene = await openCounter();
  const { system } = scene;
  const Other = defineAgent({ name: "other", version: 1, methods: (method) => ({ go: method({ output: z.void() }, () => undefined) }) });
  await expect(system.agent(Other, "1").go()).rejects.toMatchObject({ code: expect.stringMatching(/NotFound|Unavailable/) as unknown });
});

test("events can be narrowed to a class, an agent or a type, and end with their signal", async () => {
  await using scene = await openCounter();
  const { system, counter, Counter } = scene;
  const stop = new AbortController();
  const ended = await system.events({ class: "counter", id: "1", type: "call-ended", signal: stop.signal });
  await system.agent(Counter, "2").add();
  await counter.add();
  expect((await ended.next()).value).toMatchObject({ agent: "default/counter/1", type: "call-ended", method: "add" });
  stop.abort();
  expect((await ended.next()).done).toBe(true);
});

test("another tenant's addresses are this tenant's own", async () => {
  await using scene = await openCounter([], { tenant: "acme" });
  const { system, counter } = scene;
  const events = await watch(system);
  await counter.add();
  expect((await events.until(({ type }) => type === "call-ended")).agent).toBe("acme/counter/1");
});
