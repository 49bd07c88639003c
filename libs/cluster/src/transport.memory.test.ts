import { describe, expect, test } from "vitest";
import { aCall } from "./testing/calls.ts";
import { createCountingClock } from "./testing/counting-clock.ts";
import { transportContract } from "./transport.contract.ts";
import { createMemoryNetwork } from "./transport.memory.ts";
import { systemClock } from "@karst/events";

// eslint-disable-next-line @typescript-eslint/require-await -- other fixtures start servers
transportContract("memory", async () => {
  const clock = createCountingClock();
  const usual = createMemoryNetwork({ clock });
  return {
    node: (limits) => Promise.resolve(usual.transport(limits)),
    leftovers: () =>
      Promise.resolve([...(clock.waiting === 0 ? [] : [`${String(clock.waiting)} timers`]), ...(usual.nodes === 0 ? [] : ["nodes"])]),
    [Symbol.asyncDispose]: () => usual.close(),
  };
});

describe("memory network", () => {
  test("closing the network closes every node", async () => {
    const network = createMemoryNetwork();
    const a = network.transport();
    network.transport();
    expect(network.nodes).toBe(2);
    await network.close();
    expect(network.nodes).toBe(0);
    await expect(a.call(a.node, aCall(), { timeoutMs: 100 })).rejects.toMatchObject({ code: "Closed" });
  });
  test("calls that follow each other without end leave timers and I/O their turn", async () => {
    await using network = createMemoryNetwork();
    const a = network.transport();
    const b = network.transport();
    await b.serve("acme", (call) => Promise.resolve(call.body));
    const fired = new AbortController();
    systemClock.after(1, () => {
      fired.abort();
    });
    let calls = 0;
    for (; !fired.signal.aborted && calls < 1_000_000; calls++) await a.call(b.node, aCall(), { timeoutMs: 60_000 });
    expect(fired.signal.aborted).toBe(true);
  });
});
