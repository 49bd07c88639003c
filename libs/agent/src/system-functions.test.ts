import { scriptedModel } from "@karst/model";
import type { ScriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { byReference } from "@karst/events";
import { defineAgent } from "./define-agent.ts";
import { fn } from "./function.ts";
import type { FnContext } from "./function.ts";
import type { Handle } from "./handle-type.ts";
import { type } from "./host-type.ts";
import { createAgent, createSystem } from "./system.ts";
import type { System } from "./system.ts";
import { createGate, js, watch } from "./testing/system-case.ts";
import { variable } from "./variable.ts";

class Light {
  level = 0;
  readonly log: string[] = [];
  dim(to: number): this {
    this.level = to;
    this.log.push(`to ${String(to)}`);
    return this;
  }
}

const contexts: FnContext[] = [];
let gate = createGate();
const Lamp = defineAgent({
  name: "lamp",
  version: 1,
  variables: { light: variable(z.instanceof(Light)), count: variable(z.int()), rows: variable(z.array(z.number()), { default: [1] }) },
  functions: {
    half: fn({ description: "Half of n.", input: { n: z.number() }, output: z.number(), effect: "pure" }, ({ n }, context) => {
      contexts.push(context);
      return n / 2;
    }),
    wrong: fn({ description: "Breaks its word.", input: {}, output: z.number(), effect: "pure" }, () => "text" as never),
    fails: fn({ description: "Fails.", input: {}, output: z.number(), effect: "once" }, () => {
      throw new RangeError("no lamp");
    }),
    wait: fn({ description: "Waits.", input: {}, output: z.void(), effect: "idempotent" }, async (_input, context) => {
      contexts.push(context);
      await gate.pass();
    }),
  },
  types: { Light: type(Light), Level: z.object({ level: z.number() }) },
  methods: (method) => ({
    hold: method({ input: z.any(), output: z.any() }, async (self, given) => {
      await self.inject("light", given as Light);
      return self.retrieve("light");
    }),
    leak: method({ kind: "tell", output: z.any() }, () => new Light()),
  }),
});

async function start(
  script: readonly string[],
): Promise<AsyncDisposable & { readonly system: System; readonly lamp: Handle<typeof Lamp>; readonly model: ScriptedModel }> {
  contexts.length = 0;
  gate = createGate();
  const model = scriptedModel(script);
  const system = await createSystem({ classes: [Lamp], models: { default: model } });
  return { system, model, lamp: system.agent(Lamp, "1"), [Symbol.asyncDispose]: () => system.close() };
}
const lastOf = (model: ScriptedModel, request: number): string => model.requests[request]?.messages.at(-1)?.content ?? "";

describe("a host function", () => {
  test("is called from a cell with checked input, and gives a checked result", async () => {
    await using scene = await start([
      js("await half({ n: 3 })"),
      js('await half({ n: "3" })'),
      js("await wrong()"),
      js("await fails()"),
      "Done.",
    ]);
    const { lamp, model } = scene;
    expect(await lamp.run("go")).toMatchObject({ completed: true });
    expect(model.requests[0]?.messages[0]?.content).toMatch(/Half of n\.[\s\S]*half/);
    expect(lastOf(model, 1)).toContain("→ 1.5");
    expect(lastOf(model, 2)).toMatch(/lamp\.half: n: /);
    expect(lastOf(model, 3)).toMatch(/the result of lamp\.wrong: /);
    expect(lastOf(model, 4)).toMatch(/RangeError: no lamp/);
    expect(contexts).toHaveLength(1);
  });

  test("is told who calls, how long there is, and a key of its own for each call", async () => {
    await using scene = await start([js("await half({ n: 1 }); await half({ n: 1 })"), "Done."]);
    const { lamp } = scene;
    await lamp.run("go", { budget: { ms: 60_000 } });
    expect(contexts.map(({ caller }) => caller)).toEqual(["default/lamp/1", "default/lamp/1"]);
    expect(new Set(contexts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    for (const { deadlineMs } of contexts) {
      expect(deadlineMs).toBeGreaterThan(0);
      expect(deadlineMs).toBeLessThanOrEqual(60_000);
    }
  });

  test("sees by its signal that its run was stopped", async () => {
    await using scene = await start([js("await wait()")]);
    const { lamp } = scene;
    const run = lamp.run("go");
    await gate.reached;
    expect(contexts[0]?.signal.aborted).toBe(false);
    await lamp.stop();
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(await run).toMatchObject({ stopReason: "cancelled" });
    gate.open();
  });

  test("cannot be called any more when the turn is over: what a cell left running is refused", async () => {
    await using scene = await start([
      js("const late = (async () => { await later(); return half({ n: 1 }); })(); late.catch(() => 0); 1"),
      "Done.",
      js('const outcome = await late.catch((error) => error.code + ": " + error.message);'),
      "Done.",
    ]);
    const { lamp, model } = scene;
    const later = createGate();
    await lamp.inject("later" as string, () => later.pass());
    await lamp.run("start it");
    later.open();
    expect((await lamp.run("look")).completed).toBe(true);
    expect(await lamp.retrieve("outcome")).toMatch(/^Interrupted: .*default\/lamp\/1/);
    model.assertAllUsed();
  });
});

describe("a live object of the embedding process", () => {
  test("is in the cell, and comes back, as the identical object: nothing is copied", async () => {
    await using scene = await start([js("light.dim(7); light.level"), "Done."]);
    const { lamp, model } = scene;
    const light = new Light();
    await lamp.inject("light", light);
    await lamp.run("dim it");
    expect(lastOf(model, 1)).toContain("→ 7");
    expect(light.log).toEqual(["to 7"]);
    expect(await lamp.retrieve("light")).toBe(light);
    expect(await lamp.hold(light)).toBe(light);
  });

  test("may be marked, deep inside a value, a plain object too", async () => {
    await using scene = await start([js("shared.progress.done += 1;"), "Done."]);
    const { lamp } = scene;
    const progress = { done: 0 };
    await lamp.inject("shared" as string, { progress: byReference(progress), copy: progress });
    await lamp.run("count");
    expect(progress.done).toBe(1);
  });

  test("may be a function or a stream of values in a variable", async () => {
    await using scene = await start([
      js("let sum = 0; for await (const n of numbers) sum += n; const said = await greet('you');"),
      "Done.",
    ]);
    const { lamp } = scene;
    async function* numbers(): AsyncGenerator<number> {
      await Promise.resolve();
      yield 1;
      yield 2;
    }
    await lamp.inject("numbers" as string, numbers());
    const greet = (name: string): string => `hello ${name}`;
    await lamp.inject("greet" as string, greet);
    await lamp.run("use them");
    expect(await lamp.retrieve("sum")).toBe(3);
    expect(await lamp.retrieve("said")).toBe("hello you");
    expect(await lamp.retrieve("greet")).toBe(greet);
  });

  test("made in a cell is retrieved as it is, and classes of the agent can be constructed there", async () => {
    await using scene = await start([js("const mine = new Light().dim(3); const twice = (n) => 2 * n;"), "Done."]);
    const { lamp } = scene;
    await lamp.run("make one");
    const mine = await lamp.retrieve("mine");
    expect(mine).toBeInstanceOf(Light);
    expect(mine).toMatchObject({ level: 3 });
    expect(((await lamp.retrieve("twice")) as (n: number) => number)(4)).toBe(8);
  });

  test("of which a told call's result consists is let go: nothing piles up", async () => {
    await using scene = await start([]);
    const { system, lamp } = scene;
    const events = await watch(system);
    await lamp.leak();
    expect(await events.until(({ type }) => type === "call-ended")).toMatchObject({ method: "leak", handles: 0 });
  });
});

describe("a variable", () => {
  test("that the class declares takes only what fits its schema, and gives only what fits", async () => {
    await using scene = await start([js('rows = "spoilt"'), "Done."]);
    const { lamp } = scene;
    await expect(lamp.inject("rows", [1, "2"] as never)).rejects.toMatchObject({
      code: "InvalidValue",
      message: expect.stringMatching(/rows\[1\]/) as unknown,
    });
    expect(await lamp.retrieve("rows")).toEqual([1]);
    await lamp.inject("rows", [2, 3]);
    expect(await lamp.retrieve("rows")).toEqual([2, 3]);
    await lamp.run("spoil it");
    await expect(lamp.retrieve("rows")).rejects.toMatchObject({ code: "InvalidValue", data: { what: "lamp.rows" } });
  });

  test("is a copy, of data: what either side does to it later does not show on the other", async () => {
    await using scene = await start([js("rows.push(9);"), "Done."]);
    const { lamp } = scene;
    const rows = [1, 2];
    await lamp.inject("rows", rows);
    rows.push(3);
    const seen = await lamp.retrieve("rows");
    expect(seen).toEqual([1, 2]);
    await lamp.run("push");
    expect(seen).toEqual([1, 2]);
    expect(rows).toEqual([1, 2, 3]);
    expect(await lamp.retrieve("rows")).toEqual([1, 2, 9]);
  });

  test("that nobody has made is refused, naming those there are", async () => {
    await using scene = await start([]);
    const { lamp } = scene;
    await expect(lamp.retrieve("rwos")).rejects.toMatchObject({ code: "NoSuchName", message: expect.stringContaining("rows") as unknown });
    await expect(lamp.inject("class" as string, 1)).rejects.toMatchObject({ code: "InvalidName" });
    await expect(lamp.inject("half" as string, 1)).rejects.toMatchObject({ code: "NameTaken" });
  });

  test("whose default breaks its own schema fails the first use, by name", async () => {
    const model = scriptedModel([]);
    const definition = { model, variables: { n: variable(z.number(), { default: () => "x" as never }) } };
    await using agent = await createAgent(definition);
    await expect(agent.retrieve("n")).rejects.toMatchObject({ code: "InvalidValue", message: expect.stringContaining("n: ") as unknown });
    expect(await agent.run("go")).toMatchObject({ completed: false, stopReason: "internal-error", error: { code: "InvalidValue" } });
  });
});
