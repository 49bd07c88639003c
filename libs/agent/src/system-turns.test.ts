import { createSimulatedClock } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { openShelf } from "./testing/shelf-case.ts";
import { watch } from "./testing/system-case.ts";

describe("turns", () => {
  test("are one at a time, in the order of the calls; queries and the rest go beside", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
    const calls = ["a", "b", "c"].map((at) => shelf.hold({ at }));
    await gate("a").reached;
    for (const at of ["c", "b", "a"]) gate(at).open();
    await Promise.all(calls);
    expect(await shelf.read()).toEqual(["begin a", "end a", "begin b", "end b", "begin c", "end c"]);
  });

  test("of two agents do not wait for each other", async () => {
    await using scene = await openShelf();
    const { system, shelf, gate, Shelf } = scene;
    const held = shelf.hold({ at: "a" });
    await gate("a").reached;
    expect(await system.agent(Shelf, "2").who()).toBe("2");
    gate("a").open();
    await held;
  });

  test("wait in a mailbox of 256; one more is Overloaded at once, may be made again, and the others are served in order", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
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
    await using scene = await openShelf();
    const { shelf, gate } = scene;
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
    await using scene = await openShelf({ clock });
    const { system, shelf, gate } = scene;
    const events = await watch(system);
    const late = shelf.obey({ deadlineMs: 100 });
    await gate("obeying").reached;
    clock.advance(100);
    await expect(late).rejects.toMatchObject({ code: "DeadlineExceeded" });
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "obey", code: "DeadlineExceeded" });
  });

  test("of a caller that cancels are told by their signal", async () => {
    await using scene = await openShelf();
    const { system, shelf, gate } = scene;
    const events = await watch(system);
    const caller = new AbortController();
    const call = shelf.obey({ signal: caller.signal });
    await gate("obeying").reached;
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: "Cancelled" });
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "obey", code: "Cancelled" });
  });
});

describe("tell", () => {
  test("returns when the call is accepted, before it is carried out", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
    await shelf.noteLate("later");
    await gate("note").reached;
    expect(await shelf.read()).toEqual([]);
    gate("note").open();
    expect(await shelf.who()).toBe("1");
    expect(await shelf.read()).toEqual(["later"]);
  });

  test("does not tell the caller how it failed; the events do", async () => {
    await using scene = await openShelf();
    const { system, shelf } = scene;
    const events = await watch(system);
    await shelf.failLate();
    expect(await events.until(({ type }) => type === "call-failed")).toMatchObject({ method: "failLate", message: "told and failed" });
  });

  test("is refused when the mailbox is full, as any call", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
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
    await using scene = await openShelf();
    const { shelf } = scene;
    const book = { title: "Caves", pages: 1 };
    const results = await Promise.all([shelf.add(book, { idempotencyKey: "k" }), shelf.add(book, { idempotencyKey: "k" })]);
    expect([...results, await shelf.add(book, { idempotencyKey: "k" })]).toEqual([1, 1, 1]);
    expect(await shelf.add(book, { idempotencyKey: "other" })).toBe(2);
    expect(await shelf.add(book)).toBe(3);
  });

  test("gives a run one result", async () => {
    const own = scriptedModel(["first", "second"]);
    await using scene = await openShelf({ models: { default: own } });
    const { shelf } = scene;
    const first = await shelf.run("a", { idempotencyKey: "k" });
    expect(await shelf.run("a", { idempotencyKey: "k" })).toEqual(first);
    expect(own.requests).toHaveLength(1);
  });

  test("that was refused for want of room may be sent again", async () => {
    await using scene = await openShelf();
    const { shelf, gate } = scene;
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
