import { createMemoryEventStream } from "@karst/cluster";
import { createSimulatedClock, eventSchema, formatAddress } from "@karst/events";
import type { KarstEvent, NewEvent } from "@karst/events";
import { describe, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";

const address = formatAddress({ tenant: "t", class: "shelf", id: "1" });
const fact = (name: string): NewEvent => ({ type: "event-emitted", name, payload: {} });

async function setUp(watched = true) {
  const events = createMemoryEventStream();
  const clock = createSimulatedClock(1_700_000_000_000);
  const reader = watched ? await events.subscribe() : undefined;
  /** The next events, as many as asked for. */
  const read = async (count: number): Promise<KarstEvent[]> => {
    const seen: KarstEvent[] = [];
    while (reader !== undefined && seen.length < count) {
      const { value } = (await reader.next()) as { readonly value: KarstEvent }; // the stream is open
      seen.push(value);
    }
    return seen;
  };
  return { outbox: new Outbox(address, events, clock), events, clock, read };
}
const nameOf = (event: KarstEvent): string => (event.type === "event-emitted" ? event.name : event.type);

describe("an agent's facts", () => {
  test("are numbered from 1 without a gap, with an id that follows from the number, and fit the schema (O1)", async () => {
    const { outbox, clock, read } = await setUp();
    outbox.publish(fact("a"));
    clock.advance(5);
    outbox.publish(fact("b"));
    const seen = await read(2);
    expect(seen.map(({ seq, id, agent, at, v }) => ({ seq, id, agent, at, v }))).toEqual([
      { seq: 1, id: "t/shelf/1:1:0", agent: address, at: 1_700_000_000_000, v: 1 },
      { seq: 2, id: "t/shelf/1:2:0", agent: address, at: 1_700_000_000_005, v: 1 },
    ]);
    for (const event of seen) expect(eventSchema.parse(event)).toEqual(event);
  });

  test("are only counted while nobody would see them, unless they are wanted here", async () => {
    const { outbox, events } = await setUp(false);
    expect(outbox.publish(fact("a"))).toBeUndefined();
    expect(outbox.publish(fact("b"), true)).toMatchObject({ seq: 2, name: "b" });
    const reader = await events.subscribe();
    outbox.publish(fact("c"));
    expect((await reader.next()).value).toMatchObject({ seq: 3, name: "c" });
  });
});

describe("what a turn wants to send (O2)", () => {
  test("leaves in order when the turn is committed, once, numbered then", async () => {
    const { outbox, read } = await setUp();
    outbox.hold(fact("a"));
    outbox.hold(fact("b"));
    outbox.publish(fact("before"));
    outbox.release();
    outbox.release();
    outbox.publish(fact("after"));
    const seen = await read(4);
    expect(seen.map(nameOf)).toEqual(["before", "a", "b", "after"]);
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("is dropped with a turn that failed, and leaves no gap", async () => {
    const { outbox, read } = await setUp();
    outbox.hold(fact("a"));
    outbox.drop();
    outbox.hold(fact("failed"));
    outbox.release();
    const [only] = await read(1);
    expect(only).toMatchObject({ name: "failed", seq: 1 });
  });
});
