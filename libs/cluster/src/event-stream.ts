import type { EventFilter, KarstEvent } from "@karst/events";

/**
 * Facts for whoever watches: published once, seen by every subscriber that is there.
 *
 * S1. The events of one agent arrive in the order published, each at most once per subscriber.
 * S2. A subscriber sees what is published after `subscribe` has resolved, and only what its filter names.
 * S3. A slow subscriber never slows a publisher: past `capacity` unread events its iteration ends with `StreamBroken`, naming how many came.
 * S4. Leaving the iteration, aborting `signal` or closing the stream frees the subscription; iteration then just ends.
 * S5. `publish` never throws for a subscriber's sake; it returns at once and keeps order.
 */
export interface EventStream extends AsyncDisposable {
  /** Nobody would see what is published now, so that a publisher may spare itself the making. Never true when that cannot be known. */
  readonly quiet: boolean;
  publish(event: KarstEvent): void;
  /** Resolves when what is published from now on will be seen. */
  subscribe(filter?: EventFilter, o?: SubscribeOptions): Promise<AsyncIterableIterator<KarstEvent>>;
  /** Resolves when all that was published has left this process. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SubscribeOptions {
  readonly signal?: AbortSignal;
  /** Unread events kept for this subscriber. Default 10,000. */
  readonly capacity?: number;
}
