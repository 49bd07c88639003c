import { createSimulatedClock } from "@karst/events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { collect } from "./collect.ts";
import { openaiCompatible } from "./model.openai-compatible.ts";
import type { ModelPart } from "./model.ts";
import { answer, ASK, KEY, never, served } from "./testing/served-model.ts";
import { WIRE_DONE, wireAnswer, wireChunk, wireEvent, wireStream, wireUsage } from "./testing/wire-format.ts";
import { startWireServer } from "./testing/wire-server.ts";

describe("streams that break", () => {
  test("a stream without a finish reason is cut, with and without the closing mark", async () => {
    const { ask } = await served([wireStream(wireChunk({ content: "half" })), wireStream(wireChunk({ content: "half" }), WIRE_DONE)]);
    for (let round = 0; round < 2; round++)
      expect(await ask()).toMatchObject({ text: "half", finish: undefined, failure: { kind: "cut" } });
  });

  test("text that was read before the socket broke is kept", async () => {
    let broke = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      broke = resolve;
    });
    const { model } = await served([wireStream(wireChunk({ content: "half" }), { do: "wait", until }, { do: "cut" })]);
    const parts: ModelPart[] = [];
    for await (const part of model.stream(ASK, never())) {
      parts.push(part);
      broke();
    }
    expect(parts).toMatchObject([
      { type: "text", text: "half" },
      { type: "error", error: { kind: "cut" } },
    ]);
  });

  test("a socket that breaks before the first byte of the body is cut", async () => {
    const { ask } = await served([wireStream({ do: "cut" })]);
    expect((await ask()).failure?.kind).toBe("cut");
  });

  test("a socket that breaks after the finish reason ends a finished reply", async () => {
    let read = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      read = resolve;
    });
    const clock = createSimulatedClock();
    const { model } = await served(
      [wireStream(wireChunk({ content: "all" }), wireChunk({}, "stop"), { do: "wait", until }, { do: "cut" })],
      { clock },
    );
    const reply = collect(model.stream(ASK, never()));
    await vi.waitFor(() => {
      expect(clock.pending).toBe(1);
    }); // the finish reason was read
    read();
    expect(await reply).toMatchObject({ text: "all", finish: { reason: "stop", raw: "stop" } });
    expect(clock.pending).toBe(0);
  });

  test("a provider that is silent after the finish reason is left after two seconds", async () => {
    const clock = createSimulatedClock();
    const { server, model } = await served(
      [wireStream(wireChunk({ content: "all" }), wireChunk({}, "length"), wireUsage(9, 4), { do: "stall" })],
      { clock },
    );
    const reply = collect(model.stream(ASK, never()));
    await vi.waitFor(() => {
      expect(clock.pending).toBe(1);
    });
    clock.advance(2_000);
    expect(await reply).toMatchObject({ text: "all", finish: { reason: "length" } });
    await vi.waitFor(() => {
      expect(server).toMatchObject({ open: 0, hungUp: 1 });
    });
  });

  test("a malformed event ends the stream as malformed, also where more follows", async () => {
    for (const bad of [wireEvent('{"choices": [{'), wireEvent({ choices: "none" })]) {
      const { ask } = await served([
        wireStream(wireChunk({ content: "a" }), bad, wireChunk({ content: "b" }), wireChunk({}, "stop"), WIRE_DONE),
      ]);
      expect(await ask()).toMatchObject({ text: "a", failure: { kind: "malformed" } });
    }
  });

  test.each([
    [{ error: { message: "The server is overloaded", type: "server_error", code: null } }, "transient"],
    [{ error: { message: "Rate limit reached", type: "rate_limit_error" } }, "rate-limited"],
    [{ error: { message: "You exceeded your current quota", code: "insufficient_quota" } }, "billing"],
    [{ error: { message: "bad key", type: "authentication_error" } }, "unauthorized"],
    [{ error: { code: 400, message: "This model's maximum context length is 8192 tokens" } }, "context-exceeded"],
    [{ error: "something broke" }, "transient"],
    [{ object: "error", message: "bad sampling", type: "invalid_request_error", code: 400 }, "bad-request"],
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "transient"],
  ])("an error object in the stream, %j, is %s", async (event, kind) => {
    const { ask } = await served([wireStream(wireChunk({ content: "a" }), wireEvent(event), wireChunk({}, "stop"), WIRE_DONE)]);
    expect(await ask()).toMatchObject({ text: "a", finish: undefined, failure: { kind } });
  });

  test.each([
    [{ error: { message: "no such model", type: "invalid_request_error" } }, "bad-request", "no such model"],
    [{ error: { message: "try later", code: 503 } }, "transient", "HTTP 503: try later"],
    [[{ error: { code: 429, message: "quota", status: "RESOURCE_EXHAUSTED" } }], "rate-limited", "HTTP 429: quota"],
  ])("a 200 whose body is the error %j is %s", async (body, kind, message) => {
    const { ask } = await served([wireAnswer(200, body)]);
    expect((await ask()).failure).toMatchObject({ kind, message });
  });

  test.each([["<!doctype html><title>Sign in</title>"], ['{"choices":[{"message":{"content":"not streamed"}}]}']])(
    "a 200 whose body is %s is malformed",
    async (body) => {
      const { ask } = await served([wireAnswer(200, body)]);
      expect(await ask()).toMatchObject({ text: "", failure: { kind: "malformed" } });
    },
  );

  test("an empty 200 is cut", async () => {
    const { ask } = await served([wireAnswer(200, "")]);
    expect((await ask()).failure?.kind).toBe("cut");
  });
});

