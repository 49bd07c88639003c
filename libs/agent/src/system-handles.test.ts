import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import type { Handle } from "./handle-type.ts";
import { createSystem } from "./system.ts";
import { openLibrary, Shelf, Reader, Boss } from "./testing/library-case.ts";
import { js, watch } from "./testing/system-case.ts";
import { handle } from "./variable.ts";

describe("a handle in another agent's runtime", () => {
  test("is called from its cells: methods, inject, and a run of the other agent", async () => {
    await using scene = await openLibrary({
      boss: [
        js(
          'const n = await shelf.add("Limestone");\nawait reader.inject("shelf", shelf.only("retrieve"));\nconst answer = await reader.run("Which is the longest?");\nconst longest = await reader.retrieve("longest");\n[n, answer.content, longest]',
        ),
        "Done.",
      ],
      reader: [
        js('const books = await shelf.retrieve("books");\nconst longest = books.sort((a, b) => b.length - a.length)[0];'),
        "I know it.",
      ],
    });
    const { system, shelf, reader, boss, asked } = scene;
    await boss.inject("shelf", shelf);
    await boss.inject("reader", reader);
    const events = await watch(system);
    expect(await boss.run("Find the longest title")).toMatchObject({ completed: true, steps: 2 });
    expect(asked[1]?.messages.at(-1)?.content).toContain('"Limestone"]');
    expect(await boss.retrieve("longest")).toBe("Limestone");
    expect(await shelf.state("count")).toEqual({ count: 1 });
    const runs = events.events.filter(({ type }) => type === "run-started");
    expect(runs).toMatchObject([
      { agent: "default/boss/1" },
      { agent: "default/reader/1", parent: runs[0]?.type === "run-started" ? runs[0].runId : "" },
    ]);
    expect(
      events.events
        .filter(({ type, agent }) => type === "call-started" && agent !== "default/boss/1")
        .map((event) => (event.type === "call-started" ? [event.method, event.from, event.handles] : [])),
    ).toEqual([
      ["add", "default/boss/1", 0],
      ["inject", "default/boss/1", 1],
      ["run", "default/boss/1", 0],
      ["retrieve", "default/reader/1", 0],
      ["retrieve", "default/boss/1", 0],
    ]);
  });

  test("throws RunFailed in the cell when the other agent's run does not complete, while the host gets the failure as a result", async () => {
    await using scene = await openLibrary({
      boss: [js('await reader.run("Read", { budget: { steps: 1 } })'), "It failed."],
      reader: [js("1"), js("2"), js("3")],
    });
    const { reader, boss, asked } = scene;
    await boss.inject("reader", reader);
    await boss.run("Let it read");
    expect(asked.at(-1)?.messages.at(-1)?.content).toMatch(/RunFailedError: the run of default\/reader\/1 ended with max-steps/);
    expect(await reader.run("Read", { budget: { steps: 1 } })).toMatchObject({ completed: false, stopReason: "max-steps" });
  });

  test("is shown to the model with its methods, and attenuated with no more than it grants", async () => {
    await using scene = await openLibrary({ boss: ["seen", "seen"] });
    const { shelf, reader, boss, asked } = scene;
    await boss.inject("shelf", shelf);
    await boss.inject("part", shelf.only("add"), { description: "Only adds" });
    await boss.inject("reader", reader.only("greet") as never); // granted less than the variable says
    await boss.run("look");
    const prompt = asked[0]?.messages[0]?.content ?? "";
    expect(prompt).toMatch(/const shelf: \{ .*Adds a book\. .*add\(input: string\): Promise<number.*>; .*retrieve\(/);
    expect(prompt).toMatch(/const reader: \{ greet\(\): Promise<string>; only\(/);
    const part = prompt.split("\n").find((line) => /\bpart\b/.test(line)) ?? "";
    expect(part).toContain("add(input: string)");
    expect(part).not.toContain("retrieve");
    expect(prompt).toContain("Only adds");
  });

  test("acts for the agent that holds it, not for who gave it", async () => {
    await using scene = await openLibrary({ reader: [js('shelf2.retrieve("books").catch((error) => error.code)'), "Done."] });
    const { shelf, reader } = scene;
    await reader.inject("shelf2" as string, shelf);
    await reader.run("try");
    expect(await reader.retrieve("shelf2")).toBeDefined();
    const refused: unknown = await reader.direct("retrieve").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "Unauthorized", message: expect.stringContaining("default/reader/1") as unknown });
  });

  test("throws in the cell, by code and message, what the other agent's method throws", async () => {
    await using scene = await openLibrary({ boss: [js("await shelf.add(7)"), "Oh."] });
    const { shelf, boss, asked } = scene;
    await boss.inject("shelf", shelf);
    await boss.run("try");
    expect(asked[1]?.messages.at(-1)?.content).toMatch(/shelf\.add: .*string/);
  });

  test("comes back from retrieve, from a method and in a value as a handle that can be called", async () => {
    await using scene = await openLibrary();
    const { system, shelf, boss } = scene;
    await boss.inject("shelf", shelf);
    expect(await (await boss.retrieve("shelf")).add("A")).toBe(1);
    await boss.inject("held" as string, { deep: [shelf.only("add")] });
    const held = (await boss.retrieve("held")) as { readonly deep: readonly [Handle<typeof Shelf>] };
    expect(await held.deep[0].add("B")).toBe(2);
    expect(await shelf.lend({ to: system.agent(Reader, "2") })).toBe("hello");
    expect(await ((await shelf.back()) as Handle<typeof Shelf>).add("C")).toBe(1);
  });

  test("in a variable that the class declares is one of that class, and no more than declared", async () => {
    await using scene = await openLibrary({
      reader: [
        js(
          'const said = await shelf.add("x").catch((error) => error.code + ": " + error.message); let narrowed; try { shelf.only("add"); } catch (error) { narrowed = error.code; }',
        ),
        "Done.",
      ],
    });
    const { system, shelf, reader } = scene;
    await expect(reader.inject("shelf", 5 as never)).rejects.toMatchObject({ code: "InvalidValue", data: { what: "reader.shelf" } });
    await expect(reader.inject("shelf", system.agent(Boss, "1") as never)).rejects.toMatchObject({
      code: "InvalidValue",
      data: { what: "reader.shelf" },
    });
    await reader.inject("shelf", shelf);
    await reader.run("add one");
    expect(await reader.retrieve("said")).toMatch(/^Unauthorized: .*grants only retrieve/);
    expect(await reader.retrieve("narrowed")).toBe("Unauthorized");
    expect(await shelf.state("count")).toEqual({ count: 0 });
  });

  test("declared with less than it was given can still be narrowed and passed on by one who has the rights", async () => {
    const Chief = defineAgent({
      name: "chief",
      version: 1,
      role: "orchestrator",
      model: "boss",
      variables: { shelf: handle(Shelf, { only: ["add", "retrieve"] }) },
    });
    const boss = scriptedModel([js('await reader.inject("shelf", shelf.only("retrieve")); const n = await shelf.add("x");'), "Done."]);
    const readerModel = scriptedModel([js('const books = await shelf.retrieve("books");'), "Done."]);
    await using system = await createSystem({
      classes: [Shelf, Reader, Chief],
      models: { boss, reader: readerModel, shelf: scriptedModel([]) },
    });
    const [chief, reader] = [system.agent(Chief, "1"), system.agent(Reader, "1")];
    await chief.inject("shelf", system.agent(Shelf, "1"));
    await chief.inject("reader" as string, reader);
    await chief.run("pass it on");
    expect(await chief.retrieve("n")).toBe(1);
    await reader.run("read");
    expect(await reader.retrieve("books")).toEqual(["Caves", "x"]);
  });

  test("may not be put where the class wants data", async () => {
    await using scene = await openLibrary();
    const { system, shelf } = scene;
    await expect(shelf.inject("books", system.agent(Reader, "1") as never)).rejects.toMatchObject({ code: "InvalidValue" });
  });
});

describe("a chain of calls that comes back", () => {
  test("to an agent that waits for it fails at once, naming the path", async () => {
    await using scene = await openLibrary();
    const { boss } = scene;
    await expect(boss.circle()).rejects.toMatchObject({
      code: "Deadlock",
      data: { path: ["default/boss/1", "default/shelf/1", "default/boss/1"] },
    });
    expect(await boss.whoCalls()).toBe("boss here");
  });

  test("to itself from one of its own cells too", async () => {
    await using scene = await openLibrary({ boss: [js("await me.whoCalls()"), "Oh."] });
    const { boss, asked } = scene;
    await boss.inject("me" as string, boss);
    await boss.run("try");
    expect(asked[1]?.messages.at(-1)?.content).toMatch(/default\/boss\/1 → default\/boss\/1/);
  });

  test("by a tell is no deadlock: nobody waits for it", async () => {
    const said: string[] = [];
    const Ping = defineAgent({
      name: "ping",
      version: 1,
      methods: (method) => ({
        start: method({ output: z.void() }, async (self) => {
          await self.agent(Pong, "1").told();
          await self.agent(Ping, "1").toSelf();
          said.push("started");
        }),
        toSelf: method({ kind: "tell", output: z.void() }, () => {
          said.push("to itself");
        }),
        back: method({ output: z.void() }, () => {
          said.push("back");
        }),
      }),
    });
    const Pong = defineAgent({
      name: "pong",
      version: 1,
      methods: (method) => ({
        told: method({ kind: "tell", output: z.void() }, async (self): Promise<void> => {
          await (self.agent(Ping as never, "1") as unknown as { back(): Promise<void> }).back(); // Ping's type would depend on itself
        }),
      }),
    });
    await using system = await createSystem({ classes: [Ping, Pong], models: { default: scriptedModel([]) } });
    const events = await watch(system);
    await system.agent(Ping, "1").start();
    await events.until((event) => event.type === "call-ended" && event.method === "told");
    await events.until((event) => event.type === "call-ended" && event.method === "toSelf");
    expect([...said].sort()).toEqual(["back", "started", "to itself"]);
    expect(said[0]).toBe("started");
  });
});
