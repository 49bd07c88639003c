import { eventToken, parseAddress } from "@karst/events";
import type { AddressParts, EventFilter } from "@karst/events";
import { ClosedError } from "./errors.ts";
import { createEventQueue } from "./event-queue.ts";
import type { EventQueue } from "./event-queue.ts";
import type { EventStream } from "./event-stream.ts";

/** Whether an event is one that `filter` names. */
const fits = (agent: AddressParts, token: string, filter: EventFilter): boolean =>
  (filter.tenant ?? agent.tenant) === agent.tenant &&
  (filter.class ?? agent.class) === agent.class &&
  (filter.id ?? agent.id) === agent.id &&
  (filter.type ?? token) === token;

/** Events inside one process: handed on as they are, at once; nobody changes them. */
export function createMemoryEventStream(): EventStream {
  const subscribers = new Map<EventQueue, EventFilter>();
  let closed = false;
  const stream: EventStream = {
    get quiet() {
      return subscribers.size === 0;
    },
    publish(event) {
      if (closed || subscribers.size === 0) return;
      const agent = parseAddress(event.agent);
      const token = eventToken(event);
      for (const [queue, filter] of subscribers) if (fits(agent, token, filter)) queue.push(event);
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous
    async subscribe(filter = {}, o = {}) {
      if (closed) throw new ClosedError("the event stream");
      const queue = createEventQueue(o, () => {
        subscribers.delete(queue);
      });
      if (o.signal?.aborted !== true) subscribers.set(queue, filter);
      return queue;
    },
    flush: () => Promise.resolve(),
    close() {
      closed = true;
      for (const queue of subscribers.keys()) queue.end();
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => stream.close(),
  };
  return stream;
}
