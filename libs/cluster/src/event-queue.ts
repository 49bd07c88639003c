import type { KarstEvent } from "@karst/events";
import { StreamBrokenError } from "./errors.ts";
import type { SubscribeOptions } from "./event-stream.ts";

const DEFAULT_CAPACITY = 10_000;

/**
 * What one subscriber has not read yet.
 *
 * U1. Events come out in the order pushed, each once, to one reader.
 * U2. Past its capacity it takes no more: the reader gets what is in it, then `StreamBroken` with the number it was given.
 * U3. `leave` is called once, when the reader leaves, the signal aborts, the capacity is passed, or `end` is called; never inside `createEventQueue`:
 *     a queue made with an aborted signal is over from the start.
 */
export interface EventQueue extends AsyncIterableIterator<KarstEvent> {
  push(event: KarstEvent): void;
  /** Iteration ends at once; unread events are dropped. */
  end(): void;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

export function createEventQueue({ capacity = DEFAULT_CAPACITY, signal }: SubscribeOptions, leave: () => void): EventQueue {
  let unread: KarstEvent[] = [];
  /** Index of the next one in `unread`; those before it have been read. */
  let next = 0;
  let given = 0;
  let open = signal?.aborted !== true;
  let broken = false;
  const readers: ((result: IteratorResult<KarstEvent, undefined>) => void)[] = [];

  const shut = (): void => {
    if (!open) return;
    open = false;
    signal?.removeEventListener("abort", end);
    leave();
  };
  const end = (): void => {
    shut();
    unread = [];
    next = 0;
    broken = false;
    for (const read of readers.splice(0)) read(DONE);
  };
  const take = (): KarstEvent | undefined => {
    const event = unread[next];
    if (event === undefined) return undefined;
    next++;
    if (next === unread.length || next >= 1_024) {
      unread = unread.slice(next);
      next = 0;
    }
    given++;
    return event;
  };

  if (open) signal?.addEventListener("abort", end, { once: true });
  const queue: EventQueue = {
    push(event) {
      if (!open) return;
      const read = readers.shift();
      if (read !== undefined) {
        given++;
        read({ done: false, value: event });
      } else if (unread.length - next < capacity) unread.push(event);
      else {
        broken = true;
        shut();
      }
    },
    end,
    next() {
      const event = take();
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
      if (broken) {
        broken = false;
        return Promise.reject(new StreamBrokenError("the event stream of a slow subscriber", given));
      }
      if (!open) return Promise.resolve(DONE);
      return new Promise((resolve) => {
        readers.push(resolve);
      });
    },
    return() {
      end();
      return Promise.resolve(DONE);
    },
    [Symbol.asyncIterator]: () => queue,
  };
  return queue;
}
