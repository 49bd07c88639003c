import { describe, expect, test } from "vitest";
import { Mailbox } from "./mailbox.ts";
import type { Waiting } from "./mailbox.ts";

interface Call extends Waiting {
  readonly name: string;
  readonly refusals: unknown[];
  readonly call: { stopped: boolean };
}

function call(name: string, bytes = 1): Call {
  const refusals: unknown[] = [];
  return { name, bytes, call: { stopped: false }, refusals, start: () => undefined, refuse: (error) => refusals.push(error) };
}

const names = (mailbox: Mailbox): string[] => {
  const taken: string[] = [];
  for (let next = mailbox.take(); next !== undefined; next = mailbox.take()) taken.push((next as Call).name); // only calls are put
  return taken;
};

test("calls leave in the order they came (B2)", () => {
  const mailbox = new Mailbox("t/c/1");
  for (const name of ["a", "b", "c"]) mailbox.put(call(name));
  expect(mailbox.size).toBe(3);
  expect(names(mailbox)).toEqual(["a", "b", "c"]);
  expect(mailbox.size).toBe(0);
});

describe("the bound (B1)", () => {
  test("one call more than fit is refused with how many wait, and those stay", () => {
    const mailbox = new Mailbox("t/c/1", { calls: 2, bytes: 100 });
    mailbox.put(call("a"));
    mailbox.put(call("b"));
    expect(() => {
      mailbox.put(call("c"));
    }).toThrow(
      expect.objectContaining({
        code: "Overloaded",
        retryable: true,
        data: expect.objectContaining({ who: "t/c/1", waiting: 2, waitingBytes: 2 }) as unknown,
      }),
    );
    expect(names(mailbox)).toEqual(["a", "b"]);
  });

  test("bytes are bound too, to the last one, and are free again when a call leaves", () => {
    const mailbox = new Mailbox("t/c/1", { calls: 10, bytes: 10 });
    mailbox.put(call("a", 6));
    expect(() => {
      mailbox.put(call("b", 5));
    }).toThrow(expect.objectContaining({ code: "Overloaded" }));
    mailbox.put(call("c", 4));
    mailbox.take();
    mailbox.put(call("d", 6));
    expect(names(mailbox)).toEqual(["c", "d"]);
  });

  test("by default 256 calls fit", () => {
    const mailbox = new Mailbox("t/c/1");
    for (let count = 0; count < 256; count += 1) mailbox.put(call(String(count)));
    expect(() => {
      mailbox.put(call("more"));
    }).toThrow(expect.objectContaining({ code: "Overloaded" }));
  });
});

describe("a call whose caller has gone (B3)", () => {
  test("is refused when its turn comes, and the next one is taken", () => {
    const mailbox = new Mailbox("t/c/1");
    const [gone, next] = [call("gone"), call("next")];
    mailbox.put(gone);
    mailbox.put(next);
    gone.call.stopped = true;
    expect(mailbox.take()).toBe(next);
    expect(gone.refusals).toEqual([expect.objectContaining({ code: "Cancelled" })]);
  });

  test("gives up its room, in calls and bytes, when another one needs it", () => {
    const mailbox = new Mailbox("t/c/1", { calls: 3, bytes: 10 });
    const [a, gone, c] = [call("a", 2), call("gone", 6), call("c", 2)];
    for (const each of [a, gone, c]) mailbox.put(each);
    gone.call.stopped = true;
    mailbox.put(call("d", 6));
    expect(gone.refusals).toHaveLength(1);
    expect(names(mailbox)).toEqual(["a", "c", "d"]);
  });
});

test("clearing refuses all that wait, once, with the reason, and frees the room", () => {
  const mailbox = new Mailbox("t/c/1", { calls: 2, bytes: 4 });
  const waiting = [call("a", 2), call("b", 2)];
  for (const each of waiting) mailbox.put(each);
  const reason = new TypeError("over");
  mailbox.clear(reason);
  expect(waiting.map(({ refusals }) => refusals)).toEqual([[reason], [reason]]);
  expect(mailbox.take()).toBeUndefined();
  mailbox.put(call("c", 4));
  expect(names(mailbox)).toEqual(["c"]);
});
