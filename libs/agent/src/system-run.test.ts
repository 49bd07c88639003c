import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { field } from "./field.ts";
import { createAgent, createSystem } from "./system.ts";
import { js, lastOf, systemOf } from "./testing/system-case.ts";
import { variable } from "./variable.ts";

describe("a run", () => {
  test("goes on after a cell that fails, which the model mends, and ends with its answer", async () => {
    const model = scriptedModel([
      js("const total = addUp([1, 2]);"),
      `Let me define it.\n${js("const addUp = (list) => list.reduce((a, b) => a + b, 0);\nconst total = addUp([1, 2]);\ntotal")}`,
      "The total is 3.",
    ]);
    await using agent = await createAgent({ model });
    const result = await agent.run("Add up 1 and 2");
    expect(result).toMatchObject({ content: "The total is 3.", completed: true, stopReason: "completed", steps: 3, value: undefined });
    expect(result.cells).toHaveLength(2);
    expect(result.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(result.usage.total).toBe(result.usage.input + result.usage.output);
    expect(lastOf(model, 1)).toMatch(/ReferenceError: addUp/);
    expect(lastOf(model, 2)).toMatch(/→ 3\nNew names: .*total: number/);
    model.assertAllUsed();
  });

  test("keeps names for the next run, whose model sees what was said", async () => {
    const model = scriptedModel([js("let count = 41;"), "Counted.", js("count += 1"), "Now 42."]);
    await using agent = await createAgent({ model });
    await agent.run("Count");
    expect(await agent.run("Once more")).toMatchObject({ content: "Now 42.", completed: true });
    expect(await agent.retrieve("count")).toBe(42);
    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "assistant", "user"]);
    expect(lastOf(model, 2)).toBe("Once more");
  });

  test("shows the model what was put in between, in the one system message", async () => {
    const model = scriptedModel(["one", "two"]);
    await using agent = await createAgent({
      model,
      description: "Holds things.",
      instructions: "Be brief.",
      variables: { rows: variable(z.array(z.number()), { default: [], description: "Input rows" }) },
    });
    await agent.run("a");
    await agent.inject("rows", [1, 2, 3]);
    await agent.inject("extra", "text", { description: "Something more" });
    await agent.run("b");
    expect(systemOf(model, 0)).not.toContain("extra");
    expect(systemOf(model, 1)).toMatch(/Holds things\.[\s\S]*Be brief\.[\s\S]*Input rows[\s\S]*rows[\s\S]*Something more[\s\S]*extra/);
    expect(model.requests[1]?.messages.filter(({ role }) => role === "system")).toHaveLength(1);
  });

  test("shows fields that are always shown as they are at each step, and no others", async () => {
    const model = scriptedModel(["seen"]);
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      fields: { open: field(z.number(), { default: 7, show: "always" }), hidden: field(z.string(), { default: "secret" }) },
      methods: (method) => ({
        work: method({ output: z.void() }, async (self) => {
          self.state.open = 8;
          await self.run("look");
        }),
      }),
    });
    await using system = await createSystem({ classes: [Shelf], models: { default: model } });
    await system.agent(Shelf, "1").work();
    expect(systemOf(model, 0)).toContain("open = 8");
    expect(systemOf(model, 0)).not.toContain("secret");
  });

  test("puts output that is too long into a variable and shows its beginning", async () => {
    const model = scriptedModel([
      js('for (let i = 0; i < 1000; i++) console.log("line " + i);'),
      js("_output_1.split('\\n').length"),
      "Done.",
    ]);
    await using agent = await createAgent({ model });
    await agent.run("Print");
    expect(lastOf(model, 1)).toMatch(/8889 characters of output are in `_output_1`/);
    expect(lastOf(model, 1).length).toBeLessThan(2_300);
    expect(lastOf(model, 2)).toContain("→ 1000");
  });

  test("is told when its reply cannot be used, and then when nothing better comes it is a model-error", async () => {
    const model = scriptedModel(["So:\n```js\nlet a = 1;", js("let a = 1;"), "Done.", "", ""]);
    await using agent = await createAgent({ model });
    expect(await agent.run("a")).toMatchObject({ completed: true, steps: 3, cells: ["let a = 1;"] });
    expect(lastOf(model, 1)).toMatch(/not closed/);
    expect(await agent.run("b")).toMatchObject({ completed: false, stopReason: "model-error", steps: 2 });
  });

  test("reads no further than the first block, and leaves the model then", async () => {
    const text = `${js("1")}\n${js("2")}\nThe answer is 2.`;
    const model = scriptedModel([{ text, chunks: 7 }, "Done."]);
    await using agent = await createAgent({ model });
    expect((await agent.run("a")).cells).toEqual(["1"]);
    expect(model.requests[1]?.messages.at(-2)?.content).toBe(`${js("1")}\n`);
    expect(model.open).toBe(0);
  });

  test("takes half surrogates in the task and in what cells print: the model gets U+FFFD, the runtime keeps them", async () => {
    const model = scriptedModel([js('const half = "\\ud83d"; console.log(half)'), "Done \udc00"]);
    await using agent = await createAgent({ model });
    expect(await agent.run("Print \ud83d please")).toMatchObject({ completed: true });
    for (const { messages } of model.requests) for (const { content } of messages) expect(() => encodeURIComponent(content)).not.toThrow();
    expect(model.requests[0]?.messages[1]?.content).toBe("Print \ufffd please");
    expect(await agent.retrieve("half")).toBe("\ud83d");
  });

  test("sees handles, functions and the task of a second run alike when the model is chosen by name", async () => {
    const [usual, other] = [scriptedModel(["usual"]), scriptedModel(["other"])];
    const Shelf = defineAgent({ name: "shelf", version: 1, model: "usual" });
    await using system = await createSystem({ classes: [Shelf], models: { usual, other } });
    const shelf = system.agent(Shelf, "1");
    expect((await shelf.run("a")).content).toBe("usual");
    expect((await shelf.run("a", { model: "other" })).content).toBe("other");
    await expect(shelf.run("a", { model: "none" })).rejects.toMatchObject({ code: "InvalidConfig" });
  });
});

