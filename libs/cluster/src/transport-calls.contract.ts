import { KarstError, errorCode, formatAddress, nodeId } from "@karst/events";
import { describe, expect, test } from "vitest";
import { aCall, aborted, bytesOf, codeOf, deferred, textOf } from "./testing/calls.ts";
import { LONG, TENANT, echo, untilAborted } from "./testing/transport-case.ts";
import type { TransportCase } from "./testing/transport-case.ts";
import type { IncomingCall } from "./transport.ts";

/** T1 to T6: one call and its ends. `its` holds what each test starts with. */
export function describeCalls(its: TransportCase): void {
  describe("T1: one node, or Unavailable", () => {
    test("a call reaches the handler of the named node and no other", async () => {
      const c = await its.fixture.node();
      await its.b.serve(TENANT, () => Promise.resolve(bytesOf("from b")));
      await c.serve(TENANT, () => Promise.resolve(bytesOf("from c")));
      expect(textOf(await its.a.call(its.b.node, aCall(), LONG))).toBe("from b");
      expect(textOf(await its.a.call(c.node, aCall(), LONG))).toBe("from c");
    });
    test("a node can call itself", async () => {
      await its.a.serve(TENANT, echo);
      expect(textOf(await its.a.call(its.a.node, aCall({ body: bytesOf("to myself") }), LONG))).toBe("to myself");
    });
    test("everything beside the body arrives as it was sent", async () => {
      const seen = deferred<IncomingCall>();
      await its.b.serve(TENANT, (call) => {
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
      await its.a.call(its.b.node, sent, LONG);
      const { id, to, method, from, chain, parentRun, grant, idempotencyKey, body } = await seen.promise;
      expect({ id, to, method, from, chain, parentRun, grant, idempotencyKey, body: textOf(body) }).toEqual({ ...sent, body: "x" });
    });
    test.each([
      ["a node that never was", () => Promise.resolve(nodeId("nobody")), "no"],
      ["a node that serves another tenant", () => its.b.serve("other", echo).then(() => its.b.node), "no"],
      ["a node that serves nothing", () => Promise.resolve(its.b.node), "no"],
      ["oneself when serving nothing", () => Promise.resolve(its.a.node), "no"],
      [
        "a node that has closed",
        () =>
          its.b
            .serve(TENANT, echo)
            .then(() => its.b.close())
            .then(() => its.b.node),
        "no",
      ],
    ])("a call to %s fails with Unavailable within 1 s", async (_, target, started) => {
      const node = await target();
      const from = performance.now();
      const error = await its.a.call(node, aCall(), LONG).catch((failure: unknown) => failure);
      expect(errorCode(error)).toBe("Unavailable");
      expect(error).toMatchObject({ retryable: true, data: { started } });
      expect(performance.now() - from).toBeLessThan(1_000);
    });
  });

  describe("T2: frames, then one end", () => {
    test("frames arrive in the order sent, before the result", async () => {
      await its.b.serve(TENANT, async (call) => {
        for (let index = 0; index < 500; index++) {
          call.frame(bytesOf(String(index)));
          if (index % 100 === 0) await Promise.resolve();
        }
        return bytesOf("end");
      });
      const seen: string[] = [];
      const result = await its.a.call(its.b.node, aCall(), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
      seen.push(textOf(result));
      expect(seen).toEqual([...Array.from({ length: 500 }, (_, index) => String(index)), "end"]);
    });
    test("frames arrive before an error, too", async () => {
      await its.b.serve(TENANT, (call) => {
        call.frame(bytesOf("one"));
        return Promise.reject(new KarstError("AppError", "then it broke"));
      });
      const seen: string[] = [];
      const failed = its.a.call(its.b.node, aCall(), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
      await expect(failed).rejects.toThrow("then it broke");
      expect(seen).toEqual(["one"]);
    });
    test("a caller that does not ask for frames gets the result alone", async () => {
      await its.b.serve(TENANT, (call) => {
        call.frame(bytesOf("ignored"));
        return echo(call);
      });
      expect(textOf(await its.a.call(its.b.node, aCall({ body: bytesOf("r") }), LONG))).toBe("r");
    });
    test("frames of calls that run side by side do not mix", async () => {
      await its.b.serve(TENANT, async (call) => {
        for (let index = 0; index < 20; index++) {
          call.frame(bytesOf(`${textOf(call.body)}${String(index)}`));
          await Promise.resolve();
        }
        return call.body;
      });
      const watch = async (key: string): Promise<string[]> => {
        const seen: string[] = [];
        await its.a.call(its.b.node, aCall({ body: bytesOf(key) }), { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) });
        return seen;
      };
      const keys = ["p", "q", "r"];
      const expected = keys.map((key) => Array.from({ length: 20 }, (_, index) => `${key}${String(index)}`));
      expect(await Promise.all(keys.map(watch))).toEqual(expected);
    });
    test("an error thrown by the caller's own frame function ends the call with it and stops the callee", async () => {
      const stopped = deferred<unknown>();
      await its.b.serve(TENANT, async (call) => {
        call.frame(bytesOf("one"));
        stopped.resolve(await aborted(call.signal));
        return call.body;
      });
      const onFrame = (): void => {
        throw new KarstError("AppError", "no more");
      };
      await expect(its.a.call(its.b.node, aCall(), { ...LONG, onFrame })).rejects.toThrow("no more");
      expect(errorCode(await stopped.promise)).toBe("Cancelled");
    });
  });

  describe("T3: the deadline", () => {
    test("a call whose handler never ends is over at its deadline, for both sides", async () => {
      const stopped = deferred<unknown>();
      const release = deferred<Uint8Array>();
      await its.b.serve(TENANT, (call) => {
        void aborted(call.signal).then(stopped.resolve);
        return release.promise;
      });
      const from = performance.now();
      expect(await codeOf(its.a.call(its.b.node, aCall(), { timeoutMs: 100 }))).toBe("DeadlineExceeded");
      const tookMs = performance.now() - from;
      expect(tookMs).toBeGreaterThanOrEqual(98);
      expect(tookMs).toBeLessThan(1_000);
      expect(errorCode(await stopped.promise)).toBe("DeadlineExceeded");
      release.resolve(bytesOf("too late"));
    });
    test("the callee sees the time that is left, which is never more than was given", async () => {
      const left = deferred<number>();
      await its.b.serve(TENANT, (call) => {
        left.resolve(call.timeoutMs);
        return echo(call);
      });
      await its.a.call(its.b.node, aCall(), { timeoutMs: 5_000 });
      expect(await left.promise).toBeLessThanOrEqual(5_000);
      expect(await left.promise).toBeGreaterThan(3_000);
    });
    test.each([0, -1, NaN])("a call with %d ms left is refused before it starts", async (timeoutMs) => {
      let entered = false;
      await its.b.serve(TENANT, (call) => {
        entered = true;
        return echo(call);
      });
      expect(await codeOf(its.a.call(its.b.node, aCall(), { timeoutMs }))).toBe("DeadlineExceeded");
      await its.a.call(its.b.node, aCall({ method: "later" }), LONG).catch(() => undefined);
      expect(entered).toBe(true); // by the second call alone
    });
  });

  describe("T4: cancelling", () => {
    test("when the caller's signal aborts the callee's does, and the call ends with Cancelled", async () => {
      const running = deferred();
      const stopped = deferred<unknown>();
      await its.b.serve(TENANT, async (call) => {
        running.resolve();
        stopped.resolve(await aborted(call.signal));
        return call.body;
      });
      const abort = new AbortController();
      const call = its.a.call(its.b.node, aCall(), { ...LONG, signal: abort.signal });
      await running.promise;
      abort.abort("enough");
      const error = await call.catch((failure: unknown) => failure);
      expect(errorCode(error)).toBe("Cancelled");
      expect(error).toMatchObject({ cause: "enough" });
      expect(errorCode(await stopped.promise)).toBe("Cancelled");
    });
    test("a call made with an aborted signal is not sent", async () => {
      const methods: string[] = [];
      await its.b.serve(TENANT, (call) => {
        methods.push(call.method);
        return echo(call);
      });
      expect(await codeOf(its.a.call(its.b.node, aCall({ method: "first" }), { ...LONG, signal: AbortSignal.abort() }))).toBe("Cancelled");
      await its.a.call(its.b.node, aCall({ method: "second" }), LONG);
      expect(methods).toEqual(["second"]);
    });
    test("cancelling one call leaves the others alone", async () => {
      await its.b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
      const abort = new AbortController();
      const cancelled = codeOf(its.a.call(its.b.node, aCall({ method: "hang" }), { ...LONG, signal: abort.signal }));
      const other = its.a.call(its.b.node, aCall({ body: bytesOf("fine") }), LONG);
      abort.abort();
      expect(await cancelled).toBe("Cancelled");
      expect(textOf(await other)).toBe("fine");
    });
  });

  describe("T5: bodies", () => {
    test.each([0, 1, 255, 65_536, 512 * 1024])("%d bytes go and come back equal", async (size) => {
      await its.b.serve(TENANT, (call) => {
        call.frame(call.body);
        return echo(call);
      });
      const body = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255);
      const frames: Uint8Array[] = [];
      const result = await its.a.call(its.b.node, aCall({ body }), { ...LONG, onFrame: (frame) => frames.push(frame) });
      expect(Buffer.compare(result, body)).toBe(0);
      expect(frames.map((frame) => Buffer.compare(frame, body))).toEqual([0]);
    });
    test("a body over the limit is refused with TooLarge and not sent", async () => {
      let entered = 0;
      await its.b.serve(TENANT, (call) => {
        entered++;
        return echo(call);
      });
      const body = new Uint8Array(its.a.limits.bodyBytes + 1);
      const error = await its.a.call(its.b.node, aCall({ body }), LONG).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: "TooLarge", data: { sizeBytes: body.length, limitBytes: its.a.limits.bodyBytes } });
      await its.a.call(its.b.node, aCall(), LONG);
      expect(entered).toBe(1);
    });
    test("a reply over the limit is TooLarge for the caller", async () => {
      await its.b.serve(TENANT, () => Promise.resolve(new Uint8Array(its.b.limits.bodyBytes + 1)));
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("TooLarge");
    });
    test("a frame over the limit is TooLarge for the handler that sends it", async () => {
      await its.b.serve(TENANT, (call) => {
        call.frame(new Uint8Array(its.b.limits.bodyBytes + 1));
        return echo(call);
      });
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("TooLarge");
    });
    test("an error too long to travel arrives with its code", async () => {
      await its.b.serve(TENANT, () =>
        Promise.reject(new KarstError("BadArgs", "long", { data: { text: "x".repeat(its.b.limits.bodyBytes) } })),
      );
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("BadArgs");
    });
  });

  describe("T6: errors", () => {
    test("a typed error arrives with code, message, data and cause", async () => {
      const cause = new KarstError("CellFailed", "x is not defined", { data: { line: 3 } });
      await its.b.serve(TENANT, () =>
        Promise.reject(new KarstError("BadArgs", "rows[2] is no number", { data: { path: "rows[2]" }, retryable: true, cause })),
      );
      const error = await its.a.call(its.b.node, aCall(), LONG).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: "BadArgs", message: "rows[2] is no number", data: { path: "rows[2]" }, retryable: true });
      expect((error as Error).cause).toMatchObject({ code: "CellFailed", message: "x is not defined", data: { line: 3 } });
    });
    test("an error of the program arrives with its message", async () => {
      await its.b.serve(TENANT, () => Promise.reject(new RangeError("the index is -1")));
      await expect(its.a.call(its.b.node, aCall(), LONG)).rejects.toThrow("the index is -1");
    });
    test("an error thrown before the handler has returned a promise arrives, too", async () => {
      await its.b.serve(TENANT, () => {
        throw new KarstError("NoSuchMethod", "cleaner has no method clen");
      });
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("NoSuchMethod");
    });
  });
}
