import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { createSystem } from "./system.ts";
import { openShelf } from "./testing/shelf-case.ts";
import { createGate, js } from "./testing/system-case.ts";

describe("ask", () => {
  test("is one model call that leaves no trace in the conversation, also beside a run", async () => {
    const own = scriptedModel([js("await hold();"), "Blue.", "Done."]);
    await using scene = await openShelf({ models: { default: own } });
    const { shelf } = scene;
    const held = createGate();
    await shelf.inject("hold", () => held.pass());
    const run = shelf.run("a");
    await held.reached;
    expect(await shelf.ask("Which colour?")).toBe("Blue.");
    held.open();
    expect(await run).toMatchObject({ content: "Done.", steps: 2 });
    expect(own.requests[2]?.messages.map(({ content }) => content).join()).not.toContain("colour");
  });

  test("gives a value of the schema asked for, its defaults filled in, from outside and from inside", async () => {
    const Answer = z.object({ n: z.number(), unit: z.string().default("m") });
    const own = scriptedModel(['{"n":1}', '{"n":"x"}', '{"n":2}']);
    const Asker = defineAgent({
      name: "asker",
      version: 1,
      methods: (method) => ({ go: method({ output: z.unknown() }, (self) => self.ask("n?", { result: Answer })) }),
    });
    await using system = await createSystem({ classes: [Asker], models: { default: own } });
    expect(await system.agent(Asker, "1").ask("n?", { result: Answer })).toEqual({ n: 1, unit: "m" });
    expect(await system.agent(Asker, "1").go()).toEqual({ n: 2, unit: "m" });
  });

  test("ends with the signal that a method gave it", async () => {
    const Asker = defineAgent({
      name: "asker",
      version: 1,
      methods: (method) => ({
        go: method({ output: z.string() }, (self) => self.ask("n?", { signal: AbortSignal.abort(new RangeError("enough")) })),
      }),
    });
    await using system = await createSystem({ classes: [Asker], models: { default: scriptedModel([{ text: "x", stallAt: 0 }]) } });
    await expect(system.agent(Asker, "1").go()).rejects.toMatchObject({ message: "enough" });
  });

  test("fails with RunFailed when the model fails", async () => {
    const failure = { kind: "billing", message: "no money" } as const;
    await using scene = await openShelf({ models: { default: scriptedModel([{ text: "", failAt: { chunk: 0, failure } }]) } });
    const { shelf } = scene;
    await expect(shelf.ask("a")).rejects.toMatchObject({ code: "RunFailed", message: expect.stringContaining("no money") as unknown });
  });
});
