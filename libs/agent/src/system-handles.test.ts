import { encode, isReferable, toRef } from "@karst/events";
import type { AgentRef } from "@karst/events";
import { scriptedModel } from "@karst/model";
import type { ModelRequest } from "@karst/model";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { field } from "./field.ts";
import type { Handle } from "./handle-type.ts";
import { createSystem } from "./system.ts";
import type { System } from "./system.ts";
import { js, watch } from "./testing/system-case.ts";
import { handle, variable } from "./variable.ts";

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  model: "shelf",
  fields: {
    count: field(z.int(), { default: 0, visibleTo: ["orchestrator"] }),
    forReaders: field(z.string(), { default: "hello readers", visibleTo: ["reader"] }),
    hidden: field(z.string(), { default: "secret" }),
  },
  variables: { books: variable(z.array(z.string()), { default: ["Caves"] }) },
  methods: (method) => ({
    add: method({ input: z.string(), output: z.int(), description: "Adds a book." }, async (self, title) => {
      await self.inject("books", [...(await self.retrieve("books")), title]);
      return (self.state.count += 1);
    }),
    forBoss: method({ output: z.string(), visibleTo: ["orchestrator"] }, () => "for the boss"),
    lend: method({ input: z.object({ to: z.any() }), output: z.string() }, async (_self, { to }): Promise<string> => {
      const reader = to as Handle<typeof Reader>; // the test gives one
      return reader.greet();
    }),
    back: method({ output: z.any() }, (self): unknown => self.agent(Shelf, "other").only("add")),
    callBoss: method({ output: z.string() }, (self): Promise<string> => self.agent(Boss, "1").whoCalls()),
  }),
});
const Reader = defineAgent({
  name: "reader",
  version: 1,
  model: "reader",
  variables: { shelf: handle(Shelf, { only: ["retrieve"] }) },
  methods: (method) => ({
    greet: method({ output: z.string() }, () => "hello"),
    direct: method({ input: z.string(), output: z.unknown() }, async (self, verb): Promise<unknown> => {
      const shelf = self.agent(Shelf, "1") as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>; // any verb
      return shelf[verb]?.("books", []);
    }),
    fields: method({ input: z.string(), output: z.unknown() }, (self, name): Promise<unknown> =>
      self.agent(Shelf, "1").state(name as "count"),
    ),
    viaQuery: method({ kind: "query", output: z.string() }, (self): Promise<string> => self.agent(Shelf, "1").forBoss()),
    forge: method({ input: z.any(), output: z.unknown() }, async (_self, given) =>
      (given as { retrieve(name: string): Promise<unknown> }).retrieve("books"),
    ),
    narrow: method({ input: z.object({ given: z.any(), names: z.array(z.string()) }), output: z.any() }, (_self, { given, names }) =>
      (given as { only(...names: string[]): unknown }).only(...names),
    ),
  }),
});
const Boss = defineAgent({
  name: "boss",
  version: 1,
  model: "boss",
  role: "orchestrator",
  variables: { shelf: handle(Shelf), reader: handle(Reader) },
  methods: (method) => ({
    whoCalls: method({ output: z.string() }, () => "boss here"),
    circle: method({ output: z.string() }, (self): Promise<string> => self.agent(Shelf, "1").callBoss()),
    fields: method({ input: z.string(), output: z.unknown() }, (self, name): Promise<unknown> =>
      self.agent(Shelf, "1").state(name as "count"),
    ),
  }),
});

interface Case {
  readonly system: System;
  readonly shelf: Handle<typeof Shelf>;
  readonly reader: Handle<typeof Reader>;
  readonly boss: Handle<typeof Boss>;
  readonly asked: readonly ModelRequest[];
}
async function start(scripts: { readonly boss?: readonly string[]; readonly reader?: readonly string[] } = {}): Promise<Case> {
  const models = { boss: scriptedModel(scripts.boss ?? []), reader: scriptedModel(scripts.reader ?? []), shelf: scriptedModel([]) };
  const system = await createSystem({ classes: [Shelf, Reader, Boss], models });
  const [shelf, reader, boss] = [system.agent(Shelf, "1"), system.agent(Reader, "1"), system.agent(Boss, "1")] as const;
  return { system, shelf, reader, boss, asked: models.boss.requests };
}
const refOf = (value: unknown): AgentRef => {
  if (!isReferable(value)) throw new TypeError("not a handle");
  return value[toRef]() as AgentRef; // handles only
};

