import { createSimulatedClock } from "@karst/events";
import { expect, test, vi } from "vitest";
import { collect } from "./collect.ts";
import { withRetry } from "./model.retried.ts";
import { scriptedModel } from "./model.scripted.ts";
import type { ModelFailure } from "./model.ts";

const ASK = { messages: [{ role: "user", content: "hello" }] } as const;
const never = (): AbortSignal => new AbortController().signal;
const failing = (kind: ModelFailure["kind"], retryAfterMs?: number) => ({
  text: "",
  failAt: { chunk: 0, failure: { kind, message: kind, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } },
});
const highest = { next: () => 1 };

test("a stream that dies twice before any text is asked again and answers once", async () => {
  const clock = createSimulatedClock();
  const model = scriptedModel([failing("transient"), failing("cut"), { text: "here", usage: { input: 1, output: 1 } }]);
  const waits: unknown[] = [];
  const retried = withRetry(model, { clock, random: highest, onRetry: ({ retry, delayMs }) => waits.push([retry, delayMs]) });
  const reply = collect(retried.stream(ASK, never()));
  await vi.waitFor(() => {
    expect(clock.pending).toBe(1);
  });
  clock.advance(499);
  expect(model.requests).toHaveLength(1);
  clock.advance(1);
  await vi.waitFor(() => {
    expect(model.requests).toHaveLength(2);
  });
  await vi.waitFor(() => {
    expect(clock.pending).toBe(1);
  });
  clock.advance(1_000);
  expect(await reply).toMatchObject({ text: "here", usage: { input: 1, output: 1 }, finish: { reason: "stop" } });
  expect(waits).toEqual([
    [1, 500],
    [2, 1_000],
  ]);
  model.assertAllUsed();
});

test("Retry-After of seven seconds is waited for to the millisecond", async () => {
  const clock = createSimulatedClock();
  const model = scriptedModel([failing("rate-limited", 7_000), "here"]);
  const reply = collect(withRetry(model, { clock, random: highest }).stream(ASK, never()));
  await vi.waitFor(() => {
    expect(clock.pending).toBe(1);
  });
  clock.advance(6_999);
  expect(clock.pending).toBe(1);
  clock.advance(1);
  expect((await reply).text).toBe("here");
});

test("after text has come a failure passes, and nothing is asked again", async () => {
  const model = scriptedModel([{ text: "half", failAt: { chunk: 1, failure: { kind: "cut", message: "gone" } } }]);
  expect(await collect(withRetry(model).stream(ASK, never()))).toMatchObject({ text: "half", failure: { kind: "cut" } });
  expect(model.requests).toHaveLength(1);
});

test("after reasoning has come a failure passes too", async () => {
  const model = scriptedModel([{ ...failing("transient"), reasoning: "hmm" }]);
  expect(await collect(withRetry(model).stream(ASK, never()))).toMatchObject({ reasoning: "hmm", failure: { kind: "transient" } });
});

test.each(["billing", "unauthorized", "context-exceeded", "bad-request", "malformed"] as const)("%s is tried once", async (kind) => {
  const model = scriptedModel([failing(kind)]);
  expect((await collect(withRetry(model).stream(ASK, never()))).failure).toEqual({ kind, message: kind });
  model.assertAllUsed();
});

test("the last failure passes as it came when the retries are spent", async () => {
  const model = scriptedModel((_request, index) => ({
    text: "",
    failAt: { chunk: 0, failure: { kind: "transient", message: `try ${String(index)}` } },
  }));
  const reply = await collect(withRetry(model, { maxRetries: 2, random: { next: () => 0 } }).stream(ASK, never()));
  expect(reply.failure).toEqual({ kind: "transient", message: "try 2" });
  expect(model.requests).toHaveLength(3);
});

test("an abort ends the wait with its reason and leaves no timer", async () => {
  const clock = createSimulatedClock();
  const model = scriptedModel([failing("transient"), "never"]);
  const controller = new AbortController();
  const reply = collect(withRetry(model, { clock, random: highest }).stream(ASK, controller.signal));
  await vi.waitFor(() => {
    expect(clock.pending).toBe(1);
  });
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(reply).rejects.toBe(reason);
  expect(clock.pending).toBe(0);
  expect(model.requests).toHaveLength(1);
});

test("a defect is thrown on and not retried", async () => {
  const model = scriptedModel([]);
  await expect(collect(withRetry(model).stream(ASK, never()))).rejects.toMatchObject({ code: "ModelScript" });
  expect(model.requests).toHaveLength(1);
});

test("name and window are the model's own", () => {
  expect(withRetry(scriptedModel([], { id: "a", contextTokens: 9 }))).toMatchObject({ id: "a", contextTokens: 9 });
  expect(withRetry(scriptedModel([]))).not.toHaveProperty("contextTokens");
});
