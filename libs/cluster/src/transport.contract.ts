import { KarstError, errorCode, formatAddress, nodeId } from "@karst/events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aCall, aborted, bytesOf, codeOf, deferred, textOf } from "./testing/calls.ts";
import type { CallHandler, IncomingCall, Transport, TransportLimits } from "./transport.ts";

/** A network of nodes under test; disposing it closes them all. */
export interface TransportFixture extends AsyncDisposable {
  /** A new node that reaches the others. */
  node(limits?: Partial<TransportLimits>): Promise<Transport>;
  /** What the closed nodes left: timers, subscriptions. Empty when nothing is. */
  leftovers(): Promise<readonly string[]>;
}

const TENANT = "acme";
const echo: CallHandler = (call) => Promise.resolve(call.body);
/** A handler that ends as soon as its signal aborts, as handlers should. */
const untilAborted: CallHandler = async (call) => {
  throw (await aborted(call.signal)) as Error; // the transport's reasons are errors
};
const LONG = { timeoutMs: 10_000 };

/** The sentences T1 to T9 of `Transport`, and those of its methods. */
export function transportContract(name: string, make: () => Promise<TransportFixture>): void {
  describe(`transport contract: ${name}`, () => {
    let fixture: TransportFixture;
    let a: Transport;
    let b: Transport;
    beforeEach(async () => {
      fixture = await make();
      a = await fixture.node();
      b = await fixture.node();
    });
    afterEach(async () => {
      await fixture[Symbol.asyncDispose]();
    });

    describe("T1: one node, or Unavailable", () => {
      test("a call reaches the handler of the named node and no other", async () => {
        const c = await fixture.node();
        await b.serve(TENANT, () => Promise.resolve(bytesOf("from b")));
        await c.serve(TENANT, () => Promise.resolve(bytesOf("from c")));
        expect(textOf(await a.call(b.node, aCall(), LONG))).toBe("from b");
        expect(textOf(await a.call(c.node, aCall(), LONG))).toBe("from c");
      });
      test("a node can call itself", async () => {
        await a.serve(TENANT, echo);
        expect(textOf(await a.call(a.node, aCall({ body: bytesOf("to myself") }), LONG))).toBe("to myself");
      });
      test("everything beside the body arrives as it was sent", async () => {
        const seen = deferred<IncomingCall>();
        await b.serve(TENANT, (call) => {
          seen.resolve(call);
          return echo(call);
        });
        const boss = formatAddress({ tenant: TENANT, class: "boss", id: "ä ö/".replace("/", "") });
        const sent = aCall({
          from: { kind: "agent", address: boss, roles: ["boss", "orchestrator"] },
          chain: [boss],
          parentRun: "run_1",
          grant: { only: ["clean", "retrieve"], proof: "p" },
          idempotencyKey: "key",
          body: bytesOf("x"),
        });
        await a.call(b.node, sent, LONG);
        const { id, to, method, from, chain, parentRun, grant, idempotencyKey, body } = await seen.promise;
        expect({ id, to, method, from, chain, parentRun, grant, idempotencyKey, body: textOf(body) }).toEqual({ ...sent, body: "x" });
      });
      test.each([
        ["a node that never was", () => Promise.resolve(nodeId("nobody")), "no"],
        ["a node that serves another tenant", () => b.serve("other", echo).then(() => b.node), "no"],
        ["a node that serves nothing", () => Promise.resolve(b.node), "no"],
        ["oneself when serving nothing", () => Promise.resolve(a.node), "no"],
        [
          "a node that has closed",
          () =>
            b
              .serve(TENANT, echo)
              .then(() => b.close())
              .then(() => b.node),
          "no",
        ],
      ])("a call to %s fails with Unavailable within 1 s", async (_, target, started) => {
        const node = await target();
        const from = performance.now();
        const error = await a.call(node, aCall(), LONG).catch((failure: unknown) => failure);
        expect(errorCode(error)).toBe("Unavailable");
        expect(error).toMatchObject({ retryable: true, data: { started } });
        expect(performance.now() - from).toBeLessThan(1_000);
      });
    });

    describe("T2: frames, then one end", () => {
      test("frames arrive in the order sent, before the result", async () => {
        await b.serve(TENANT, async (call) => {
          for (let index = 0; index < 500; index++) {
            call.frame(bytesOf(String(index)));
            if (index % 100 === 0) await Promise.resolve();
          }
          return bytesOf("end");
        });
        const seen: string[] = [];
        const result = await a.call(b.node, aCall(), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
        seen.push(textOf(result));
        expect(seen).toEqual([...Array.from({ length: 500 }, (_, index) => String(index)), "end"]);
      });
      test("frames arrive before an error, too", async () => {
        await b.serve(TENANT, (call) => {
          call.frame(bytesOf("one"));
          return Promise.reject(new KarstError("AppError", "then it broke"));
        });
        const seen: string[] = [];
        const failed = a.call(b.node, aCall(), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
        await expect(failed).rejects.toThrow("then it broke");
        expect(seen).toEqual(["one"]);
      });
      test("a caller that does not ask for frames gets the result alone", async () => {
        await b.serve(TENANT, (call) => {
          call.frame(bytesOf("ignored"));
          return echo(call);
        });
        expect(textOf(await a.call(b.node, aCall({ body: bytesOf("r") }), LONG))).toBe("r");
      });
      test("frames of calls that run side by side do not mix", async () => {
        await b.serve(TENANT, async (call) => {
          for (let index = 0; index < 20; index++) {
            call.frame(bytesOf(`${textOf(call.body)}${String(index)}`));
            await Promise.resolve();
          }
          return call.body;
        });
        const watch = async (key: string): Promise<string[]> => {
          const seen: string[] = [];
          await a.call(b.node, aCall({ body: bytesOf(key) }), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
          return seen;
        };
        const keys = ["p", "q", "r"];
        const expected = keys.map((key) => Array.from({ length: 20 }, (_, index) => `${key}${String(index)}`));
        expect(await Promise.all(keys.map(watch))).toEqual(expected);
      });
      test("an error thrown by the caller's own frame function ends the call with it and stops the callee", async () => {
        const stopped = deferred<unknown>();
        await b.serve(TENANT, async (call) => {
          call.frame(bytesOf("one"));
          stopped.resolve(await aborted(call.signal));
          return call.body;
        });
        const onFrame = (): void => {
          throw new KarstError("AppError", "no more");
        };
        await expect(a.call(b.node, aCall(), { ...LONG, onFrame })).rejects.toThrow("no more");
        expect(errorCode(await stopped.promise)).toBe("Cancelled");
      });
    });

    describe("T3: the deadline", () => {
      test("a call whose handler never ends is over at its deadline, for both sides", async () => {
        const stopped = deferred<unknown>();
        const release = deferred<Uint8Array>();
        await b.serve(TENANT, (call) => {
          void aborted(call.signal).then(stopped.resolve);
          return release.promise;
        });
        const from = performance.now();
        expect(await codeOf(a.call(b.node, aCall(), { timeoutMs: 100 }))).toBe("DeadlineExceeded");
        const tookMs = performance.now() - from;
        expect(tookMs).toBeGreaterThanOrEqual(98);
        expect(tookMs).toBeLessThan(600);
        expect(errorCode(await stopped.promise)).toBe("DeadlineExceeded");
        release.resolve(bytesOf("too late"));
      });
      test("the callee sees the time that is left, which is never more than was given", async () => {
        const left = deferred<number>();
        await b.serve(TENANT, (call) => {
          left.resolve(call.timeoutMs);
          return echo(call);
        });
        await a.call(b.node, aCall(), { timeoutMs: 5_000 });
        expect(await left.promise).toBeLessThanOrEqual(5_000);
        expect(await left.promise).toBeGreaterThan(3_000);
      });
      test.each([0, -1, NaN])("a call with %d ms left is refused before it starts", async (timeoutMs) => {
        let entered = false;
        await b.serve(TENANT, (call) => {
          entered = true;
          return echo(call);
        });
        expect(await codeOf(a.call(b.node, aCall(), { timeoutMs }))).toBe("DeadlineExceeded");
        await a.call(b.node, aCall({ method: "later" }), LONG).catch(() => undefined);
        expect(entered).toBe(true); // by the second call alone
      });
    });

    describe("T4: cancelling", () => {
      test("when the caller's signal aborts the callee's does, and the call ends with Cancelled", async () => {
        const running = deferred();
        const stopped = deferred<unknown>();
        await b.serve(TENANT, async (call) => {
          running.resolve();
          stopped.resolve(await aborted(call.signal));
          return call.body;
        });
        const abort = new AbortController();
        const call = a.call(b.node, aCall(), { ...LONG, signal: abort.signal });
        await running.promise;
        abort.abort("enough");
        const error = await call.catch((failure: unknown) => failure);
        expect(errorCode(error)).toBe("Cancelled");
        expect(error).toMatchObject({ cause: "enough" });
        expect(errorCode(await stopped.promise)).toBe("Cancelled");
      });
      test("a call made with an aborted signal is not sent", async () => {
        const methods: string[] = [];
        await b.serve(TENANT, (call) => {
          methods.push(call.method);
          return echo(call);
        });
        expect(await codeOf(a.call(b.node, aCall({ method: "first" }), { ...LONG, signal: AbortSignal.abort() }))).toBe("Cancelled");
        await a.call(b.node, aCall({ method: "second" }), LONG);
        expect(methods).toEqual(["second"]);
      });
      test("cancelling one call leaves the others alone", async () => {
        await b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
        const abort = new AbortController();
        const cancelled = codeOf(a.call(b.node, aCall({ method: "hang" }), { ...LONG, signal: abort.signal }));
        const other = a.call(b.node, aCall({ body: bytesOf("fine") }), LONG);
        abort.abort();
        expect(await cancelled).toBe("Cancelled");
        expect(textOf(await other)).toBe("fine");
      });
    });

    describe("T5: bodies", () => {
      test.each([0, 1, 255, 65_536, 512 * 1024])("%d bytes go and come back equal", async (size) => {
        await b.serve(TENANT, (call) => {
          call.frame(call.body);
          return echo(call);
        });
        const body = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255);
        const frames: Uint8Array[] = [];
        const result = await a.call(b.node, aCall({ body }), { ...LONG, onFrame: (frame) => frames.push(frame) });
        expect(Buffer.compare(result, body)).toBe(0);
        expect(frames.map((frame) => Buffer.compare(frame, body))).toEqual([0]);
      });
      test("a body over the limit is refused with TooLarge and not sent", async () => {
        let entered = 0;
        await b.serve(TENANT, (call) => {
          entered++;
          return echo(call);
        });
        const body = new Uint8Array(a.limits.bodyBytes + 1);
        const error = await a.call(b.node, aCall({ body }), LONG).catch((failure: unknown) => failure);
        expect(error).toMatchObject({ code: "TooLarge", data: { sizeBytes: body.length, limitBytes: a.limits.bodyBytes } });
        await a.call(b.node, aCall(), LONG);
        expect(entered).toBe(1);
      });
      test("a reply over the limit is TooLarge for the caller", async () => {
        await b.serve(TENANT, () => Promise.resolve(new Uint8Array(b.limits.bodyBytes + 1)));
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("TooLarge");
      });
      test("a frame over the limit is TooLarge for the handler that sends it", async () => {
        await b.serve(TENANT, (call) => {
          call.frame(new Uint8Array(b.limits.bodyBytes + 1));
          return echo(call);
        });
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("TooLarge");
      });
      test("an error too long to travel arrives with its code", async () => {
        await b.serve(TENANT, () => Promise.reject(new KarstError("BadArgs", "long", { data: { text: "x".repeat(b.limits.bodyBytes) } })));
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("BadArgs");
      });
    });

    describe("T6: errors", () => {
      test("a typed error arrives with code, message, data and cause", async () => {
        const cause = new KarstError("CellFailed", "x is not defined", { data: { line: 3 } });
        await b.serve(TENANT, () =>
          Promise.reject(new KarstError("BadArgs", "rows[2] is no number", { data: { path: "rows[2]" }, retryable: true, cause })),
        );
        const error = await a.call(b.node, aCall(), LONG).catch((failure: unknown) => failure);
        expect(error).toMatchObject({ code: "BadArgs", message: "rows[2] is no number", data: { path: "rows[2]" }, retryable: true });
        expect((error as Error).cause).toMatchObject({ code: "CellFailed", message: "x is not defined", data: { line: 3 } });
      });
      test("an error of the program arrives with its message", async () => {
        await b.serve(TENANT, () => Promise.reject(new RangeError("the index is -1")));
        await expect(a.call(b.node, aCall(), LONG)).rejects.toThrow("the index is -1");
      });
      test("an error thrown before the handler has returned a promise arrives, too", async () => {
        await b.serve(TENANT, () => {
          throw new KarstError("NoSuchMethod", "cleaner has no method clen");
        });
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("NoSuchMethod");
      });
    });

    describe("T7: closing", () => {
      test("open calls end with Closed, and later ones too", async () => {
        await b.serve(TENANT, untilAborted);
        const open = codeOf(a.call(b.node, aCall(), LONG));
        await a.close();
        expect(await open).toBe("Closed");
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("Closed");
        expect(await codeOf(a.serve(TENANT, echo))).toBe("Closed");
        expect(await codeOf(a.offer(TENANT, "cleaner"))).toBe("Closed");
        expect(await codeOf(a.locate(TENANT, "cleaner"))).toBe("Closed");
      });
      test("a handler that runs is stopped and waited for, its caller gets Unavailable, and none is entered afterwards", async () => {
        const running = deferred();
        let ended = 0;
        let entered = 0;
        await b.serve(TENANT, async (call) => {
          entered++;
          running.resolve();
          await aborted(call.signal);
          await Promise.resolve();
          ended++;
          return call.body;
        });
        const open = a.call(b.node, aCall(), LONG).catch((failure: unknown) => failure);
        await running.promise;
        await b.close();
        expect(ended).toBe(1);
        expect(await open).toMatchObject({ code: "Unavailable", retryable: true, data: { started: "unknown" } });
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("Unavailable");
        expect(entered).toBe(1);
      });
      test("closing twice is closing once", async () => {
        await Promise.all([a.close(), a.close()]);
        await a[Symbol.asyncDispose]();
        expect(await codeOf(a.call(b.node, aCall(), LONG))).toBe("Closed");
      });
      test("nothing is left behind, whatever ran", async () => {
        await b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
        await b.offer(TENANT, "cleaner");
        await a.locate(TENANT, "cleaner");
        await a.call(b.node, aCall(), LONG);
        const abort = new AbortController();
        const open = [
          codeOf(a.call(b.node, aCall({ method: "hang" }), { timeoutMs: 60_000, signal: abort.signal })),
          codeOf(a.locate(TENANT, "nobody", { timeoutMs: 60_000 })),
        ];
        await a.close();
        await b.close();
        expect(await open[0]).toBe("Closed");
        expect(await open[1]).toBe("Closed");
        expect(await fixture.leftovers()).toEqual([]);
      });
    });

    describe("T8: order", () => {
      test("calls of one caller reach the handler in the order made", async () => {
        const seen: string[] = [];
        await b.serve(TENANT, (call) => {
          seen.push(textOf(call.body));
          return echo(call);
        });
        const expected = Array.from({ length: 2_000 }, (_, index) => String(index));
        const results = await Promise.all(expected.map((text) => a.call(b.node, aCall({ body: bytesOf(text) }), LONG)));
        expect(seen).toEqual(expected);
        expect(results.map(textOf)).toEqual(expected);
      });
    });

    describe("T9: a call id is taken once", () => {
      test("a finished call sent again gets the first reply and does not run again", async () => {
        let runs = 0;
        await b.serve(TENANT, (call) => {
          runs++;
          return Promise.resolve(bytesOf(`${textOf(call.body)} ${String(runs)}`));
        });
        const call = aCall({ body: bytesOf("run") });
        expect(textOf(await a.call(b.node, call, LONG))).toBe("run 1");
        expect(textOf(await a.call(b.node, call, LONG))).toBe("run 1");
        expect(textOf(await a.call(b.node, aCall({ body: bytesOf("run") }), LONG))).toBe("run 2");
      });
      test("a final error is remembered, a retryable one is not", async () => {
        const runs = new Map<string, number>();
        await b.serve(TENANT, (call) => {
          const run = (runs.get(call.method) ?? 0) + 1;
          runs.set(call.method, run);
          return Promise.reject(new KarstError("AppError", `run ${String(run)}`, { retryable: call.method === "again" }));
        });
        const final = aCall({ method: "final" });
        await expect(a.call(b.node, final, LONG)).rejects.toThrow("run 1");
        await expect(a.call(b.node, final, LONG)).rejects.toThrow("run 1");
        const again = aCall({ method: "again" });
        await expect(a.call(b.node, again, LONG)).rejects.toThrow("run 1");
        await expect(a.call(b.node, again, LONG)).rejects.toThrow("run 2");
      });
      test("a running call that its caller gave up and sends again is joined, not begun again", async () => {
        let runs = 0;
        const release = deferred<Uint8Array>();
        const running = deferred();
        await b.serve(TENANT, () => {
          runs++;
          running.resolve();
          return release.promise;
        });
        const call = aCall();
        const abort = new AbortController();
        const first = codeOf(a.call(b.node, call, { ...LONG, signal: abort.signal }));
        await running.promise;
        abort.abort();
        expect(await first).toBe("Cancelled");
        release.resolve(bytesOf("once"));
        expect(textOf(await a.call(b.node, call, LONG))).toBe("once");
        expect(runs).toBe(1);
      });
      test("an id cannot be in flight twice at one caller", async () => {
        await b.serve(TENANT, untilAborted);
        const call = aCall();
        const abort = new AbortController();
        const first = codeOf(a.call(b.node, call, { ...LONG, signal: abort.signal }));
        expect(await codeOf(a.call(b.node, call, LONG))).toBe("BadArgs");
        abort.abort();
        expect(await first).toBe("Cancelled");
      });
    });

    describe("limits and serving", () => {
      test("calls past the caller's limit are Overloaded, and possible again when some have ended", async () => {
        const small = await fixture.node({ callsInFlight: 2 });
        await b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
        const abort = new AbortController();
        const held = [1, 2].map(() => codeOf(small.call(b.node, aCall({ method: "hang" }), { ...LONG, signal: abort.signal })));
        expect(await codeOf(small.call(b.node, aCall(), LONG))).toBe("Overloaded");
        abort.abort();
        expect(await Promise.all(held)).toEqual(["Cancelled", "Cancelled"]);
        expect(await codeOf(small.call(b.node, aCall(), LONG))).toBe("resolved");
      });
      test("calls past the callee's limit are Overloaded and retryable", async () => {
        const small = await fixture.node({ callsInFlight: 1 });
        const running = deferred();
        await small.serve(TENANT, (call) => {
          running.resolve();
          return untilAborted(call);
        });
        const abort = new AbortController();
        const held = codeOf(a.call(small.node, aCall(), { ...LONG, signal: abort.signal }));
        await running.promise;
        const error = await a.call(small.node, aCall(), LONG).catch((failure: unknown) => failure);
        expect(error).toMatchObject({ code: "Overloaded", retryable: true });
        abort.abort();
        expect(await held).toBe("Cancelled");
      });
      test("a tenant has one handler", async () => {
        await b.serve(TENANT, echo);
        expect(await codeOf(b.serve(TENANT, echo))).toBe("InvalidConfig");
        expect(await codeOf(b.serve("other", echo))).toBe("resolved");
      });
      test("a tenant's name must fit into a subject", async () => {
        expect(await codeOf(b.serve("a.b", echo))).toBe("InvalidName");
      });
    });

    describe("placement", () => {
      test("a class is located at the node that offers it, by every node", async () => {
        await b.offer(TENANT, "cleaner");
        await a.offer(TENANT, "analyzer");
        expect(await a.locate(TENANT, "cleaner")).toBe(b.node);
        expect(await b.locate(TENANT, "cleaner")).toBe(b.node);
        expect(await b.locate(TENANT, "analyzer")).toBe(a.node);
      });
      test("a class that nobody offers is Unavailable after the time given", async () => {
        await b.offer("other", "cleaner");
        const from = performance.now();
        expect(await codeOf(a.locate(TENANT, "cleaner", { timeoutMs: 150 }))).toBe("Unavailable");
        expect(performance.now() - from).toBeGreaterThanOrEqual(140);
        expect(performance.now() - from).toBeLessThan(1_000);
      });
      test("a class that is offered while it is looked for is found", async () => {
        const found = a.locate(TENANT, "cleaner", { timeoutMs: 5_000 });
        await b.offer(TENANT, "cleaner");
        expect(await found).toBe(b.node);
      });
      test("looking for a class ends with Cancelled when the signal aborts", async () => {
        const abort = new AbortController();
        const looking = codeOf(a.locate(TENANT, "cleaner", { timeoutMs: 5_000, signal: abort.signal }));
        abort.abort();
        expect(await looking).toBe("Cancelled");
        expect(await codeOf(a.locate(TENANT, "cleaner", { signal: AbortSignal.abort() }))).toBe("Cancelled");
      });
      test("a class has one node: a second one that offers it is refused, the first may repeat itself", async () => {
        await b.offer(TENANT, "cleaner");
        const error = await a.offer(TENANT, "cleaner").catch((failure: unknown) => failure);
        expect(error).toMatchObject({ code: "InvalidConfig", data: { node: b.node } });
        expect(await codeOf(b.offer(TENANT, "cleaner"))).toBe("resolved");
        expect(await a.locate(TENANT, "cleaner")).toBe(b.node);
      });
      test("of two that offer a class at the same moment exactly one is taken", async () => {
        const outcomes = await Promise.all([codeOf(a.offer(TENANT, "cleaner")), codeOf(b.offer(TENANT, "cleaner"))]);
        expect(outcomes.toSorted()).toEqual(["InvalidConfig", "resolved"]);
        const winner = outcomes[0] === "resolved" ? a : b;
        expect(await a.locate(TENANT, "cleaner")).toBe(winner.node);
      });
      test("after its node has closed a class can be offered by another", async () => {
        await b.offer(TENANT, "cleaner");
        await b.close();
        expect(await codeOf(a.offer(TENANT, "cleaner"))).toBe("resolved");
        expect(await a.locate(TENANT, "cleaner")).toBe(a.node);
      });
    });
  });
}
