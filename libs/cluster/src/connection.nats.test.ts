import { createRecordingLog, errorCode } from "@karst/events";
import { DebugEvents } from "nats";
import { writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectNats } from "./connection.nats.ts";
import type { ConnectionEvent } from "./connection.nats.ts";
import { createNatsEventStream } from "./event-stream.nats.ts";
import { aCall, codeOf } from "./testing/calls.ts";
import { describeWithNats } from "./testing/describe-nats.ts";
import { startFakeNats } from "./testing/fake-nats.ts";
import { startNatsServer } from "./testing/nats-server.ts";
import type { NatsServer } from "./testing/nats-server.ts";
import { startTcpProxy } from "./testing/tcp-proxy.ts";
import { until } from "./testing/until.ts";
import { openNatsTransport } from "./transport.nats.ts";

/** A port of the loopback interface on which nothing listens. */
async function freePort(): Promise<number> {
  const proxy = await startTcpProxy(1);
  await proxy.close();
  return proxy.port;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );

describe("connecting to what is no usable NATS server", () => {
  test("a server that is not there is Unavailable in bounded time, with address and cause, without credentials", async () => {
    const port = await freePort();
    const from = performance.now();
    const error = await failure(connectNats({ url: `nats://someone:hunter2@127.0.0.1:${String(port)}`, connectTimeoutMs: 700 }));
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(error).toMatchObject({ code: "Unavailable", retryable: true });
    expect(String(error)).toContain(`nats://127.0.0.1:${String(port)}`);
    expect(String(error)).toContain("ECONNREFUSED");
    expect(String(error)).not.toContain("hunter2");
  });
  test("a server that accepts and stays silent is Unavailable in bounded time", async () => {
    await using fake = await startFakeNats(null);
    const from = performance.now();
    expect(await codeOf(connectNats({ url: fake.url, connectTimeoutMs: 300 }))).toBe("Unavailable");
    expect(performance.now() - from).toBeLessThan(2_500);
  });
  test("waiting for a server ends when the signal aborts", async () => {
    const abort = new AbortController();
    const connecting = codeOf(
      connectNats({ url: `nats://127.0.0.1:${String(await freePort())}`, connectTimeoutMs: 60_000, signal: abort.signal }),
    );
    abort.abort();
    expect(await connecting).toBe("Cancelled");
  });
  test.each(["", "localhost", "http://127.0.0.1:4222", "nats://", "nats://a:4222,ftp://b"])(
    "the URL %j is refused at once, by name",
    async (url) => {
      const error = await failure(connectNats({ url }));
      expect(error).toMatchObject({ code: "InvalidConfig" });
      expect(String(error)).toContain("nats://127.0.0.1:4222");
    },
  );
  test.each([
    ["a version before 2.9", { version: "2.8.4" }, "2.8.4"],
    ["headers turned off", { headers: false }, "headers"],
    ["messages of 1 KiB at most", { max_payload: 1_024 }, "1024"],
  ])("a server with %s is refused at once, by name", async (_, greeting, named) => {
    await using fake = await startFakeNats(greeting);
    const error = await failure(connectNats({ url: fake.url }));
    expect(errorCode(error)).toBe("InvalidConfig");
    expect(String(error)).toContain(named);
  });
});

