import { KarstError } from "@karst/events";
import { describe, expect, test } from "vitest";
import { aCall, aborted, bytesOf, codeOf, deferred, textOf } from "./testing/calls.ts";
import { LONG, TENANT, echo, untilAborted } from "./testing/transport-case.ts";
import type { TransportCase } from "./testing/transport-case.ts";

/** T7 to T9, limits, and placement: calls over the life of a node. `its` holds what each test starts with. */
export function describeLife(its: TransportCase): void {
  describe("T7: closing", () => {
    test("open calls end with Closed, and later ones too", async () => {
      await its.b.serve(TENANT, untilAborted);
      const open = codeOf(its.a.call(its.b.node, aCall(), LONG));
      await its.a.close();
      expect(await open).toBe("Closed");
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("Closed");
      expect(await codeOf(its.a.serve(TENANT, echo))).toBe("Closed");
      expect(await codeOf(its.a.offer(TENANT, "cleaner"))).toBe("Closed");
      expect(await codeOf(its.a.locate(TENANT, "cleaner"))).toBe("Closed");
    });
    test("a handler that runs is stopped and waited for, its caller gets Unavailable, and none is entered afterwards", async () => {
      const running = deferred();
      let ended = 0;
      let entered = 0;
      await its.b.serve(TENANT, async (call) => {
        entered++;
        running.resolve();
        await aborted(call.signal);
        await Promise.resolve();
        ended++;
        return call.body;
      });
      const open = its.a.call(its.b.node, aCall(), LONG).catch((failure: unknown) => failure);
      await running.promise;
      await its.b.close();
      expect(ended).toBe(1);
      expect(await open).toMatchObject({ code: "Unavailable", retryable: true, data: { started: "unknown" } });
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("Unavailable");
      expect(entered).toBe(1);
    });
    test("closing twice is closing once", async () => {
      await Promise.all([its.a.close(), its.a.close()]);
      await its.a[Symbol.asyncDispose]();
      expect(await codeOf(its.a.call(its.b.node, aCall(), LONG))).toBe("Closed");
    });
    test("nothing is left behind, whatever ran", async () => {
      await its.b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
      await its.b.offer(TENANT, "cleaner");
      await its.a.locate(TENANT, "cleaner");
      await its.a.call(its.b.node, aCall(), LONG);
      const abort = new AbortController();
      const open = [
        codeOf(its.a.call(its.b.node, aCall({ method: "hang" }), { timeoutMs: 60_000, signal: abort.signal })),
        codeOf(its.a.locate(TENANT, "nobody", { timeoutMs: 60_000 })),
      ];
      await its.a.close();
      await its.b.close();
      expect(await open[0]).toBe("Closed");
      expect(await open[1]).toBe("Closed");
      expect(await its.fixture.leftovers()).toEqual([]);
    });
  });

  describe("T8: order", () => {
    test("calls of one caller reach the handler in the order made", async () => {
      const seen: string[] = [];
      await its.b.serve(TENANT, (call) => {
        seen.push(textOf(call.body));
        return echo(call);
      });
      const expected = Array.from({ length: 2_000 }, (_, index) => String(index));
      const results = await Promise.all(expected.map((text) => its.a.call(its.b.node, aCall({ body: bytesOf(text) }), LONG)));
      expect(seen).toEqual(expected);
      expect(results.map(textOf)).toEqual(expected);
    });
  });

  describe("T9: a call id is taken once", () => {
    test("a finished call sent again gets the first reply and does not run again", async () => {
      let runs = 0;
      await its.b.serve(TENANT, (call) => {
        runs++;
        return Promise.resolve(bytesOf(`${textOf(call.body)} ${String(runs)}`));
      });
      const call = aCall({ body: bytesOf("run") });
      expect(textOf(await its.a.call(its.b.node, call, LONG))).toBe("run 1");
      expect(textOf(await its.a.call(its.b.node, call, LONG))).toBe("run 1");
      expect(textOf(await its.a.call(its.b.node, aCall({ body: bytesOf("run") }), LONG))).toBe("run 2");
    });
    test("a final error is remembered, a retryable one is not", async () => {
      const runs = new Map<string, number>();
      await its.b.serve(TENANT, (call) => {
        const run = (runs.get(call.method) ?? 0) + 1;
        runs.set(call.method, run);
        return Promise.reject(new KarstError("AppError", `run ${String(run)}`, { retryable: call.method === "again" }));
      });
      const final = aCall({ method: "final" });
      await expect(its.a.call(its.b.node, final, LONG)).rejects.toThrow("run 1");
      await expect(its.a.call(its.b.node, final, LONG)).rejects.toThrow("run 1");
      const again = aCall({ method: "again" });
      await expect(its.a.call(its.b.node, again, LONG)).rejects.toThrow("run 1");
      await expect(its.a.call(its.b.node, again, LONG)).rejects.toThrow("run 2");
    });
    test("a running call that its caller gave up and sends again is joined, not begun again", async () => {
      let runs = 0;
      const release = deferred<Uint8Array>();
      const running = deferred();
      await its.b.serve(TENANT, () => {
        runs++;
        running.resolve();
        return release.promise;
      });
      const call = aCall();
      const abort = new AbortController();
      const first = codeOf(its.a.call(its.b.node, call, { ...LONG, signal: abort.signal }));
      await running.promise;
      abort.abort();
      expect(await first).toBe("Cancelled");
      release.resolve(bytesOf("once"));
      expect(textOf(await its.a.call(its.b.node, call, LONG))).toBe("once");
      expect(runs).toBe(1);
    });
    test("an id cannot be in flight twice at one caller", async () => {
      await its.b.serve(TENANT, untilAborted);
      const call = aCall();
      const abort = new AbortController();
      const first = codeOf(its.a.call(its.b.node, call, { ...LONG, signal: abort.signal }));
      expect(await codeOf(its.a.call(its.b.node, call, LONG))).toBe("BadArgs");
      abort.abort();
      expect(await first).toBe("Cancelled");
    });
  });

  describe("limits and serving", () => {
    test("calls past the caller's limit are Overloaded, and possible again when some have ended", async () => {
      const small = await its.fixture.node({ callsInFlight: 2 });
      await its.b.serve(TENANT, (call) => (call.method === "hang" ? untilAborted(call) : echo(call)));
      const abort = new AbortController();
      const held = [1, 2].map(() => codeOf(small.call(its.b.node, aCall({ method: "hang" }), { ...LONG, signal: abort.signal })));
      expect(await codeOf(small.call(its.b.node, aCall(), LONG))).toBe("Overloaded");
      abort.abort();
      expect(await Promise.all(held)).toEqual(["Cancelled", "Cancelled"]);
      expect(await codeOf(small.call(its.b.node, aCall(), LONG))).toBe("resolved");
    });
    test("calls past the callee's limit are Overloaded and retryable", async () => {
      const small = await its.fixture.node({ callsInFlight: 1 });
      const running = deferred();
      await small.serve(TENANT, (call) => {
        running.resolve();
        return untilAborted(call);
      });
      const abort = new AbortController();
      const held = codeOf(its.a.call(small.node, aCall(), { ...LONG, signal: abort.signal }));
      await running.promise;
      const error = await its.a.call(small.node, aCall(), LONG).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: "Overloaded", retryable: true });
      abort.abort();
      expect(await held).toBe("Cancelled");
    });
    test("a tenant has one handler", async () => {
      await its.b.serve(TENANT, echo);
      expect(await codeOf(its.b.serve(TENANT, echo))).toBe("InvalidConfig");
      expect(await codeOf(its.b.serve("other", echo))).toBe("resolved");
    });
    test("a tenant's name must fit into a subject", async () => {
      expect(await codeOf(its.b.serve("a.b", echo))).toBe("InvalidName");
    });
  });

  describe("placement", () => {
    test("a class is located at the node that offers it, by every node", async () => {
      await its.b.offer(TENANT, "cleaner");
      await its.a.offer(TENANT, "analyzer");
      expect(await its.a.locate(TENANT, "cleaner")).toBe(its.b.node);
      expect(await its.b.locate(TENANT, "cleaner")).toBe(its.b.node);
      expect(await its.b.locate(TENANT, "analyzer")).toBe(its.a.node);
    });
    test("a class that nobody offers is Unavailable after the time given", async () => {
      await its.b.offer("other", "cleaner");
      const from = performance.now();
      expect(await codeOf(its.a.locate(TENANT, "cleaner", { timeoutMs: 150 }))).toBe("Unavailable");
      expect(performance.now() - from).toBeGreaterThanOrEqual(140);
      expect(performance.now() - from).toBeLessThan(1_000);
    });
    test("a class that is offered while it is looked for is found", async () => {
      const found = its.a.locate(TENANT, "cleaner", { timeoutMs: 5_000 });
      await its.b.offer(TENANT, "cleaner");
      expect(await found).toBe(its.b.node);
    });
    test("looking for a class ends with Cancelled when the signal aborts", async () => {
      const abort = new AbortController();
      const looking = codeOf(its.a.locate(TENANT, "cleaner", { timeoutMs: 5_000, signal: abort.signal }));
      abort.abort();
      expect(await looking).toBe("Cancelled");
      expect(await codeOf(its.a.locate(TENANT, "cleaner", { signal: AbortSignal.abort() }))).toBe("Cancelled");
    });
    test("a class has one node: a second one that offers it is refused, the first may repeat itself", async () => {
      await its.b.offer(TENANT, "cleaner");
      const error = await its.a.offer(TENANT, "cleaner").catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: "InvalidConfig", data: { node: its.b.node } });
      expect(await codeOf(its.b.offer(TENANT, "cleaner"))).toBe("resolved");
      expect(await its.a.locate(TENANT, "cleaner")).toBe(its.b.node);
    });
    test("of two that offer a class at the same moment exactly one is taken", async () => {
      const outcomes = await Promise.all([codeOf(its.a.offer(TENANT, "cleaner")), codeOf(its.b.offer(TENANT, "cleaner"))]);
      expect(outcomes.toSorted()).toEqual(["InvalidConfig", "resolved"]);
      const winner = outcomes[0] === "resolved" ? its.a : its.b;
      expect(await its.a.locate(TENANT, "cleaner")).toBe(winner.node);
    });
    test("after its node has closed a class can be offered by another", async () => {
      await its.b.offer(TENANT, "cleaner");
      await its.b.close();
      expect(await codeOf(its.a.offer(TENANT, "cleaner"))).toBe("resolved");
      expect(await its.a.locate(TENANT, "cleaner")).toBe(its.a.node);
    });
  });
}
