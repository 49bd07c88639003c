import { CancelledError, OverloadedError } from "./errors.ts";

/**
 * Calls that wait for an agent: bounded, first in first out.
 *
 * B1. At most `capacity.calls` calls and `capacity.bytes` bytes of arguments wait; one more is refused at once.
 * B2. Calls leave in the order they came; those of one caller therefore keep theirs.
 * B3. A call whose caller has gone is never started: it leaves when its turn comes, or when its room is needed.
 */
export interface Waiting {
  readonly bytes: number;
  /** Whether its caller has gone: cancelled, or past the deadline. */
  readonly call: { readonly stopped: boolean };
  /** Begins the turn; must not throw. */
  start(): void;
  refuse(error: unknown): void;
}

export interface MailboxCapacity {
  readonly calls: number;
  readonly bytes: number;
}

export const MAILBOX_CAPACITY: MailboxCapacity = { calls: 256, bytes: 8 * 1024 * 1024 };

export class Mailbox {
  readonly #owner: string;
  readonly #capacity: MailboxCapacity;
  #waiting: Waiting[] = [];
  #bytes = 0;

  constructor(owner: string, capacity: MailboxCapacity = MAILBOX_CAPACITY) {
    this.#owner = owner;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** @throws {OverloadedError} when full (B1). */
  put(waiting: Waiting): void {
    if (this.#isFull(waiting.bytes)) this.#sweep();
    if (this.#isFull(waiting.bytes)) throw new OverloadedError(this.#owner, this.#waiting.length, this.#bytes);
    this.#waiting.push(waiting);
    this.#bytes += waiting.bytes;
  }

  /** The next call whose caller is there, taken out; undefined when none waits. */
  take(): Waiting | undefined {
    for (;;) {
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return undefined;
      this.#bytes -= waiting.bytes;
      if (!waiting.call.stopped) return waiting;
      this.#refuse(waiting);
    }
  }

  /** Refuses all that wait. */
  clear(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const each of waiting) each.refuse(error);
  }

  #isFull(bytes: number): boolean {
    return this.#waiting.length >= this.#capacity.calls || this.#bytes + bytes > this.#capacity.bytes;
  }

  #sweep(): void {
    for (const waiting of this.#waiting.filter(({ call }) => call.stopped)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#bytes -= waiting.bytes;
      this.#refuse(waiting);
    }
  }

  #refuse(waiting: Waiting): void {
    waiting.refuse(new CancelledError(`a call that waited for ${this.#owner}`));
  }
}
