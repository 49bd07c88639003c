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
  });
});
