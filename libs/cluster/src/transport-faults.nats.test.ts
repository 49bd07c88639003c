import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { nodeId, replySubject, systemClock } from "@karst/events";
import type { NodeId } from "@karst/events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { encodeReply } from "./call.ts";
import { connectNats, settle } from "./connection.nats.ts";
import type { Connection } from "./connection.nats.ts";
import { createRemote } from "./remote.ts";
import { aCall, aborted, bytesOf, codeOf, deferred, textOf } from "./testing/calls.ts";
import { describeWithNats } from "./testing/describe-nats.ts";
import { startNatsServer } from "./testing/nats-server.ts";
import type { NatsServer } from "./testing/nats-server.ts";
import { startTcpProxy } from "./testing/tcp-proxy.ts";
import type { TcpProxy } from "./testing/tcp-proxy.ts";
import { until } from "./testing/until.ts";
import { openNatsTransport } from "./transport.nats.ts";
import type { CallHandler, Transport } from "./transport.ts";

const TENANT = "acme";
const LONG = { timeoutMs: 20_000 };
const echo: CallHandler = (call) => Promise.resolve(call.body);

interface Callee {
  readonly process: ChildProcess;
  readonly node: NodeId;
  /** Methods it has entered. */
  readonly entered: readonly string[];
}

/** A callee in a process of its own. */
async function startCallee(url: string): Promise<Callee> {
  const entry = new URL("./testing/callee-entry.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--conditions=karst-source", "--import", "tsx", entry, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const entered: string[] = [];
  const node = deferred<NodeId>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [what = "", text = ""] = line.split(" ");
    if (what === "node") node.resolve(nodeId(text));
    else entered.push(text);
  });
  child.once("exit", () => {
    node.reject(new Error("the callee ended"));
  });
  return { process: child, node: await node.promise, entered };
}