describe("a handle in another agent's runtime", () => {
  test("is called from its cells: methods, inject, and a run of the other agent", async () => {
    const { system, shelf, reader, boss, asked } = await start({
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
    await using _system = system;
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

  test("is shown to the model with its methods, and attenuated with no more than it grants", async () => {
    const { system, shelf, reader, boss, asked } = await start({ boss: ["seen", "seen"] });
    await using _system = system;
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
    const { system, shelf, reader } = await start({ reader: [js('shelf2.retrieve("books").catch((error) => error.code)'), "Done."] });
    await using _system = system;
    await reader.inject("shelf2" as string, shelf);
    await reader.run("try");
    expect(await reader.retrieve("shelf2")).toBeDefined();
    const refused: unknown = await reader.direct("retrieve").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "Unauthorized", message: expect.stringContaining("default/reader/1") as unknown });
  });

  test("throws in the cell, by code and message, what the other agent's method throws", async () => {
    const { system, shelf, boss, asked } = await start({ boss: [js("await shelf.add(7)"), "Oh."] });
    await using _system = system;
    await boss.inject("shelf", shelf);
    await boss.run("try");
    expect(asked[1]?.messages.at(-1)?.content).toMatch(/shelf\.add: .*string/);
  });

  test("comes back from retrieve, from a method and in a value as a handle that can be called", async () => {
    const { system, shelf, boss } = await start();
    await using _system = system;
    await boss.inject("shelf", shelf);
    expect(await (await boss.retrieve("shelf")).add("A")).toBe(1);
    await boss.inject("held" as string, { deep: [shelf.only("add")] });
    const held = (await boss.retrieve("held")) as { readonly deep: readonly [Handle<typeof Shelf>] };
    expect(await held.deep[0].add("B")).toBe(2);
    expect(await shelf.lend({ to: system.agent(Reader, "2") })).toBe("hello");
    expect(await ((await shelf.back()) as Handle<typeof Shelf>).add("C")).toBe(1);
  });

  test("in a variable that the class declares is one of that class, and no more than declared", async () => {
    const { system, shelf, reader } = await start({
      reader: [
        js(
          'const said = await shelf.add("x").catch((error) => error.code + ": " + error.message); let narrowed; try { shelf.only("add"); } catch (error) { narrowed = error.code; }',
        ),
        "Done.",
      ],
    });
    await using _system = system;
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
    const { system, shelf } = await start();
    await using _system = system;
    await expect(shelf.inject("books", system.agent(Reader, "1") as never)).rejects.toMatchObject({ code: "InvalidValue" });
  });
});

describe("as an object a handle", () => {
  test("is no promise, has a name, crosses as its reference, and cannot be changed", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    expect(await Promise.resolve(shelf)).toBe(shelf);
    expect((shelf as unknown as { readonly then: unknown }).then).toBeUndefined();
    expect(inspect(shelf)).toBe("[agent default/shelf/1]");
    expect(JSON.stringify({ shelf })).toBe('{"shelf":"[agent default/shelf/1]"}');
    expect(Object.prototype.toString.call(shelf)).toBe("[object Handle]");
    expect(refOf(shelf)).toEqual({ ref: "agent", address: "default/shelf/1" });
    const references = { export: () => undefined };
    expect(encode([shelf], { references }).refs).toBe(1);
    expect(Reflect.set(shelf, "add", 1)).toBe(false);
    expect(shelf.add).toBe(shelf.add);
    expect(["run" in shelf, "add" in shelf, "add" in shelf.only("add"), "lend" in shelf.only("add")]).toEqual([true, false, true, false]);
    expect((shelf as unknown as { readonly constructor: unknown }).constructor).toBeUndefined();
    expect(Reflect.get(shelf, Symbol.iterator)).toBeUndefined();
    expect((Reflect.get(shelf, inspect.custom) as () => string)()).toBe("[agent default/shelf/1]");
  });
});

describe("only", () => {
  test("grants exactly the names given, whoever holds it", async () => {
    const { system, shelf, reader } = await start({
      reader: [
        js('const books = await shelf.retrieve("books"); const refused = await shelf.add("x").catch((error) => error.code);'),
        "Done.",
      ],
    });
    await using _system = system;
    await reader.inject("shelf", shelf.only("retrieve"));
    await reader.run("read");
    expect(await reader.retrieve("books")).toEqual(["Caves"]);
    expect(await reader.retrieve("refused")).toBe("Unauthorized");
    await expect((shelf.only("add") as unknown as Handle<typeof Shelf>).retrieve("books")).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("can be narrowed further by who holds it, and never widened", async () => {
    const { system, shelf, reader } = await start();
    await using _system = system;
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
    const { system, shelf, reader } = await start();
    await using _system = system;
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
    const { system, shelf, reader } = await start();
    await using _system = system;
    await expect(reader.forge(make(shelf))).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("cannot be narrowed into a real one", async () => {
    const { system, shelf, reader } = await start();
    await using _system = system;
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
      const { system, shelf, reader } = await start();
      await using _system = system;
      await expect(reader.direct(verb)).rejects.toMatchObject({ code: "Unauthorized" });
      expect(await shelf.state("count")).toEqual({ count: 0 });
    },
  );

  test("a worker may not create agents, not even from a cell that knows the verb's name", async () => {
    const { system, shelf, reader } = await start({
      reader: [js('const refused = await shelf["karst:create"]({}).catch((error) => error.code);'), "Done."],
    });
    await using _system = system;
    await reader.inject("shelf", shelf.only("retrieve"));
    await reader.run("try");
    expect(await reader.retrieve("refused")).toBe("Unauthorized");
    await expect(reader.direct("karst:create")).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("a method narrowed by visibleTo is refused, also from a query", async () => {
    const { system, reader, boss } = await start({ boss: [js("const said = await shelf.forBoss();"), "Done."] });
    await using _system = system;
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
    const { system, shelf, reader, boss } = await start();
    await using _system = system;
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
    const { system, reader } = await start();
    await using _system = system;
    const [hidden, missing] = await Promise.all(["hidden", "missing"].map((name) => reader.fields(name).catch((error: unknown) => error)));
    expect((hidden as Error).message.replace("hidden", "missing")).toBe((missing as Error).message);
  });
});

describe("a chain of calls that comes back", () => {
  test("to an agent that waits for it fails at once, naming the path", async () => {
    const { system, boss } = await start();
    await using _system = system;
    await expect(boss.circle()).rejects.toMatchObject({
      code: "Deadlock",
      data: { path: ["default/boss/1", "default/shelf/1", "default/boss/1"] },
    });
    expect(await boss.whoCalls()).toBe("boss here");
  });

  test("to itself from one of its own cells too", async () => {
    const { system, boss, asked } = await start({ boss: [js("await me.whoCalls()"), "Oh."] });
    await using _system = system;
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
