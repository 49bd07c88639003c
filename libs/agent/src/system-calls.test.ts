import { createSimulatedClock } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { field } from "./field.ts";
import type { Handle } from "./handle-type.ts";
import { createSystem } from "./system.ts";
import type { System } from "./system.ts";
import { createGate, js, watch } from "./testing/system-case.ts";
import type { Gate } from "./testing/system-case.ts";

const model = scriptedModel(() => "Yes.");
const Book = z.object({ title: z.string(), pages: z.int() });

/** Where methods wait in these tests, by name. */
let gates = new Map<string, Gate>();
const gate = (name: string): Gate => {
  const known = gates.get(name) ?? createGate();
  gates.set(name, known);
  return known;
};

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  fields: { books: field(z.array(Book), { default: [] }), log: field(z.array(z.string()), { default: [] }) },
  methods: (method) => ({
    add: method({ input: Book, output: z.int() }, (self, book) => {
      self.state.books.push(book);
      return self.state.books.length;
    }),
    fill: method({ input: z.object({ title: z.string().default("untitled") }), output: z.string() }, (_self, { title }) => title),
    wrong: method({ output: z.object({ pages: z.int() }) }, () => ({ pages: "many" as never })),
    count: method({ kind: "query", output: z.int() }, (self) => self.state.books.length),
    change: method({ kind: "query", output: z.void() }, (self) => {
      self.state.books = [];
    }),
    hold: method({ input: z.object({ at: z.string() }), output: z.void() }, async (self, { at }) => {
      self.state.log.push(`begin ${at}`);
      await gate(at).pass();
      self.state.log.push(`end ${at}`);
    }),
    until: method({ output: z.unknown() }, async (self) => {
      await new Promise((_resolve, reject) => {
        self.signal.addEventListener("abort", () => {
          reject(self.signal.reason as Error);
        });
        gate("waiting").open();
        void gate("waiting").pass();
      });
    }),
    note: method({ kind: "tell", input: z.string(), output: z.void() }, (self, text) => {
      self.state.log.push(text);
    }),
    noteLate: method({ kind: "tell", input: z.string(), output: z.void() }, async (self, text) => {
      await gate("note").pass();
      self.state.log.push(text);
    }),
    failLate: method({ kind: "tell", output: z.void() }, () => {
      throw new TypeError("told and failed");
    }),
    fail: method({ input: z.string(), output: z.void() }, (_self, kind) => {
      if (kind === "text") throw "just text"; // eslint-disable-line @typescript-eslint/only-throw-error -- class code may
      throw Object.assign(new RangeError("out of range", { cause: new TypeError("inner") }), { detail: 7 });
    }),
    read: method({ kind: "query", output: z.array(z.string()) }, (self) => self.state.log),
    who: method({ output: z.string() }, (self) => self.id),
    draw: method({ output: z.tuple([z.date(), z.number()]) }, (self): [Date, number] => [self.now(), self.random()]),
  }),
});

async function start(
  change: Partial<Parameters<typeof createSystem>[0]> = {},
): Promise<{ readonly system: System; readonly shelf: Handle<typeof Shelf> }> {
  gates = new Map();
  const system = await createSystem({ classes: [Shelf], models: { default: model }, ...change });
  return { system, shelf: system.agent(Shelf, "1") };
}
const asAny = (handle: unknown): Record<string, (...args: unknown[]) => Promise<unknown>> => handle as never; // as one who writes JavaScript has it

