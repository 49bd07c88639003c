import { answering } from "./testing/system-case.ts";
import { createSimulatedClock } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { openShelf, untyped } from "./testing/shelf-case.ts";

describe("a method", () => {
  test("is called with its input and answers with its result; what it changed is there for the next", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    expect(await shelf.add({ title: "Caves", pages: 180 })).toBe(1);
    expect(await shelf.add({ title: "Limestone", pages: 420 })).toBe(2);
    expect(await shelf.count()).toBe(2);
    expect(await shelf.who()).toBe("1");
  });

  test("is refused arguments that its schema refuses, by BadArgs with the path; nothing has happened then", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    await expect(untyped(shelf)["add"]?.({ title: 1, pages: 1.5 })).rejects.toMatchObject({
      code: "BadArgs",
      data: { method: "shelf.add", issues: [expect.stringMatching(/^title: /), expect.stringMatching(/^pages: /)] },
    });
    await expect(untyped(shelf)["add"]?.()).rejects.toMatchObject({ code: "BadArgs" });
    expect(await shelf.count()).toBe(0);
  });

  test("gets the defaults of its input, and loses none of what the schema does not name", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    expect(await shelf.fill({})).toBe("untitled");
    await untyped(shelf)["add"]?.({ title: "Caves", pages: 1, more: { kept: true } });
    expect(await shelf.state("books")).toEqual({ books: [{ title: "Caves", pages: 1, more: { kept: true } }] });
  });

  test("whose result breaks its schema is refused with the path, and leaves no change", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    await expect(shelf.wrong()).rejects.toMatchObject({
      code: "InvalidValue",
      data: { what: "the result of shelf.wrong", issues: [expect.stringMatching(/^pages: /)] },
    });
  });

  test("that there is not is refused, naming those there are", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    await expect(untyped(shelf)["sort"]?.()).rejects.toMatchObject({
      code: "NoSuchMethod",
      message: expect.stringContaining("add") as unknown,
    });
    for (const name of ["hasOwnProperty", "peek", "rollback"])
      await expect(untyped(shelf)[name]?.()).rejects.toMatchObject({ code: "NoSuchMethod" });
  });

  test("that throws lets the error arrive with class, properties and cause; what is no error arrives as AppError", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    const failed: unknown = await shelf.fail("error").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RangeError);
    expect(failed).toMatchObject({ message: "out of range", detail: 7, cause: { name: "TypeError", message: "inner" } });
    await expect(shelf.fail("text")).rejects.toMatchObject({ code: "AppError", message: "just text", cause: "just text" });
  });

  test("has time and chance of the system", async () => {
    await using scene = await openShelf({ clock: createSimulatedClock(86_400_000), random: { next: () => 0.25 } });
    const { shelf } = scene;
    expect(await shelf.draw()).toEqual([new Date(86_400_000), 0.25]);
  });
});

describe("a query", () => {
  test("is answered while a turn is open, from what was committed before it", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
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
        through: method({ kind: "query", input: z.any(), output: z.unknown() }, (_self, shelf) => untyped(shelf)["hold"]?.({ at: "a" })),
      }),
    });
    await using scene = await openShelf({ classes: [Asker], models: { default: own } });
    const { system, shelf, gate } = scene;
    const asker = system.agent(Asker, "1");
    const run = asker.run("wait");
    await answering(own);
    const through = asker.through(shelf);
    await gate("a").reached;
    await asker.stop();
    expect(await run).toMatchObject({ stopReason: "cancelled" });
    gate("a").open();
    expect(await through).toBe("a");
    expect(await shelf.read()).toEqual(["begin a", "end a"]);
  });

  test("cannot change fields", async () => {
    await using scene = await openShelf();
    const { shelf } = scene;
    await expect(shelf.change()).rejects.toMatchObject({
      code: "InvalidValue",
      message: expect.stringContaining("a query cannot change") as unknown,
    });
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
    await using scene = await openShelf();
    const { shelf } = scene;
    await expect(untyped(shelf)[verb]?.(...args)).rejects.toMatchObject({ code: "BadArgs" });
  });
});
