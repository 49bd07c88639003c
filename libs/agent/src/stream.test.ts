import type { RunFact, RunSummary } from "@karst/events";
import { describe, expect, test } from "vitest";
import type { RunEvent, RunResult } from "./run.ts";
import { streamRun } from "./stream.ts";

const summary: RunSummary = {
  runId: "r",
  content: "done",
  completed: true,
  stopReason: "completed",
  steps: 1,
  elapsedMs: 1,
  usage: { input: 0, output: 0, total: 0, estimated: false },
  cells: [],
};
const result: RunResult = { ...summary, value: new Map([["live", 1]]) };
const stamp = { v: 1, id: "t/a/1:1:0", agent: "t/a/1", at: 0, runId: "r" } as const;
const delta = (seq: number): RunFact => ({ ...stamp, seq, type: "model-delta", step: 1, text: String(seq) });
const ended = (seq: number): RunFact => ({ ...stamp, seq, type: "run-ended", result: summary });

/** A run whose facts and end the test gives. */
function run(options: { readonly detach?: boolean; readonly signal?: AbortSignal } = {}) {
  let starts = 0;
  let give: (fact: RunFact) => void = () => undefined;
  let end: (result: RunResult) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  let signal: AbortSignal | undefined;
  const events = streamRun({
    detach: options.detach ?? false,
    signal: options.signal,
    start: (given, onFact) => {
      starts += 1;
      signal = given;
      give = onFact;
      return new Promise((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
  });
  return {
    events,
    starts: () => starts,
    signal: () => signal,
    give: (...facts: readonly RunFact[]) => {
      for (const fact of facts) give(fact);
    },
    end: () => {
      end(result);
    },
    fail: (error: unknown) => {
      fail(error);
    },
  };
}
const seqs = (events: readonly RunEvent[]): number[] => events.map(({ seq }) => seq);

async function readAll(events: AsyncIterable<RunEvent>, into: RunEvent[] = []): Promise<RunEvent[]> {
  for await (const event of events) into.push(event);
  return into;
}

test("it gives the facts in order, and run-ended last and once, with the whole result (F1)", async () => {
  const stream = run();
  const reading = readAll(stream.events);
  stream.give(delta(1), delta(2), ended(3));
  stream.end();
  const events = await reading;
  expect(seqs(events)).toEqual([1, 2, 3]);
  expect(events.filter(({ type }) => type === "run-ended")).toEqual([{ ...ended(3), result }]);
});

test("facts that come before the reader asks wait for it", async () => {
  const stream = run();
  const first = stream.events.next();
  stream.give(delta(1), delta(2), delta(3), ended(4));
  stream.end();
  expect((await first).value).toMatchObject({ seq: 1 });
  expect(seqs(await readAll(stream.events))).toEqual([2, 3, 4]);
});

test("nothing starts before the first event is asked for", async () => {
  const stream = run();
  expect(stream.starts()).toBe(0);
  await stream.events.return();
  expect(stream.starts()).toBe(0);
});

test("a call that fails throws from the iteration, after the facts that had come (F1)", async () => {
  const stream = run();
  const events: RunEvent[] = [];
  const reading = readAll(stream.events, events);
  stream.give(delta(1));
  const failure = new TypeError("lost");
  stream.fail(failure);
  await expect(reading).rejects.toBe(failure);
  expect(seqs(events)).toEqual([1]);
});

test("a result without its last event is StreamBroken (F1)", async () => {
  const stream = run();
  const reading = readAll(stream.events);
  stream.give(delta(1));
  stream.end();
  await expect(reading).rejects.toMatchObject({ code: "StreamBroken" });
});

describe("leaving early (F2)", () => {
  test("cancels the run", async () => {
    const stream = run();
    const first = stream.events.next();
    stream.give(delta(1));
    await first;
    expect(stream.signal()?.aborted).toBe(false);
    await stream.events.return();
    expect(stream.signal()?.reason).toMatchObject({ code: "Cancelled" });
  });

  test("does not cancel a detached run, however much it still says", async () => {
    const stream = run({ detach: true });
    const first = stream.events.next();
    stream.give(delta(1));
    await first;
    await stream.events.return();
    for (let seq = 2; seq < 12_000; seq += 1) stream.give(delta(seq));
    expect(stream.signal()?.aborted).toBe(false);
  });

  test("after the end cancels nothing", async () => {
    const stream = run();
    const reading = readAll(stream.events);
    stream.give(ended(1));
    stream.end();
    await reading;
    expect(stream.signal()?.aborted).toBe(false);
  });
});

test("the caller's own signal reaches the run, detached or not", async () => {
  for (const detach of [true, false]) {
    const caller = new AbortController();
    const stream = run({ detach, signal: caller.signal });
    const first = stream.events.next();
    stream.give(delta(1));
    await first;
    caller.abort("enough");
    expect(stream.signal()?.reason).toBe("enough");
  }
});

test("a reader 10,000 events behind gets those, then StreamBroken, and the run is cancelled (F3)", async () => {
  const stream = run();
  const first = stream.events.next();
  for (let seq = 1; seq <= 10_001; seq += 1) stream.give(delta(seq));
  await first;
  const events: RunEvent[] = [];
  await expect(readAll(stream.events, events)).rejects.toMatchObject({ code: "StreamBroken" });
  expect(events.length).toBeGreaterThanOrEqual(9_999);
  expect(stream.signal()?.reason).toMatchObject({ code: "Cancelled" });
});