describe("a method", () => {
  test("is called with its input and answers with its result; what it changed is there for the next", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    expect(await shelf.add({ title: "Caves", pages: 180 })).toBe(1);
    expect(await shelf.add({ title: "Limestone", pages: 420 })).toBe(2);
    expect(await shelf.count()).toBe(2);
    expect(await shelf.who()).toBe("1");
  });

  test("is refused arguments that its schema refuses, by BadArgs with the path; nothing has happened then", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await expect(asAny(shelf)["add"]?.({ title: 1, pages: 1.5 })).rejects.toMatchObject({
      code: "BadArgs",
      data: { method: "shelf.add", issues: [expect.stringMatching(/^title: /), expect.stringMatching(/^pages: /)] },
    });
    await expect(asAny(shelf)["add"]?.()).rejects.toMatchObject({ code: "BadArgs" });
    expect(await shelf.count()).toBe(0);
  });

  test("gets the defaults of its input, and loses none of what the schema does not name", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    expect(await shelf.fill({} as never)).toBe("untitled");
    await asAny(shelf)["add"]?.({ title: "Caves", pages: 1, more: { kept: true } });
    expect(await shelf.state("books")).toEqual({ books: [{ title: "Caves", pages: 1, more: { kept: true } }] });
  });

  test("whose result breaks its schema is refused with the path, and leaves no change", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await expect(shelf.wrong()).rejects.toMatchObject({
      code: "InvalidValue",
      data: { what: "the result of shelf.wrong", issues: [expect.stringMatching(/^pages: /)] },
    });
  });

  test("that there is not is refused, naming those there are", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await expect(asAny(shelf)["sort"]?.()).rejects.toMatchObject({
      code: "NoSuchMethod",
      message: expect.stringContaining("add") as unknown,
    });
    for (const name of ["toString", "hasOwnProperty", "valueOf", "peek", "rollback"])
      await expect(asAny(shelf)[name]?.()).rejects.toMatchObject({ code: "NoSuchMethod" });
  });

  test("that throws lets the error arrive with class, properties and cause; what is no error arrives as AppError", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const failed: unknown = await shelf.fail("error").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RangeError);
    expect(failed).toMatchObject({ message: "out of range", detail: 7, cause: { name: "TypeError", message: "inner" } });
    await expect(shelf.fail("text")).rejects.toMatchObject({ code: "AppError", message: "just text", cause: "just text" });
  });

  test("has time and chance of the system", async () => {
    const { system, shelf } = await start({ clock: createSimulatedClock(86_400_000), random: { next: () => 0.25 } });
    await using _system = system;
    expect(await shelf.draw()).toEqual([new Date(86_400_000), 0.25]);
  });
});

describe("a query", () => {
  test("is answered while a turn is open, from what was committed before it", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    expect(await shelf.read()).toEqual([]);
    expect(await shelf.state("log")).toEqual({ log: [] });
    expect(await shelf.ask("Are you there?")).toBe("Yes.");
    gate("a").open();
    await held;
    expect(await shelf.read()).toEqual(["begin a", "end a"]);
  });

  test("beside a run lives as long as its own caller wants, not as the run", async () => {
    const own = scriptedModel([{ text: "never", stallAt: 0 }]);
    const Asker = defineAgent({
      name: "asker",
      version: 1,
      methods: (method) => ({
        through: method({ kind: "query", output: z.void() }, (self) => self.agent(Shelf, "1").hold({ at: "a" })),
      }),
    });
    const { system, shelf } = await start({ classes: [Shelf, Asker], models: { default: own } });
    await using _system = system;
    const asker = system.agent(Asker, "1");
    const run = asker.run("wait");
    await vi.waitFor(
      () => {
        expect(own.open).toBe(1);
      },
      { interval: 1 },
    );
    const through = asker.through();
    await gate("a").reached;
    await asker.stop();
    expect(await run).toMatchObject({ stopReason: "cancelled" });
    gate("a").open();
    expect(await through).toBeUndefined();
    expect(await shelf.read()).toEqual(["begin a", "end a"]);
  });

  test("cannot change fields", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    await expect(shelf.change()).rejects.toMatchObject({
      code: "InvalidValue",
      message: expect.stringContaining("a query cannot change") as unknown,
    });
  });
});

describe("turns", () => {
  test("are one at a time, in the order of the calls; queries and the rest go beside", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const calls = ["a", "b", "c"].map((at) => shelf.hold({ at }));
    await gate("a").reached;
    for (const at of ["c", "b", "a"]) gate(at).open();
    await Promise.all(calls);
    expect(await shelf.read()).toEqual(["begin a", "end a", "begin b", "end b", "begin c", "end c"]);
  });

  test("of two agents do not wait for each other", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    expect(await system.agent(Shelf, "2").who()).toBe("2");
    gate("a").open();
    await held;
  });

  test("wait in a mailbox of 256; one more is Overloaded at once, may be made again, and the others are served in order", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    const waiting = Array.from({ length: 256 }, (_, index) => shelf.note(String(index)));
    const more = shelf.add({ title: "x", pages: 1 });
    await expect(more).rejects.toMatchObject({
      code: "Overloaded",
      retryable: true,
      data: { waiting: 256, retryAfterMs: expect.any(Number) as unknown },
    });
    await Promise.all(waiting);
    gate("a").open();
    await held;
    expect(await shelf.add({ title: "x", pages: 1 })).toBe(1);
    expect(await shelf.read()).toEqual(["begin a", "end a", ...Array.from({ length: 256 }, (_, index) => String(index))]);
  });

  test("that wait are never begun when their caller has gone", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    const caller = new AbortController();
    const waiting = shelf.hold({ at: "b" }, { signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "Cancelled" });
    gate("a").open();
    await held;
    expect(await shelf.who()).toBe("1");
    expect(await shelf.read()).toEqual(["begin a", "end a"]);
  });

  test("past their deadline fail for the caller, and their signal says so to the method", async () => {
    const clock = createSimulatedClock();
    const { system, shelf } = await start({ clock });
    await using _system = system;
    const events = await watch(system);
    const late = shelf.until({ deadlineMs: 100 });
    await gate("waiting").reached;
    clock.advance(100);
    await expect(late).rejects.toMatchObject({ code: "DeadlineExceeded" });
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "until", code: "DeadlineExceeded" });
  });

  test("of a caller that cancels are told by their signal", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const events = await watch(system);
    const caller = new AbortController();
    const call = shelf.until({ signal: caller.signal });
    await gate("waiting").reached;
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: "Cancelled" });
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "until", code: "Cancelled" });
  });
});

