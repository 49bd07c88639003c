import { callSubject, controlSubject, createRecordingLog, replySubject, systemClock } from "@karst/events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connectNats, settle } from "./connection.nats.ts";
import type { Connection } from "./connection.nats.ts";
import { aCall, bytesOf, deferred, textOf } from "./testing/calls.ts";
import { describeWithNats } from "./testing/describe-nats.ts";
import { startNatsServer } from "./testing/nats-server.ts";
import type { NatsServer } from "./testing/nats-server.ts";
import { LONG, TENANT, echo } from "./testing/transport-case.ts";
import { openNatsTransport } from "./transport.nats.ts";
import type { Transport } from "./transport.ts";

await describeWithNats("foreign messages on the subjects of calls", () => {
  let server: NatsServer;
  let own: Connection;
  /** Of the node under test, and of whoever publishes junk. */
  let foreign: Connection;
  let a: Transport;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });
  beforeEach(async () => {
    own = await connectNats({ url: server.url });
    foreign = await connectNats({ url: server.url });
    a = await openNatsTransport({ connection: own });
  });
  afterEach(async () => {
    await a.close();
    await own.close();
    await foreign.close();
  });

  test.each([
    ["nothing", ""],
    ["a line that is no JSON", "karst\nbody"],
    ["no line at all", "x".repeat(40_000)],
    ["a head without fields", '{"v":1}\n'],
    ["a head of another version", '{"v":2,"id":"c","to":"acme/a/b","m":"x","ttl":1000,"node":"n","from":null,"chain":[]}\n'],
    ["an address that is none", '{"v":1,"id":"c","to":"acme","m":"x","ttl":1000,"node":"n","from":null,"chain":[]}\n'],
    ["a call to another tenant", '{"v":1,"id":"c","to":"other/a/b","m":"x","ttl":1000,"node":"n","from":null,"chain":[]}\n'],
    ["a reply subject that is none", '{"v":1,"id":"c","to":"acme/a/b","m":"x","ttl":1000,"node":"a.b","from":null,"chain":[]}\n'],
  ])("%s on a node's call subject is dropped and logged, and the next call comes through", async (_, junk) => {
    const log = createRecordingLog();
    const node = await openNatsTransport({ connection: foreign, log });
    let entries = 0;
    await node.serve(TENANT, (call) => {
      entries++;
      return echo(call);
    });
    foreign.nats.publish(callSubject(TENANT, node.node), junk);
    foreign.nats.publish(controlSubject(TENANT, node.node), junk);
    foreign.nats.publish(replySubject(node.node, "call"), junk);
    expect(textOf(await a.call(node.node, aCall({ body: bytesOf("next") }), LONG))).toBe("next");
    expect(entries).toBe(1);
    expect(log.lines.length).toBeGreaterThan(0);
    await node.close();
  });

  test("a reply that is none ends nothing: the real one does", async () => {
    const node = await openNatsTransport({ connection: foreign });
    const running = deferred();
    const end = deferred<Uint8Array>();
    await node.serve(TENANT, () => {
      running.resolve();
      return end.promise;
    });
    const call = aCall();
    const result = a.call(node.node, call, LONG);
    await running.promise;
    foreign.nats.publish(replySubject(a.node, call.id), "junk");
    foreign.nats.publish(replySubject(a.node, call.id), Uint8Array.from([0x65, 0, 0, 0])); // an error cut short
    await settle(foreign, systemClock);
    end.resolve(bytesOf("real"));
    expect(textOf(await result)).toBe("real");
    await node.close();
  });
});
