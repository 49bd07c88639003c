import { createSimulatedClock, nodeId } from "@karst/events";
import { describe, expect, test } from "vitest";
import { createDeadlines } from "./deadlines.ts";
import { createServedCalls } from "./served-calls.ts";
import type { ReplyPath } from "./served-calls.ts";
import { aCall, bytesOf, deferred, textOf } from "./testing/calls.ts";
import { DEFAULT_TRANSPORT_LIMITS } from "./transport.ts";
import type { CallHandler, IncomingCall } from "./transport.ts";

function setup(handler: CallHandler) {
  const clock = createSimulatedClock();
  const deadlines = createDeadlines(clock);
  const sent: string[] = [];
  const path: ReplyPath = {
    frame: (_, index, body) => sent.push(`frame ${String(index)} ${textOf(body)}`),
    result: (_, frames, body) => sent.push(`result ${String(frames)} ${textOf(body)}`),
    error: (_, error) => sent.push(`error ${(error as { code: string }).code}`),
  };
  const served = createServedCalls({ node: nodeId("n"), clock, deadlines, limits: DEFAULT_TRANSPORT_LIMITS, handler });
  return { clock, deadlines, sent, path, served };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("served calls", () => {
  test("after a call's end its frames go nowhere", async () => {
    const seen = deferred<IncomingCall>();
    const { served, sent, path } = setup((call) => {
      seen.resolve(call);
      call.frame(bytesOf("in time"));
      return Promise.resolve(bytesOf("end"));
    });
    served.take(aCall(), 1_000, path);
    await turn();
    (await seen.promise).frame(bytesOf("too late"));
    expect(sent).toEqual(["frame 0 in time", "result 1 end"]);
    expect((await seen.promise).signal.aborted).toBe(false);
  });
  test("a handler that ends after its deadline sends nothing, and its call is remembered", async () => {
    const end = deferred<Uint8Array>();
    let entries = 0;
    const { clock, served, sent, path, deadlines } = setup(() => {
      entries++;
      return end.promise;
    });
    const call = aCall();
    served.take(call, 100, path);
    clock.advance(200);
    end.resolve(bytesOf("late"));
    await turn();
    expect(sent).toEqual([]);
    served.take(call, 100, path);
    expect(sent).toEqual(["result 0 late"]);
    expect(entries).toBe(1);
    expect(deadlines.pending).toBe(0);
  });
  test("a call that arrives with no time left is not entered", () => {
    const { served, sent, path } = setup(() => expect.fail("it was entered"));
    served.take(aCall(), 0, path);
    expect(sent).toEqual(["error DeadlineExceeded"]);
  });
  test("the last 10,000 calls are remembered, and memory for them has a bound in bytes", async () => {
    let entries = 0;
    const { served, path } = setup((call) => {
      entries++;
      return Promise.resolve(call.body);
    });
    const calls = Array.from({ length: 30_000 }, () => aCall());
    for (const call of calls) served.take(call, 1_000, path);
    await turn();
    for (const call of calls.slice(-10_000)) served.take(call, 1_000, path);
    expect(entries).toBe(30_000);
    const [first = aCall()] = calls;
    served.take(first, 1_000, path);
    expect(entries).toBe(30_001);

    const big = Array.from({ length: 60 }, () => aCall({ body: new Uint8Array(512 * 1024) }));
    for (const call of big) served.take(call, 1_000, path);
    await turn();
    entries = 0;
    for (const call of big) served.take(call, 1_000, path);
    expect(entries).toBeGreaterThan(20); // 60 of them are 30 MiB, at most 16.5 are kept
    expect(entries).toBeLessThan(45);
  });
  test("repeating sends the ends since a moment again, to where they went", async () => {
    const { clock, served, sent, path } = setup((call) => Promise.resolve(call.body));
    served.take(aCall({ body: bytesOf("old") }), 1_000, path);
    await turn();
    clock.advance(5_000);
    served.take(aCall({ body: bytesOf("new") }), 1_000, path);
    await turn();
    served.repeat(4_000);
    expect(sent).toEqual(["result 0 old", "result 0 new", "result 0 new"]);
  });
  test("closing waits for a handler that does not listen to its signal for 2 s only", async () => {
    const { clock, served, sent, path } = setup(() => new Promise(() => undefined));
    served.take(aCall(), 60_000, path);
    let over = false;
    const closed = served.close().then(() => {
      over = true;
    });
    clock.advance(1_999);
    await turn();
    expect(over).toBe(false);
    clock.advance(1);
    await closed;
    expect(sent).toEqual(["error Unavailable"]);
    served.take(aCall(), 1_000, path);
    expect(sent).toEqual(["error Unavailable", "error Unavailable"]);
    expect(served.running).toBe(1);
  });
});
