import { formatAddress } from "@karst/events";
import type { KarstEvent } from "@karst/events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventStream } from "./event-stream.ts";
import { codeOf } from "./testing/calls.ts";

/** Streams under test that carry the same events; disposing it closes them all. */
export interface EventStreamFixture extends AsyncDisposable {
  /** A stream of another process, or the same one again when there is only one. */
  stream(): Promise<EventStream>;
  /** What the closed streams left. */
  leftovers(): Promise<readonly string[]>;
}

/** The `seq`-th event of an agent. */
export function anEvent(seq: number, id = "nightly", className = "cleaner", tenant = "acme"): KarstEvent {
  const agent = formatAddress({ tenant, class: className, id });
  return {
    v: 1,
    id: `${agent}:${String(seq)}:0`,
    agent,
    seq,
    at: 1_700_000_000_000 + seq,
    type: "state-entered",
    state: `s${String(seq)}`,
  };
}

async function take(events: AsyncIterator<KarstEvent>, count: number): Promise<KarstEvent[]> {
  const taken: KarstEvent[] = [];
  while (taken.length < count) {
    const next = await events.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}
const seqs = (events: readonly KarstEvent[]): number[] => events.map((event) => event.seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The sentences S1 to S5 of `EventStream`. */
export function eventStreamContract(name: string, make: () => Promise<EventStreamFixture>): void {
  describe(`event stream contract: ${name}`, () => {
    let fixture: EventStreamFixture;
    let source: EventStream;
    let stream: EventStream;
    beforeEach(async () => {
      fixture = await make();
      source = await fixture.stream();
      stream = await fixture.stream();
    });
    afterEach(async () => {
      await fixture[Symbol.asyncDispose]();
    });

    describe("S1: order, and each once", () => {
      test("events arrive equal, in the order published, each once", async () => {
        const events = await stream.subscribe();
        for (const seq of upTo(1_000)) source.publish(anEvent(seq));
        const end = anEvent(1, "end");
        source.publish(end);
        const taken = await take(events, 1_001);
        expect(taken[0]).toEqual(anEvent(1));
        expect(seqs(taken.slice(0, -1))).toEqual(upTo(1_000));
        expect(taken.at(-1)).toEqual(end);
      });
      test("every subscriber gets every event", async () => {
        const readers = await Promise.all([stream.subscribe(), stream.subscribe(), source.subscribe()]);
        for (const seq of upTo(3)) source.publish(anEvent(seq));
        const taken = await Promise.all(readers.map((reader) => take(reader, 3)));
        expect(taken.map(seqs)).toEqual([upTo(3), upTo(3), upTo(3)]);
      });
    });

    describe("quiet", () => {
      test("a stream with a reader is not quiet", async () => {
        await stream.subscribe();
        expect(source.quiet).toBe(false);
      });
    });

    describe("S2: what a subscriber sees", () => {
      test("what was published before it subscribed is not seen, what comes after is", async () => {
        source.publish(anEvent(1));
        await source.flush();
        const events = await stream.subscribe();
        source.publish(anEvent(2));
        expect(seqs(await take(events, 1))).toEqual([2]);
      });
      test.each([
        [{ tenant: "other" }, [3]],
        [{ class: "analyzer" }, [2]],
        [{ id: "a b.c" }, [4]],
        [{ tenant: "acme", class: "cleaner", id: "nightly" }, [1, 9]],
        [{ type: "state-entered" }, [1, 2, 3, 4, 9]],
        [{ type: "agent-stopped" }, [8]],
        [{ type: "rows-counted" }, [7]],
        [{}, [1, 2, 3, 4, 7, 8, 9]],
      ])("the filter %j lets exactly the events it names through", async (filter, expected) => {
        const events = await stream.subscribe(filter);
        const { v, at } = anEvent(1);
        const agent = formatAddress({ tenant: "acme", class: "x", id: "y" });
        source.publish(anEvent(1));
        source.publish(anEvent(2, "nightly", "analyzer"));
        source.publish(anEvent(3, "nightly2", "cleaner", "other"));
        source.publish(anEvent(4, "a b.c"));
        source.publish({ v, at, agent, id: `${agent}:7:0`, seq: 7, type: "event-emitted", name: "rows-counted", payload: { rows: 3 } });
        source.publish({ v, at, agent, id: `${agent}:8:0`, seq: 8, type: "agent-stopped", reason: "idle" });
        source.publish(anEvent(9));
        expect(seqs(await take(events, expected.length))).toEqual(expected);
        // The last one that fits has come; nothing else may follow the marker that is published behind it.
        await source.flush();
        await stream.flush();
        const left = events.next();
        await events.return?.();
        expect(await left).toEqual({ done: true, value: undefined });
      });
    });

    describe("S3: slow subscribers", () => {
      test("past its capacity a subscriber gets what it has, then StreamBroken with the number that came", async () => {
        const events = await stream.subscribe({}, { capacity: 10 });
        const others = await stream.subscribe();
        for (const seq of upTo(50)) source.publish(anEvent(seq));
        expect(seqs(await take(others, 50))).toEqual(upTo(50));
        expect(seqs(await take(events, 10))).toEqual(upTo(10));
        const error = await events.next().catch((failure: unknown) => failure);
        expect(error).toMatchObject({ code: "StreamBroken", data: { received: 10 } });
        expect(await events.next()).toEqual({ done: true, value: undefined });
      });
      test("a subscriber that keeps up may see more than its capacity", async () => {
        const events = await stream.subscribe({}, { capacity: 10 });
        for (const round of [0, 1, 2, 3]) {
          for (const seq of upTo(10)) source.publish(anEvent(round * 10 + seq));
          expect(seqs(await take(events, 10))).toEqual(upTo(10).map((seq) => round * 10 + seq));
        }
      });
    });

    describe("S4: leaving", () => {
      test("leaving the iteration ends it and frees the subscription", async () => {
        const events = await stream.subscribe();
        source.publish(anEvent(1));
        source.publish(anEvent(2));
        for await (const event of events) {
          expect(event.seq).toBe(1);
          break;
        }
        expect(await events.next()).toEqual({ done: true, value: undefined });
        await stream.flush();
        await stream.close();
        expect(await fixture.leftovers()).toEqual([]);
      });
      test("aborting the signal ends the iteration, also one that waits", async () => {
        const abort = new AbortController();
        const events = await stream.subscribe({}, { signal: abort.signal });
        const waiting = events.next();
        abort.abort();
        expect(await waiting).toEqual({ done: true, value: undefined });
        expect(await events.next()).toEqual({ done: true, value: undefined });
      });
      test("subscribing with an aborted signal gives an iteration that is over", async () => {
        const events = await stream.subscribe({}, { signal: AbortSignal.abort() });
        source.publish(anEvent(1));
        expect(await events.next()).toEqual({ done: true, value: undefined });
      });
      test("closing the stream ends its iterations; subscribing afterwards is refused", async () => {
        const events = await stream.subscribe();
        const waiting = events.next();
        await stream.close();
        expect(await waiting).toEqual({ done: true, value: undefined });
        expect(await codeOf(stream.subscribe())).toBe("Closed");
        await stream.close();
        expect(await fixture.leftovers()).toEqual([]);
      });
    });

    describe("S5: publishing", () => {
      test("without any subscriber, with a broken one, and after closing, publishing does not throw", async () => {
        source.publish(anEvent(1));
        await source.flush();
        const events = await stream.subscribe({}, { capacity: 1 });
        const witness = await stream.subscribe();
        for (const seq of upTo(100)) source.publish(anEvent(seq));
        expect(seqs(await take(witness, 100))).toEqual(upTo(100));
        await source.close();
        source.publish(anEvent(101));
        expect(seqs(await take(events, 1))).toEqual([1]);
        await expect(events.next()).rejects.toMatchObject({ code: "StreamBroken", data: { received: 1 } });
      });
    });
  });
}