describe("failures before the stream", () => {
  test.each([
    [401, { error: { message: "Incorrect API key provided" } }, "unauthorized"],
    [402, { error: { message: "Payment required" } }, "billing"],
    [403, { error: { message: "no access" } }, "unauthorized"],
    [404, { error: { message: "The model does not exist", code: "model_not_found" } }, "bad-request"],
    [408, {}, "transient"],
    [409, {}, "transient"],
    [413, {}, "context-exceeded"],
    [400, { error: { message: "too long", code: "context_length_exceeded" } }, "context-exceeded"],
    [400, { error: { message: "invalid timeout" } }, "bad-request"],
    [422, { detail: "max_tokens must be positive" }, "bad-request"],
    [429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }, "billing"],
    [429, { error: { message: "Rate limit reached" } }, "rate-limited"],
    [500, "<html><h1>Internal Server Error</h1></html>", "transient"],
    [503, "", "transient"],
    [529, { error: { type: "overloaded_error", message: "Overloaded" } }, "transient"],
  ] as const)("status %i with %j is %s", async (status, body, kind) => {
    const { server, ask } = await served([wireAnswer(status, body)]);
    const { failure } = await ask();
    expect(failure).toMatchObject({ kind, status });
    expect(failure?.message).not.toContain("<");
    expect(server.requests).toHaveLength(1); // one try each
  });

  test("Retry-After is read in ms, in seconds and as a date", async () => {
    const nowMs = Date.UTC(2026, 10, 3, 12, 0, 0);
    const { ask } = await served(
      [
        { "retry-after-ms": "1500", "retry-after": "9" },
        { "retry-after": "90" },
        { "retry-after": new Date(nowMs + 3_000).toUTCString() },
        {},
      ].map((headers) => wireAnswer(429, { error: { message: "slow down" } }, headers)),
      { clock: createSimulatedClock(nowMs) },
    );
    const waits = [await ask(), await ask(), await ask(), await ask()].map(({ failure }) => failure?.retryAfterMs);
    expect(waits).toEqual([1_500, 90_000, 3_000, undefined]);
  });

  test("a server that is not there is a passing failure", async () => {
    const server = await startWireServer();
    await server[Symbol.asyncDispose]();
    const model = openaiCompatible({ baseURL: server.baseURL, model: "m" });
    expect((await collect(model.stream(ASK, never()))).failure?.kind).toBe("transient");
  });

  test("a redirect is refused and the key does not travel", async () => {
    const { server, ask } = await served([answer("never")]);
    const first = await startWireServer(wireAnswer(307, "", { location: `${server.baseURL}/chat/completions` }));
    onTestFinished(() => first[Symbol.asyncDispose]());
    const model = openaiCompatible({ baseURL: first.baseURL, apiKey: KEY, model: "m" });
    expect((await collect(model.stream(ASK, never()))).failure).toMatchObject({ kind: "bad-request", status: 307 });
    expect(server.requests).toHaveLength(0);
    expect((await ask()).text).toBe("never");
  });

  test("a fetch of the user's own that gives up is a passing failure, and one that breaks is malformed", async () => {
    const failing = (error: Error) => openaiCompatible({ baseURL: "http://example.test", model: "m", fetch: () => Promise.reject(error) });
    expect((await collect(failing(new DOMException("too slow", "TimeoutError")).stream(ASK, never()))).failure?.kind).toBe("transient");
    expect((await collect(failing(new RangeError("odd")).stream(ASK, never()))).failure).toMatchObject({
      kind: "malformed",
      message: "odd",
    });
  });
});