describe("tell", () => {
  test("returns when the call is accepted, before it is carried out", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    expect(await shelf.noteLate("later")).toBeUndefined();
    await gate("note").reached;
    expect(await shelf.read()).toEqual([]);
    gate("note").open();
    expect(await shelf.who()).toBe("1");
    expect(await shelf.read()).toEqual(["later"]);
  });

  test("does not tell the caller how it failed; the events do", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const events = await watch(system);
    expect(await shelf.failLate()).toBeUndefined();
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "failLate", message: "told and failed" });
  });

  test("is refused when the mailbox is full, as any call", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    await Promise.all(Array.from({ length: 256 }, () => shelf.note("x")));
    await expect(shelf.note("one more")).rejects.toMatchObject({ code: "Overloaded" });
    gate("a").open();
    await held;
  });
});

describe("the same idempotency key", () => {
  test("runs once: sent again, it gets the first result, also while that is still open", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const book = { title: "Caves", pages: 1 };
    const results = await Promise.all([shelf.add(book, { idempotencyKey: "k" }), shelf.add(book, { idempotencyKey: "k" })]);
    expect([...results, await shelf.add(book, { idempotencyKey: "k" })]).toEqual([1, 1, 1]);
    expect(await shelf.add(book, { idempotencyKey: "other" })).toBe(2);
    expect(await shelf.add(book)).toBe(3);
  });

  test("gives a run one result", async () => {
    const own = scriptedModel(["first", "second"]);
    const { system, shelf } = await start({ models: { default: own } });
    await using _system = system;
    const first = await shelf.run("a", { idempotencyKey: "k" });
    expect(await shelf.run("a", { idempotencyKey: "k" })).toEqual(first);
    expect(own.requests).toHaveLength(1);
  });

  test("that was refused for want of room may be sent again", async () => {
    const { system, shelf } = await start();
    await using _system = system;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    await Promise.all(Array.from({ length: 256 }, () => shelf.note("x")));
    const book = { title: "Caves", pages: 1 };
    await expect(shelf.add(book, { idempotencyKey: "k" })).rejects.toMatchObject({ code: "Overloaded" });
    gate("a").open();
    await held;
    expect(await shelf.add(book, { idempotencyKey: "k" })).toBe(1);
  });
});

describe("ask", () => {
  test("is one model call that leaves no trace in the conversation, also beside a run", async () => {
    const own = scriptedModel([js("await hold();"), "Blue.", "Done."]);
    const { system, shelf } = await start({ models: { default: own } });
    await using _system = system;
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
    const { system, shelf } = await start({ models: { default: scriptedModel([{ text: "", failAt: { chunk: 0, failure } }]) } });
    await using _system = system;
    await expect(shelf.ask("a")).rejects.toMatchObject({ code: "RunFailed", message: expect.stringContaining("no money") as unknown });
  });
});

describe("what is not of the right kind is refused", () => {
  test.each([
    ["run", [1]],
    ["ask", [undefined]],
    ["inject", [1, 2]],
    ["retrieve", [{}]],
    ["state", [1]],
  ])("%s(%j)", async (verb, args) => {
    const { system, shelf } = await start();
    await using _system = system;
    await expect(asAny(shelf)[verb]?.(...args)).rejects.toMatchObject({ code: "BadArgs" });
  });
});
