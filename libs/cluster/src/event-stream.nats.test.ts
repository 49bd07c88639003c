import { createRecordingLog, eventSubject, systemClock } from "@karst/events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settle } from "./connection.nats.ts";
import { anEvent, eventStreamContract } from "./event-stream.contract.ts";
import { createNatsEventStream } from "./event-stream.nats.ts";
import type { NatsEventStream } from "./event-stream.nats.ts";
import { describeWithNats } from "./testing/describe-nats.ts";
import { createNatsFixture } from "./testing/nats-fixture.ts";
import { startNatsServer } from "./testing/nats-server.ts";
import type { NatsServer } from "./testing/nats-server.ts";
import { startTcpProxy } from "./testing/tcp-proxy.ts";
import { until } from "./testing/until.ts";

const SUBJECT = eventSubject({ tenant: "acme", class: "cleaner", id: "nightly" }, "state-entered");

await describeWithNats("events over NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });

  // eslint-disable-next-line @typescript-eslint/require-await -- other fixtures wait
  eventStreamContract("NATS", async () => {
    const fixture = createNatsFixture(server);
    const streams: NatsEventStream[] = [];
    return {
      async stream() {
        const stream = createNatsEventStream({ connection: await fixture.connect(), clock: fixture.clock });
        streams.push(stream);
        return stream;
      },
      leftovers: () => fixture.leftovers(),
      async [Symbol.asyncDispose]() {
        await Promise.all(streams.map((stream) => stream.close()));
        await fixture[Symbol.asyncDispose]();
      },
    };
  });

  describe("NATS event stream", () => {
    test("any NATS client reads an event as JSON on its subject", async () => {
      await using fixture = createNatsFixture(server);
      const plain = (await fixture.connect()).nats.subscribe("karst.e.acme.*.*.*", { max: 1 });
      const connection = await fixture.connect();
      await using stream = createNatsEventStream({ connection });
      await settle(connection, systemClock);
      stream.publish(anEvent(1));
      for await (const msg of plain) {
        expect(msg.subject).toBe(SUBJECT);
        expect(JSON.parse(new TextDecoder().decode(msg.data))).toEqual(anEvent(1));
      }
    });

    test.each([
      ["no JSON", "{"],
      ["JSON that is no event", '{"hello":1}'],
      ["an event of another agent", JSON.stringify(anEvent(1, "other"))],
      ["an event of an agent that cannot be", JSON.stringify({ ...anEvent(1), agent: "acme" })],
      ["nothing", ""],
    ])("%s on an event's subject is skipped and counted, and the next event comes through", async (_, junk) => {
      await using fixture = createNatsFixture(server);
      const log = createRecordingLog();
      const connection = await fixture.connect();
      await using stream = createNatsEventStream({ connection, log });
      const events = await stream.subscribe();
      connection.nats.publish(SUBJECT, junk);
      stream.publish(anEvent(2));
      expect((await events.next()).value).toEqual(anEvent(2));
      expect(stream.skipped).toBe(1);
      expect(log.lines).toMatchObject([{ level: "warn", fields: { subject: SUBJECT, skipped: 1 } }]);
    });

    test("an event that no message can hold is dropped, counted and logged", async () => {
      await using fixture = createNatsFixture(server);
      const log = createRecordingLog();
      await using stream = createNatsEventStream({ connection: await fixture.connect(), log });
      const events = await stream.subscribe();
      stream.publish({ ...anEvent(1), type: "state-entered", state: "x".repeat(2 * 1024 * 1024) });
      stream.publish(anEvent(2));
      expect((await events.next()).value).toEqual(anEvent(2));
      expect(stream.dropped).toBe(1);
      expect(log.lines).toMatchObject([{ level: "error", fields: { subject: SUBJECT, dropped: 1 } }]);
    });

    describe("while its connection is down", () => {
      const lose = async () => {
        const proxy = await startTcpProxy(server.port);
        const fixture = createNatsFixture(server);
        const connection = await fixture.connect(`nats://127.0.0.1:${String(proxy.port)}`);
        const log = createRecordingLog();
        const stream = createNatsEventStream({ connection, log });
        const witness = createNatsEventStream({ connection: await fixture.connect() });
        await proxy.close();
        await until("the loss is noticed", () => !connection.connected);
        const end = async (): Promise<void> => {
          await stream.close();
          await witness.close();
          await fixture[Symbol.asyncDispose]();
        };
        return { port: proxy.port, stream, log, witness, end };
      };

      test("events are held back, and leave in order when it is back", async () => {
        const { port, stream, witness, end } = await lose();
        const events = await witness.subscribe();
        for (let seq = 1; seq <= 100; seq++) stream.publish(anEvent(seq));
        const again = await startTcpProxy(server.port, port);
        for (let seq = 1; seq <= 100; seq++) expect((await events.next()).value).toEqual(anEvent(seq));
        expect(stream.dropped).toBe(0);
        await end();
        await again.close();
      });
      test("past 10,000 events the oldest are dropped, counted and logged", async () => {
        const { stream, log, end } = await lose();
        for (let seq = 1; seq <= 10_002; seq++) stream.publish(anEvent(seq));
        expect(stream.dropped).toBe(2);
        expect(log.lines.filter((line) => line.message === "an event was not published")).toHaveLength(2);
        await end();
        expect(stream.dropped).toBe(10_002);
      });
      test("past 16 MiB too", async () => {
        const { stream, end } = await lose();
        for (let seq = 1; seq <= 40; seq++) stream.publish({ ...anEvent(seq), type: "state-entered", state: "x".repeat(512 * 1024) });
        expect(stream.dropped).toBeGreaterThan(7);
        expect(stream.dropped).toBeLessThan(12);
        await end();
      });
    });

    test("after its connection is closed for good publishing drops, counts and does not throw", async () => {
      await using fixture = createNatsFixture(server);
      const connection = await fixture.connect();
      const stream = createNatsEventStream({ connection });
      await connection.close();
      stream.publish(anEvent(1));
      await stream.close();
      expect(stream.dropped).toBe(1);
    });
  });
});
