import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { createAgent, createSystem } from "./system.ts";
import { js, lastOf, systemOf } from "./testing/system-case.ts";

describe("a run that must return a value", () => {
  const result = z.object({ total: z.number(), unit: z.string().default("m") });

  test("ends with the value of a top-level return, without another model call, its defaults filled in", async () => {
    const model = scriptedModel([js("const total = 1 + 2;"), js("return { total };")]);
    await using agent = await createAgent({ model });
    const run = await agent.run("Add", { result });
    expect(run).toMatchObject({ completed: true, stopReason: "completed", steps: 2, value: { total: 3, unit: "m" } });
    expect(systemOf(model, 0)).toMatch(/`return` gives a value of type `\{ total: number;/);
    model.assertAllUsed();
  });

  test("does not end by a last expression or by a failing cell", async () => {
    const model = scriptedModel([js("({ total: 1 })"), js('throw new Error("no")'), js("return { total: 2 };")]);
    await using agent = await createAgent({ model });
    expect(await agent.run("Add", { result })).toMatchObject({ steps: 3, value: { total: 2 } });
  });

  test("whose class has the schema gets the refused value back with its issues, and goes on", async () => {
    const model = scriptedModel([js('return { total: "3" };'), js("return { total: 3 };")]);
    const Shelf = defineAgent({
      name: "shelf",
      version: 1,
      methods: (method) => ({
        add: method({ output: z.unknown() }, async (self) => (await self.run("Add", { result })).value),
      }),
    });
    await using system = await createSystem({ classes: [Shelf], models: { default: model } });
    expect(await system.agent(Shelf, "1").add()).toEqual({ total: 3, unit: "m" });
    expect(lastOf(model, 1)).toMatch(/The returned value is refused: total: /);
    model.assertAllUsed();
  });

  test("whose caller alone has the schema is not complete with a value that does not fit", async () => {
    const model = scriptedModel([js('return { total: "3" };')]);
    await using agent = await createAgent({ model });
    expect(await agent.run("Add", { result })).toMatchObject({
      completed: false,
      stopReason: "model-error",
      error: { code: "InvalidValue", message: expect.stringContaining("total") as unknown },
    });
  });

  test("without a schema a return ends the cell only", async () => {
    const model = scriptedModel([js("return 1;"), "Done."]);
    await using agent = await createAgent({ model });
    expect(await agent.run("a")).toMatchObject({ content: "Done.", value: undefined, steps: 2 });
  });
});