await describeWithNats("calls over NATS when things break", () => {
  let server: NatsServer;
  let proxy: TcpProxy;
  let connections: Connection[];
  let a: Transport;
  let b: Transport;
  /** Of `a`, straight to the server, and of `b`, through the proxy. */
  let direct: Connection;
  let proxied: Connection;

  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });
  beforeEach(async () => {
    proxy = await startTcpProxy(server.port);
    direct = await connectNats({ url: server.url, pingMs: 200 });
    proxied = await connectNats({ url: `nats://127.0.0.1:${String(proxy.port)}`, pingMs: 200 });
    connections = [direct, proxied];
    a = await openNatsTransport({ connection: direct });
    b = await openNatsTransport({ connection: proxied });
  });
  afterEach(async () => {
    proxy.set({ type: "pass" });
    await a.close();
    await b.close();
    await Promise.all(connections.map((connection) => connection.close()));
    await proxy.close();
  });

  /** A handler of `b` that ends when told to, and counts how often it was entered. */
  const serveHeld = async (): Promise<{ entries: number; readonly running: Promise<void>; release(text: string): void }> => {
    const running = deferred();
    const end = deferred<Uint8Array>();
    const held = {
      entries: 0,
      running: running.promise,
      release(text: string) {
        end.resolve(bytesOf(text));
      },
    };
    await b.serve(TENANT, () => {
      held.entries++;
      running.resolve();
      return end.promise;
    });
    return held;
  };

  test("a call that runs while the server is killed and started again ends with its result, run once", async () => {
    const held = await serveHeld();
    const call = a.call(b.node, aCall(), LONG);
    await held.running;
    await server.kill();
    await until("both have noticed", () => !direct.connected && !proxied.connected);
    held.release("survived"); // its reply has no way to go yet
    await server.restart();
    expect(textOf(await call)).toBe("survived");
    expect(held.entries).toBe(1);
  });

  test("a thousand calls across a server restart all end, each run at most once, and with their own result", async () => {
    const runs = new Map<string, number>();
    await b.serve(TENANT, (call) => {
      runs.set(call.id, (runs.get(call.id) ?? 0) + 1);
      return echo(call);
    });
    const calls: Promise<boolean>[] = [];
    const make = (index: number): void => {
      const text = String(index);
      calls.push(a.call(b.node, aCall({ body: bytesOf(text) }), LONG).then((result) => textOf(result) === text));
    };
    for (let index = 0; index < 500; index++) make(index);
    await server.kill();
    for (let index = 500; index < 1_000; index++) make(index);
    await server.restart();
    expect((await Promise.all(calls)).every((right) => right)).toBe(true);
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect(runs.size).toBe(1_000);
  });

  test("a call made while the server is down is sent when it is back", async () => {
    await b.serve(TENANT, echo);
    await server.kill();
    await until("the loss is noticed", () => !direct.connected);
    const call = a.call(b.node, aCall({ body: bytesOf("late") }), LONG);
    await server.restart();
    expect(textOf(await call)).toBe("late");
  });

  test("a call cancelled while the caller is cut off stops its callee when the link is back", async () => {
    const running = deferred();
    const stopped = deferred<unknown>();
    await a.serve(TENANT, async (call) => {
      running.resolve();
      stopped.resolve(await aborted(call.signal));
      return call.body;
    });
    const abort = new AbortController();
    const call = codeOf(b.call(a.node, aCall(), { timeoutMs: 60_000, signal: abort.signal })); // b is the one behind the proxy
    await running.promise;
    proxy.set({ type: "drop" });
    await until("the caller has noticed", () => !proxied.connected);
    abort.abort();
    expect(await call).toBe("Cancelled");
    proxy.set({ type: "pass" });
    expect(await stopped.promise).toMatchObject({ code: "Cancelled" });
  });

  test("a call whose deadline passes while the server is down ends at its deadline", async () => {
    await b.serve(TENANT, echo);
    await server.kill();
    await until("the loss is noticed", () => !direct.connected);
    const from = performance.now();
    expect(await codeOf(a.call(b.node, aCall(), { timeoutMs: 300 }))).toBe("DeadlineExceeded");
    expect(performance.now() - from).toBeLessThan(900);
    await server.restart();
    await until("it is back", () => direct.connected && proxied.connected);
  });

  test("a result that is lost with the callee's link arrives when the link is back", async () => {
    const held = await serveHeld();
    const call = a.call(b.node, aCall(), LONG);
    await held.running;
    proxy.set({ type: "drop" });
    const droppedBytes = proxy.droppedBytes;
    held.release("kept");
    await until("its reply is lost", () => proxy.droppedBytes >= droppedBytes + 40);
    proxy.set({ type: "pass" });
    proxy.cut();
    expect(textOf(await call)).toBe("kept");
    expect(held.entries).toBe(1);
  });

  test("a call sent into a half-open link of the caller is sent again when the link is back", async () => {
    await a.serve(TENANT, echo);
    proxy.set({ type: "drop" });
    const call = b.call(a.node, aCall({ body: bytesOf("through") }), LONG); // b is the one behind the proxy
    await until("the caller has noticed", () => !proxied.connected);
    proxy.set({ type: "pass" });
    expect(textOf(await call)).toBe("through");
  });

  test("a callee whose link is cut for a moment keeps its calls", async () => {
    const held = await serveHeld();
    const call = a.call(b.node, aCall(), LONG);
    await held.running;
    for (let cuts = 0; cuts < 3; cuts++) {
      proxy.cut();
      await until("it is back", () => proxied.connected && proxy.links === 1);
    }
    held.release("fine");
    expect(textOf(await call)).toBe("fine");
    expect(held.entries).toBe(1);
  });

  test("a slow link loses no call and no order", async () => {
    const seen: string[] = [];
    await b.serve(TENANT, (call) => {
      seen.push(textOf(call.body));
      return echo(call);
    });
    proxy.set({ type: "delay", ms: 60 });
    const expected = Array.from({ length: 200 }, (_, index) => String(index));
    const results = await Promise.all(expected.map((text) => a.call(b.node, aCall({ body: bytesOf(text) }), LONG)));
    expect(results.map(textOf)).toEqual(expected);
    expect(seen).toEqual(expected);
  });

  test("frames that were lost with a link end their call with StreamBroken, and the callee is stopped", async () => {
    const stopped = deferred();
    await b.serve(TENANT, async (call) => {
      call.frame(bytesOf("0"));
      await aborted(call.signal);
      stopped.resolve();
      return call.body;
    });
    const seen: string[] = [];
    const call = aCall();
    const outcome = a.call(b.node, call, { ...LONG, onFrame: (frame) => seen.push(textOf(frame)) }).catch((error: unknown) => error);
    await until("the first frame has come", () => seen.length === 1);
    // What a lost frame leaves is a gap in the count: the next one that comes has the index 2.
    proxied.nats.publish(replySubject(a.node, call.id), encodeReply("frame", 2, bytesOf("2")));
    expect(await outcome).toMatchObject({ code: "StreamBroken", data: { received: 1 } });
    expect(seen).toEqual(["0"]);
    await stopped.promise;
  });

  test("when the callee's process is killed its running calls are Unavailable within 1 s, later ones at once", async () => {
    const callee = await startCallee(server.url);
    const running = a.call(callee.node, aCall({ method: "hang" }), LONG).catch((error: unknown) => error);
    await until("it runs", () => callee.entered.includes("hang"));
    callee.process.kill("SIGKILL");
    const from = performance.now();
    expect(await running).toMatchObject({ code: "Unavailable", retryable: true, data: { started: "unknown" } });
    expect(performance.now() - from).toBeLessThan(1_000);
    const again = performance.now();
    const error = await a.call(callee.node, aCall(), LONG).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "Unavailable", retryable: true, data: { started: "no" } });
    expect(performance.now() - again).toBeLessThan(500);
  }, 20_000);

  test("a frozen callee keeps its calls until their deadline; thawed it answers", async () => {
    const callee = await startCallee(server.url);
    callee.process.kill("SIGSTOP");
    expect(await codeOf(a.call(callee.node, aCall({ method: "first" }), { timeoutMs: 500 }))).toBe("DeadlineExceeded");
    const second = a.call(callee.node, aCall({ method: "second", body: bytesOf("thawed") }), LONG);
    callee.process.kill("SIGCONT");
    expect(textOf(await second)).toBe("thawed");
    callee.process.kill("SIGKILL");
  }, 20_000);

  test("a remote call moves on to the next node of a class when the first one was killed", async () => {
    const callee = await startCallee(server.url);
    const remote = createRemote({ transport: a });
    await b.serve(TENANT, () => Promise.resolve(bytesOf("second node")));
    // The first node answers for the class through `direct`, as it would itself.
    const place = direct.nats.subscribe("karst.place.acme.cleaner", {
      callback: (_, msg) => {
        const { node, token } = JSON.parse(new TextDecoder().decode(msg.data)) as { node: NodeId; token: string };
        direct.nats.publish(replySubject(node, token), JSON.stringify({ node: callee.node, settled: true }));
      },
    });
    await settle(direct, systemClock);
    expect(textOf(await remote.call(aCall({ body: bytesOf("first node") }), LONG))).toBe("first node");
    callee.process.kill("SIGKILL");
    place.unsubscribe();
    await b.offer(TENANT, "cleaner");
    expect(textOf(await remote.call(aCall(), LONG))).toBe("second node");
  }, 20_000);

  test("when the connection is closed for good open calls are Unavailable, and so are later ones", async () => {
    const held = await serveHeld();
    const call = a.call(b.node, aCall(), LONG).catch((error: unknown) => error);
    await held.running;
    await direct.nats.close();
    expect(await call).toMatchObject({ code: "Unavailable", data: { started: "unknown" } });
    const later = await a.call(b.node, aCall(), LONG).catch((error: unknown) => error);
    expect(later).toMatchObject({ code: "Unavailable", data: { started: "no" } });
    held.release("");
  });
});
