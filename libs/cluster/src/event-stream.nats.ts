import type { Msg } from "nats";
import { eventFilterSubject, eventSchema, eventSubject, eventToken, parseAddress, silentLog, systemClock } from "@karst/events";
import type { Clock, KarstEvent, Log } from "@karst/events";
import { listen, settle } from "./connection.nats.ts";
import type { Connection } from "./connection.nats.ts";
import { ClosedError } from "./errors.ts";
import { createEventQueue } from "./event-queue.ts";
import type { EventQueue } from "./event-queue.ts";
import type { EventStream } from "./event-stream.ts";

/**
 * Events as JSON on `karst.e.<tenant>.<class>.<id>.<type>`, for any NATS client.
 *
 * Y1. While the connection is down events are held back, at most 10,000 of them and 16 MiB; past that the oldest go, counted and logged. What was
 *     handed to the client less than about 6 s before a loss was noticed may be lost: a gap in an agent's `seq` shows it.
 * Y2. What comes on these subjects and is no event, or names another agent or type than its subject, is skipped and counted.
 * Y3. An event that does not fit into a message of the server is dropped, counted and logged.
 */
export interface NatsEventStream extends EventStream {
  /** Foreign messages that subscribers skipped. */
  readonly skipped: number;
  /** Events that could not be published. */
  readonly dropped: number;
}

export interface NatsEventStreamDeps {
  readonly connection: Connection;
  readonly clock?: Clock;
  readonly log?: Log;
}

const HELD_EVENTS = 10_000;
const HELD_BYTES = 16 * 1024 * 1024;

interface Held {
  readonly subject: string;
  readonly body: Uint8Array;
}

export function createNatsEventStream({ connection, clock = systemClock, log = silentLog }: NatsEventStreamDeps): NatsEventStream {
  const { nats } = connection;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const queues = new Set<EventQueue>();
  let held: Held[] = [];
  let heldBytes = 0;
  let skipped = 0;
  let dropped = 0;
  let closed = false;

  const drop = (subject: string, why: string): void => {
    dropped++;
    log.error("an event was not published", { subject, why, dropped });
  };
  const hold = (message: Held): void => {
    held.push(message);
    heldBytes += message.body.length;
    while (held.length > HELD_EVENTS || heldBytes > HELD_BYTES) {
      const oldest = held.shift();
      if (oldest === undefined) return;
      heldBytes -= oldest.body.length;
      drop(oldest.subject, "the connection has been down for too long");
    }
  };
  const send = ({ subject, body }: Held): void => {
    try {
      nats.publish(subject, body);
    } catch (error) {
      drop(subject, `the connection to NATS is closed: ${String(error)}`);
    }
  };
  const off = connection.on((event) => {
    if (event.type !== "reconnected" && event.type !== "closed") return;
    const waiting = held;
    held = [];
    heldBytes = 0;
    for (const message of waiting) send(message);
  });

  /** The event in a message, or undefined when it is none. */
  const read = (msg: Msg): KarstEvent | undefined => {
    try {
      const parsed = eventSchema.safeParse(JSON.parse(decoder.decode(msg.data)));
      if (parsed.success && eventSubject(parseAddress(parsed.data.agent), eventToken(parsed.data)) === msg.subject) return parsed.data;
    } catch {
      // no JSON, or an address that is none: foreign, as below
    }
    skipped++;
    log.warn("skipped a message that is no event", { subject: msg.subject, skipped });
    return undefined;
  };

  const stream: NatsEventStream = {
    get skipped() {
      return skipped;
    },
    get dropped() {
      return dropped;
    },
    quiet: false,
    publish(event) {
      if (closed) return;
      const message: Held = {
        subject: eventSubject(parseAddress(event.agent), eventToken(event)),
        body: encoder.encode(JSON.stringify(event)),
      };
      if (message.body.length > connection.maxPayloadBytes)
        drop(message.subject, `${String(message.body.length)} bytes are more than the server takes`);
      else if (connection.connected) send(message);
      else hold(message);
    },
    async subscribe(filter = {}, o = {}) {
      if (closed) throw new ClosedError("the event stream");
      let leave = (): void => undefined;
      const queue = createEventQueue(o, () => {
        queues.delete(queue);
        leave();
      });
      queues.add(queue);
      if (o.signal?.aborted === true) {
        queues.delete(queue);
        return queue;
      }
      const subscription = await listen({ connection, clock, log }, eventFilterSubject(filter), (msg) => {
        const event = read(msg);
        if (event !== undefined) queue.push(event);
      });
      leave = () => {
        subscription.unsubscribe();
      };
      // Left while the server was asked.
      if (!queues.has(queue)) leave();
      return queue;
    },
    flush: () => settle(connection, clock),
    async close() {
      if (closed) return;
      closed = true;
      off();
      for (const queue of [...queues]) queue.end();
      for (const { subject } of held) drop(subject, "closed while the connection was down");
      held = [];
      if (connection.connected) await settle(connection, clock);
    },
    [Symbol.asyncDispose]: () => stream.close(),
  };
  return stream;
}
