import { callId, createSimulatedClock, formatAddress } from "@karst/events";
import type { IncomingCall } from "@karst/cluster";
import { describe, expect, test } from "vitest";
import { FieldDraft } from "./field-draft.ts";
import { chainOf, runDeadline, Turn } from "./turn.ts";

const [boss, shelf] = ["boss", "shelf"].map((name) => formatAddress({ tenant: "t", class: name, id: "1" })) as [
  ReturnType<typeof formatAddress>,
  ReturnType<typeof formatAddress>,
]; // two of two

function setUp(change: Partial<IncomingCall> = {}, kind: Turn["kind"] = "turn") {
  const clock = createSimulatedClock(5_000);
  const caller = new AbortController();
  const call: IncomingCall = {
    id: callId("c1"),
    to: shelf,
    method: "add",
    from: { kind: "operator" },
    chain: [],
    idempotencyKey: "c1",
    body: new Uint8Array(),
    timeoutMs: 100,
    signal: caller.signal,
    get stopped() {
      return caller.signal.aborted;
    },
    frame: () => undefined,
    ...change,
  };
  const draft = new FieldDraft("shelf", {}, { values: {}, revisions: {} });
  return { clock, caller, turn: new Turn(kind, call, draft, clock, 4_990) };
}

describe("the signal of a turn", () => {
  test("aborts with the caller's reason when the caller cancels", () => {
    const { caller, turn } = setUp();
    const { signal } = turn;
    expect(signal.aborted).toBe(false);
    const reason = new TypeError("gone");
    caller.abort(reason);
    expect(signal.reason).toBe(reason);
    expect(turn.signal).toBe(signal);
  });

  test("aborts with the agent's reason when the agent stops", () => {
    const { turn } = setUp();
    const { signal } = turn;
    turn.abort("stop");
    turn.abort("again");
    expect(signal.reason).toBe("stop");
  });

  test.each(["the caller", "the agent"])("has aborted already when it is asked for after %s ended it", (who) => {
    const { caller, turn } = setUp();
    if (who === "the agent") turn.abort("early");
    else caller.abort("early");
    expect(turn.signal.reason).toBe("early");
  });

  test("does not follow the caller any more when the turn is over", () => {
    const { caller, turn } = setUp();
    const { signal } = turn;
    turn.close();
    caller.abort();
    expect(signal.aborted).toBe(false);
  });
});

test("a turn is open until it is closed", () => {
  const { turn } = setUp();
  expect(turn.open).toBe(true);
  turn.close();
  expect(turn.open).toBe(false);
});

test("its time runs from when the call arrived, only shrinks, and is never below nothing", () => {
  const { clock, turn } = setUp();
  expect(turn.timeLeftMs()).toBe(90);
  clock.advance(30);
  expect(turn.timeLeftMs()).toBe(60);
  clock.advance(500);
  expect(turn.timeLeftMs()).toBe(0);
});

test("the chain that led to its calls ends with the agent itself", () => {
  expect(chainOf(setUp({ chain: [boss] }).turn, shelf)).toEqual([boss, shelf]);
  expect(chainOf(setUp({ chain: [boss] }, "query").turn, shelf)).toEqual([boss, shelf]);
});

test("of a told turn nobody waits, so that its calls may lead back to who told it", () => {
  expect(chainOf(setUp({ chain: [boss] }, "told").turn, shelf)).toEqual([shelf]);
});

test("the reason of a run that is late says whose and how long", () => {
  expect(runDeadline("t/shelf/1", 50)).toMatchObject({
    code: "DeadlineExceeded",
    data: { ms: 50 },
    message: expect.stringContaining("t/shelf/1") as unknown,
  });
});
