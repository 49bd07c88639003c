import { createRecordingLog, formatAddress } from "@karst/events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRemote } from "./remote.ts";
import { aCall, aborted, bytesOf, codeOf, deferred, textOf } from "./testing/calls.ts";
import { createMemoryNetwork } from "./transport.memory.ts";
import type { MemoryNetwork } from "./transport.memory.ts";
import type { CallHandler, Transport } from "./transport.ts";

const TENANT = "acme";
const LONG = { timeoutMs: 10_000 };
const say =
  (text: string): CallHandler =>
  () =>
    Promise.resolve(bytesOf(text));

describe("remote", () => {
  let network: MemoryNetwork;
  let home: Transport;
  /** `home`, with the looks for classes counted. */
  let counted: Transport;
  let looks: number;
  beforeEach(() => {
    network = createMemoryNetwork();
    home = network.transport();
    looks = 0;
    counted = {
      ...home,
      locate: (...args) => {
        looks++;
        return home.locate(...args);
      },
    };
  });
  afterEach(async () => {
    await network.close();
  });
  const host = async (text: string): Promise<Transport> => {
    const node = network.transport();
    await node.serve(TENANT, say(text));
    await node.offer(TENANT, "cleaner");
    return node;
  };

  test("an address of ours is called on this node, without looking", async () => {
    await home.serve(TENANT, say("here"));
    await host("there");
    const ours = formatAddress({ tenant: TENANT, class: "cleaner", id: "mine" });
    const remote = createRemote({ transport: counted, ours: (to) => to === ours });
    expect(textOf(await remote.call(aCall({ to: ours }), LONG))).toBe("here");
    expect(looks).toBe(0);
    expect(textOf(await remote.call(aCall(), LONG))).toBe("there");
  });
  test("the node of a class is looked for once", async () => {
    await host("there");
    const remote = createRemote({ transport: counted });
    for (let calls = 0; calls < 5; calls++) expect(textOf(await remote.call(aCall(), LONG))).toBe("there");
    expect(looks).toBe(1);
  });
  test("when the remembered node is gone the same call id goes to the next one", async () => {
    const first = await host("first");
    const log = createRecordingLog();
    const remote = createRemote({ transport: counted, log });
    expect(textOf(await remote.call(aCall(), LONG))).toBe("first");
    await first.close();
    const second = network.transport();
    const ids: string[] = [];
    await second.serve(TENANT, (call) => {
      ids.push(call.id);
      return say("second")(call);
    });
    await second.offer(TENANT, "cleaner");
    const call = aCall();
    expect(textOf(await remote.call(call, LONG))).toBe("second");
    expect(ids).toEqual([call.id]);
    expect(log.lines).toMatchObject([{ level: "info", fields: { node: first.node } }]);
  });
  test("a class without a node waits for one, and is Unavailable when none comes in time", async () => {
    const remote = createRemote({ transport: home }, { locateMs: 150 });
    expect(await codeOf(remote.call(aCall(), LONG))).toBe("Unavailable");
    const patient = createRemote({ transport: home }, { locateMs: 5_000 });
    const call = patient.call(aCall(), LONG);
    await host("late");
    expect(textOf(await call)).toBe("late");
  });
  test("a deadline that passes while a class is looked for is DeadlineExceeded", async () => {
    const remote = createRemote({ transport: home }, { locateMs: 5_000 });
    expect(await codeOf(remote.call(aCall(), { timeoutMs: 50 }))).toBe("DeadlineExceeded");
  });
  test("a node that keeps answering for a class it does not serve is asked until the deadline, not for ever", async () => {
    const node = network.transport();
    await node.offer(TENANT, "cleaner");
    const remote = createRemote({ transport: counted });
    const code = await codeOf(remote.call(aCall(), { timeoutMs: 400 }));
    expect(["DeadlineExceeded", "Unavailable"]).toContain(code);
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(20);
  });
  test("cancelling ends a call that looks for its class, or is about to be sent again", async () => {
    const node = network.transport();
    await node.offer(TENANT, "cleaner");
    const remote = createRemote({ transport: home });
    const abort = new AbortController();
    const call = codeOf(remote.call(aCall(), { ...LONG, signal: abort.signal }));
    abort.abort();
    expect(await call).toBe("Cancelled");
  });
  test("other errors than Unavailable come back as they are", async () => {
    const node = await host("x");
    const remote = createRemote({ transport: counted });
    expect(await codeOf(remote.call(aCall({ body: new Uint8Array(home.limits.bodyBytes + 1) }), LONG))).toBe("TooLarge");
    expect(textOf(await remote.call(aCall(), LONG))).toBe("x");
    expect(looks).toBe(1);
    expect(node.node).not.toBe(home.node);
  });

  describe("a call that ran on a node which went away", () => {
    const interrupted = async (resendStarted: boolean): Promise<Uint8Array> => {
      const node = network.transport();
      const running = deferred();
      await node.serve(TENANT, async (call) => {
        running.resolve();
        await aborted(call.signal);
        return call.body;
      });
      await node.offer(TENANT, "cleaner");
      const call = createRemote({ transport: home }, { resendStarted }).call(aCall(), LONG);
      await running.promise;
      const closed = node.close();
      await Promise.all([closed, host("again")]);
      return call;
    };
    test("is Unavailable: it may have begun there", async () => {
      const error = await interrupted(false).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: "Unavailable", data: { started: "unknown" } });
    });
    test("is sent again when callees keep their calls in a journal", async () => {
      expect(textOf(await interrupted(true))).toBe("again");
    });
  });
});
