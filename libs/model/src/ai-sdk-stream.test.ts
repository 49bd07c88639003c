import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { createSimulatedClock } from "@karst/events";
import { expect, test } from "vitest";
import { aiSdkCall, aiSdkStream } from "./ai-sdk-stream.ts";
import { collect } from "./collect.ts";

const CALL = aiSdkCall({ messages: [{ role: "user", content: "hello" }] });
const options = { clock: createSimulatedClock() };
const never = (): AbortSignal => new AbortController().signal;
const count = (input?: number, output?: number): Extract<LanguageModelV3StreamPart, { type: "finish" }>["usage"] => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
});
const finish = (unified: "stop" | "tool-calls" | "error", usage = count()): LanguageModelV3StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage,
});

function streaming(parts: readonly LanguageModelV3StreamPart[], cancelled: unknown[] = []): Pick<LanguageModelV3, "doStream"> {
  const left = [...parts];
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    pull(controller) {
      const part = left.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
    cancel(reason) {
      cancelled.push(reason);
    },
  });
  return { doStream: () => Promise.resolve({ stream }) };
}

test("parts that say nothing about text are passed over", async () => {
  const model = streaming([
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "" },
    { type: "text-delta", id: "1", delta: "hi" },
    { type: "text-end", id: "1" },
    { type: "raw", rawValue: {} },
    finish("stop", count(4, 2)),
  ]);
  expect(await collect(aiSdkStream(model, CALL, never(), options))).toMatchObject({
    text: "hi",
    usage: { input: 4, output: 2 },
    finish: { type: "finish", reason: "stop", raw: "stop" },
  });
});

test("half a count is no usage, and tool calls are an end of another kind", async () => {
  expect(await collect(aiSdkStream(streaming([finish("tool-calls", count(4))]), CALL, never(), options))).toMatchObject({
    usage: undefined,
    finish: { reason: "other", raw: "tool-calls" },
  });
});

test("a finish that only says error is a cut stream", async () => {
  expect((await collect(aiSdkStream(streaming([finish("error")]), CALL, never(), options))).failure?.kind).toBe("cut");
});

test("an error part ends the stream and lets the provider's go", async () => {
  const cancelled: unknown[] = [];
  const model = streaming([{ type: "error", error: new Error("odd") }, finish("stop")], cancelled);
  expect((await collect(aiSdkStream(model, CALL, never(), options))).failure).toEqual({ kind: "malformed", message: "odd" });
  expect(cancelled).toHaveLength(1);
});

test("an error part after the finish reason does not undo it", async () => {
  const model = streaming([
    { type: "raw", rawValue: "end" },
    { type: "error", error: new Error("odd") },
  ]);
  const readChunk = () => ({ finish: { reason: "stop", raw: "end" } }) as const;
  expect((await collect(aiSdkStream(model, CALL, never(), { ...options, readChunk }))).finish?.raw).toBe("end");
});

test("a model that throws before its stream is a failure, not a throw", async () => {
  const model = {
    doStream: () => {
      throw new Error("no such thing");
    },
  };
  expect((await collect(aiSdkStream(model, CALL, never(), options))).failure).toEqual({ kind: "malformed", message: "no such thing" });
});

test("a stream that opens after the abort is cancelled", async () => {
  const cancelled: unknown[] = [];
  const late = streaming([finish("stop")], cancelled);
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked: LanguageModelV3CallOptions | undefined;
  const model: Pick<LanguageModelV3, "doStream"> = {
    doStream: async (call) => {
      asked = call;
      await opened; // deaf to the signal
      return late.doStream(call);
    },
  };
  const controller = new AbortController();
  const reply = collect(aiSdkStream(model, CALL, controller.signal, options));
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(reply).rejects.toBe(reason);
  expect(asked?.abortSignal?.aborted).toBe(true);
  open();
  await new Promise((resolve) => setImmediate(resolve));
  expect(cancelled).toHaveLength(1);
});