await describeWithNats("connections to NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });

  test("a connection tells what it is connected to", async () => {
    await using connection = await connectNats({ url: server.url, name: "test" });
    expect(connection).toMatchObject({ url: server.url, serverVersion: server.version, connected: true, maxPayloadBytes: 1_048_576 });
  });

  test("with several servers in the URL the one that is there is taken", async () => {
    await using connection = await connectNats({ url: `nats://127.0.0.1:${String(await freePort())},${server.url}` });
    expect(connection.connected).toBe(true);
  });

  test("it waits for a server that comes later", async () => {
    const late = await startNatsServer();
    await late.kill();
    const connecting = connectNats({ url: late.url, connectTimeoutMs: 10_000 });
    await late.restart();
    const connection = await connecting;
    expect(connection.connected).toBe(true);
    await connection.close();
    await late.close();
  });

  test("closing is told once, does not wait for a dead server, and may be repeated", async () => {
    const doomed = await startNatsServer();
    const connection = await connectNats({ url: doomed.url });
    const events: ConnectionEvent["type"][] = [];
    connection.on((event) => events.push(event.type));
    await doomed.close();
    await until("the loss is noticed", () => !connection.connected);
    const from = performance.now();
    await Promise.all([connection.close(), connection.close()]);
    expect(performance.now() - from).toBeLessThan(2_500);
    expect(events).toEqual(["disconnected", "closed"]);
  });

  test("closing a half-open connection takes no longer than 2 s and something", async () => {
    await using proxy = await startTcpProxy(server.port);
    const connection = await connectNats({ url: `nats://127.0.0.1:${String(proxy.port)}`, pingMs: 60_000 });
    proxy.set({ type: "drop" });
    const from = performance.now();
    await connection.close();
    expect(performance.now() - from).toBeLessThan(3_000);
  });

  test("a half-open link is noticed by its missing pings, and the connection comes back", async () => {
    await using proxy = await startTcpProxy(server.port);
    const log = createRecordingLog();
    await using connection = await connectNats({ url: `nats://127.0.0.1:${String(proxy.port)}`, pingMs: 100, log });
    proxy.set({ type: "drop" });
    await until("the loss is noticed", () => !connection.connected, 2_000);
    proxy.set({ type: "pass" });
    await until("the connection is back", () => connection.connected);
    expect(log.lines.map((line) => line.message)).toContain("the connection to NATS is back");
  });

  test("it comes back after more than ten attempts that failed, and says so once", async () => {
    const restarted = await startNatsServer();
    await using connection = await connectNats({ url: restarted.url });
    let attempts = 0;
    const count = async (): Promise<void> => {
      for await (const { type } of connection.nats.status()) if (type === DebugEvents.Reconnecting) attempts++;
    };
    void count();
    const events: string[] = [];
    connection.on((event) => events.push(event.type));
    await restarted.kill();
    await until("more than ten attempts have failed", () => attempts > 11, 20_000);
    await restarted.restart();
    await until("the connection is back", () => connection.connected);
    await connection.nats.flush();
    expect(events).toEqual(["disconnected", "reconnected"]);
    await restarted.close();
  }, 30_000);

  describe("with accounts", () => {
    let guarded: NatsServer;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "karst-conf-"));
      const file = path.join(folder, "nats.conf");
      const limited = `{ user: limited, password: b, permissions: { publish: { deny: ["karst.n.>"] }, subscribe: { deny: ["karst.e.>"] } } }`;
      await writeFile(file, `authorization { users: [ { user: "full", password: "p@ss:w/rd" }, ${limited} ] }\n`);
      guarded = await startNatsServer({ args: ["--config", file] });
    });
    afterAll(async () => {
      await guarded.close();
      await rm(folder, { recursive: true });
    });
    const as = (credentials: string): string => guarded.url.replace("//", `//${credentials}@`);

    test("credentials of the URL are used, escaped ones too", async () => {
      await using connection = await connectNats({ url: as(encodeURIComponent("full") + ":" + encodeURIComponent("p@ss:w/rd")) });
      expect(connection.connected).toBe(true);
      expect(connection.url).toBe(guarded.url);
    });
    test("wrong credentials are Unauthorized at once, and not shown", async () => {
      const from = performance.now();
      const error = await failure(connectNats({ url: as("full:wrong-one"), connectTimeoutMs: 60_000 }));
      expect(performance.now() - from).toBeLessThan(3_000);
      expect(errorCode(error)).toBe("Unauthorized");
      expect(String(error)).not.toContain("wrong-one");
    });
    test("a call on a subject that the server denies us is Unauthorized, not silence", async () => {
      await using connection = await connectNats({ url: as("limited:b") });
      const transport = await openNatsTransport({ connection });
      const from = performance.now();
      expect(
        await codeOf(transport.call(transport.node.replace("node", "other") as typeof transport.node, aCall(), { timeoutMs: 5_000 })),
      ).toBe("Unauthorized");
      expect(performance.now() - from).toBeLessThan(1_000);
      await transport.close();
    });
    test("a subscription that the server denies us is Unauthorized", async () => {
      await using connection = await connectNats({ url: as("limited:b") });
      await using stream = createNatsEventStream({ connection });
      expect(await codeOf(stream.subscribe())).toBe("Unauthorized");
    });
  });
});