describe("a run from a method", () => {
  test("one at a time: a second one meanwhile is refused, and the first goes on", async () => {
    const model = scriptedModel(["one"]);
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      methods: (method) => ({
        both: method({ output: z.array(z.string()) }, async (self) => {
          const settled = await Promise.allSettled([self.run("a"), self.run("b")]);
          return settled.map((each) =>
            each.status === "fulfilled" ? each.value.content : (each.reason as { readonly code: string }).code,
          ); // KarstError
        }),
      }),
    });
    await using system = await createSystem({ classes: [Shelf], models: { default: model } });
    expect(await system.agent(Shelf, "1").both()).toEqual(["one", "Interrupted"]);
  });

  test("that the method does not wait for is cancelled with its turn, and the next run is free", async () => {
    const model = scriptedModel((request) =>
      request.messages.at(-1)?.content.endsWith("b") === true ? "fine" : { text: "never", stallAt: 0 },
    );
    let left: Promise<unknown> = Promise.resolve();
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      methods: (method) => ({
        leave: method({ output: z.string() }, (self) => {
          left = self.run("left alone");
          return "gone";
        }),
      }),
    });
    await using system = await createSystem({ classes: [Shelf], models: { default: model } });
    const shelf = system.agent(Shelf, "1");
    expect(await shelf.leave()).toBe("gone");
    expect(await left).toMatchObject({ stopReason: "cancelled" });
    expect(await shelf.run("b")).toMatchObject({ content: "fine", completed: true });
  });

  test("cannot be made by a query, nor after the turn is over", async () => {
    let kept: { run(task: string): Promise<unknown>; ask(question: string): Promise<unknown> } | undefined;
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      methods: (method) => ({
        look: method({ kind: "query", output: z.void() }, async (self) => {
          await self.run("a");
        }),
        keep: method({ output: z.void() }, (self) => {
          kept = self;
        }),
      }),
    });
    await using system = await createSystem({ classes: [Shelf], models: { default: scriptedModel(() => "x") } });
    await expect(system.agent(Shelf, "1").look()).rejects.toMatchObject({ code: "InvalidDefinition" });
    await system.agent(Shelf, "1").keep();
    await expect(kept?.run("a")).rejects.toMatchObject({ code: "Interrupted" });
    await expect(kept?.ask("a")).rejects.toMatchObject({ code: "Interrupted" });
  });
});
