import type { AgentAddress, Clock, KarstEvent, NewEvent } from "@karst/events";
import type { EventStream } from "@karst/cluster";

/**
 * Where an agent's facts leave it: numbered, in order.
 *
 * O1. `seq` counts an agent's events without a gap; `id` follows from address and `seq`.
 * O2. What a turn wants to send is held until the turn is committed, and dropped with a turn that failed (G4).
 */
const NONE: readonly NewEvent[] = [];

export class Outbox {
  readonly #address: AgentAddress;
  readonly #events: EventStream;
  readonly #clock: Clock;
  #seq = 0;
  #held: readonly NewEvent[] = NONE;

  constructor(address: AgentAddress, events: EventStream, clock: Clock) {
    this.#address = address;
    this.#events = events;
    this.#clock = clock;
  }

  /** Numbers a fact and lets it go. Undefined when nobody would see it and it is not `wanted` here: then it was only counted. */
  publish(fact: NewEvent, wanted = false): KarstEvent | undefined {
    this.#seq += 1;
    if (this.#events.quiet && !wanted) return undefined;
    const event = {
      ...fact,
      v: 1,
      id: `${this.#address}:${String(this.#seq)}:0`,
      agent: this.#address,
      seq: this.#seq,
      at: this.#clock.now(),
    } as KarstEvent; // a NewEvent and its stamp are an event
    this.#events.publish(event);
    return event;
  }

  /** Keeps a fact until the turn is committed. */
  hold(fact: NewEvent): void {
    this.#held = [...this.#held, fact];
  }

  release(): void {
    const held = this.#held;
    this.#held = NONE;
    for (const fact of held) this.publish(fact);
  }

  drop(): void {
    this.#held = NONE;
  }
}
