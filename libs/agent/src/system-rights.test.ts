import { isReferable, toRef } from "@karst/events";
import type { AgentRef } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { defineAgent } from "./define-agent.ts";
import type { Handle } from "./handle-type.ts";
import { createSystem } from "./system.ts";
import { openLibrary, Shelf } from "./testing/library-case.ts";
import { js } from "./testing/system-case.ts";

const refOf = (value: unknown): AgentRef => {
  if (!isReferable(value)) throw new TypeError("not a handle");
  return value[toRef]() as AgentRef; // handles only
};

describe("only", () => {
  test("grants exactly the names given, whoever holds it", async () => {
    await using scene = await openLibrary({
      reader: [
        js('const books = await shelf.retrieve("books"); const refused = await shelf.add("x").catch((error) => error.code);'),
        "Done.",
      ],
    });
    const { shelf, reader } = scene;
    await reader.inject("shelf", shelf.only("retrieve"));
    await reader.run("read");
    expect(await reader.retrieve("books")).toEqual(["Caves"]);
    expect(await reader.retrieve("refused")).toBe("Unauthorized");
    await expect((shelf.only("add") as unknown as Handle<typeof Shelf>).retrieve("books")).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("can be narrowed further by who holds it, and never widened", async () => {
    await using scene = await openLibrary();
    const { shelf, reader } = scene;
    const both = shelf.only("retrieve", "add");
    const narrowed = (await reader.narrow({ given: both, names: ["retrieve"] })) as Handle<typeof Shelf>;
    expect(await narrowed.retrieve("books")).toEqual(["Caves"]);
    expect(refOf(narrowed).only).toEqual(["retrieve"]);
    await expect(reader.narrow({ given: shelf.only("retrieve"), names: ["add"] })).rejects.toMatchObject({ code: "Unauthorized" });
    await expect(reader.narrow({ given: shelf, names: ["retrieve"] })).rejects.toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("orchestrator") as unknown,
    });
    expect(await ((await reader.narrow({ given: shelf, names: ["add"] })) as Handle<typeof Shelf>).add("x")).toBe(1);
  });

  test("given by one without the right does not give it: the callee judges by the giver", async () => {
    await using scene = await openLibrary();
    const { shelf, reader } = scene;
    const given = (await reader.narrow({ given: shelf, names: ["forBoss"] })) as Handle<typeof Shelf>;
    await expect(given.forBoss()).rejects.toMatchObject({ code: "Unauthorized" });
    expect(await shelf.only("forBoss").forBoss()).toBe("for the boss");
  });

  test("grants a stream without granting run alone, and the other way round", async () => {
    const model = scriptedModel(["one", "two"]);
    const Lone = defineAgent({ name: "lone", version: 1 });
    await using system = await createSystem({ classes: [Lone], models: { default: model } });
    const lone = system.agent(Lone, "1");
    const types: string[] = [];
    for await (const { type } of lone.only("stream").stream("a")) types.push(type);
    expect(types.at(-1)).toBe("run-ended");
    await expect((lone.only("stream") as unknown as Handle<typeof Lone>).run("a")).rejects.toMatchObject({ code: "Unauthorized" });
    expect((await lone.only("run").run("a")).content).toBe("two");
    const refused = (async () => {
      for await (const { type } of (lone.only("run") as unknown as Handle<typeof Lone>).stream("a")) types.push(type);
    })();
    await expect(refused).rejects.toMatchObject({ code: "Unauthorized" });
  });
});

describe("a forged grant", () => {
  /** The handle with another reference: as if a cell had made one up. */
  const forged = (real: unknown, change: Partial<AgentRef>): object => ({ [toRef]: () => ({ ...refOf(real), ...change }) });

  test.each<[string, (shelf: Handle<typeof Shelf>) => object]>([
    ["more names", (shelf) => forged(shelf.only("add"), { only: ["add", "retrieve"] })],
    ["other names", (shelf) => forged(shelf.only("add"), { only: ["retrieve"] })],
    ["a proof made up", (shelf) => forged(shelf, { only: ["retrieve"], grant: "e30.AAAA" })],
    ["no proof", (shelf) => forged(shelf, { only: ["retrieve"] })],
    ["a proof for another agent", (shelf) => forged(shelf.only("retrieve"), { address: "default/shelf/2" as AgentRef["address"] })],
  ])("with %s is refused", async (_name, make) => {
    await using scene = await openLibrary();
    const { shelf, reader } = scene;
    await expect(reader.forge(make(shelf))).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("cannot be narrowed into a real one", async () => {
    await using scene = await openLibrary();
    const { shelf, reader } = scene;
    const made = forged(shelf, { only: ["retrieve"], grant: "e30.AAAA" });
    await expect(reader.narrow({ given: made, names: ["retrieve"] })).rejects.toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("does not hold") as unknown,
    });
  });
});

describe("without the right", () => {
  test.each(["run", "ask", "inject", "retrieve", "pause", "resume", "stop", "destroy"])(
    "a worker may not %s another agent",
    async (verb) => {
      await using scene = await openLibrary();
      const { shelf, reader } = scene;
      await expect(reader.direct(verb)).rejects.toMatchObject({ code: "Unauthorized" });
      expect(await shelf.state("count")).toEqual({ count: 0 });
    },
  );

  test("a worker may not create agents, not even from a cell that knows the verb's name", async () => {
    await using scene = await openLibrary({
      reader: [js('const refused = await shelf["karst:create"]({}).catch((error) => error.code);'), "Done."],
    });
    const { shelf, reader } = scene;
    await reader.inject("shelf", shelf.only("retrieve"));
    await reader.run("try");
    expect(await reader.retrieve("refused")).toBe("Unauthorized");
    await expect(reader.direct("karst:create")).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("a method narrowed by visibleTo is refused, also from a query", async () => {
    await using scene = await openLibrary({ boss: [js("const said = await shelf.forBoss();"), "Done."] });
    const { system, reader, boss } = scene;
    await expect(reader.direct("forBoss")).rejects.toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("visible to orchestrator") as unknown,
    });
    await expect(reader.viaQuery()).rejects.toMatchObject({ code: "Unauthorized" });
    await boss.inject("shelf", system.agent(Shelf, "1"));
    await boss.run("ask");
    expect(await boss.retrieve("said")).toBe("for the boss");
  });

  test("fields are seen by the roles that they name, and by the operator", async () => {
    await using scene = await openLibrary();
    const { shelf, reader, boss } = scene;
    expect(await reader.fields("forReaders")).toEqual({ forReaders: "hello readers" });
    expect(await boss.fields("count")).toEqual({ count: 0 });
    for (const [who, name] of [
      [reader, "count"],
      [reader, "hidden"],
      [boss, "hidden"],
      [boss, "forReaders"],
    ] as const)
      await expect(who.fields(name)).rejects.toMatchObject({ code: "InvalidValue", data: { what: `shelf.${name}` } });
    expect(await shelf.state("hidden", "forReaders")).toEqual({ hidden: "secret", forReaders: "hello readers" });
  });

  test("what is hidden is refused in the same words as what is not there", async () => {
    await using scene = await openLibrary();
    const { reader } = scene;
    const [hidden, missing] = await Promise.all(["hidden", "missing"].map((name) => reader.fields(name).catch((error: unknown) => error)));
    expect((hidden as Error).message.replace("hidden", "missing")).toBe((missing as Error).message);
  });
});
