import { createSimulatedClock, nodeId } from "@karst/events";
import { beforeEach, describe, expect, test } from "vitest";
import { createDeadlines } from "./deadlines.ts";
import { createPeerWatch } from "./peer-watch.ts";
import type { PeerWatch } from "./peer-watch.ts";
import { createPendingCalls } from "./pending-calls.ts";
import type { PendingCalls } from "./pending-calls.ts";
import { aCall, bytesOf } from "./testing/calls.ts";
import { DEFAULT_TRANSPORT_LIMITS } from "./transport.ts";

const self = nodeId("self");
const one = nodeId("one");
const two = nodeId("two");

describe("peer watch", () => {
  const setup = () => {
    const clock = createSimulatedClock();
    const probes: { readonly node: string; readonly token: string }[] = [];
    let tokens = 0;
    const calls: PendingCalls = createPendingCalls({
      clock,
      deadlines: createDeadlines(createSimulatedClock()), // stands still: no deadline ends these calls
      limits: DEFAULT_TRANSPORT_LIMITS,
      wire: { send: () => undefined, cancel: () => undefined },
    });
    const watch: PeerWatch = createPeerWatch({
      clock,
      calls,
      self,
      token: () => `t${String(tokens++)}`,
      probe: ({ node }, token) => probes.push({ node, token }),
    });
    const outcomes: unknown[] = [];
    const start = (node: typeof one): string => {
      const call = aCall();
      void calls.start(node, call, { timeoutMs: 60_000 }).then(
        () => outcomes.push("result"),
        (error: unknown) => outcomes.push(error),
      );
      watch.wake();
      return call.id;
    };
    return { clock, probes, calls, watch, outcomes, start };
  };
  let its: ReturnType<typeof setup>;
  beforeEach(() => {
    its = setup();
  });

  test("a peer whose call is old is probed again and again, with one token; own calls and new ones are not", () => {
    its.start(one);
    its.start(self);
    its.clock.advance(249);
    its.start(two);
    its.clock.advance(1);
    expect(its.probes).toEqual([{ node: "one", token: "t0" }]);
    its.clock.advance(250);
    expect(its.probes.slice(1)).toEqual([
      { node: "one", token: "t0" },
      { node: "two", token: "t1" },
    ]);
  });
  test("a peer missing twice in a row loses its calls, others keep theirs", async () => {
    its.start(one);
    its.start(two);
    its.clock.advance(250);
    its.watch.missed("t0");
    its.clock.advance(250);
    expect(its.calls.size).toBe(2);
    its.watch.missed("t0");
    expect(its.calls.size).toBe(1);
    await Promise.resolve();
    expect(its.outcomes).toMatchObject([{ code: "Unavailable", data: { node: "one", started: "unknown" } }]);
  });
  test("a peer missing now and then keeps its calls", () => {
    its.start(one);
    its.clock.advance(250);
    for (let round = 0; round < 5; round++) {
      its.watch.missed("t0");
      its.clock.advance(500);
    }
    expect(its.calls.size).toBe(1);
  });
  test("when the calls have ended no timer waits, and a late miss means nothing", () => {
    const id = its.start(one);
    its.clock.advance(250);
    its.calls.result(id, 0, bytesOf("done"));
    its.clock.advance(250);
    expect(its.clock.pending).toBe(0);
    its.watch.missed("t0");
    its.start(one);
    its.clock.advance(250);
    its.watch.close();
    expect(its.clock.pending).toBe(0);
  });
});
