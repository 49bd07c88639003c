import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { collect } from "./collect.ts";
import { openaiCompatible } from "./model.openai-compatible.ts";
import { answer, ASK, KEY, never, served } from "./testing/served-model.ts";
import { WIRE_DONE, wireAnswer, wireChunk, wireEvent, wireStream } from "./testing/wire-format.ts";
import { startWireServer } from "./testing/wire-server.ts";
import { volume } from "@karst/events/testing";

describe("what is asked", () => {
  test("messages, limits and the wish for usage go out in the wire's words", async () => {
    const { server, model } = await served([answer("ok")], { maxOutputTokens: 50 });
    const messages = [
      { role: "system", content: "be brief" },
      { role: "user", content: "one" },
      { role: "assistant", content: "two" },
      { role: "user", content: "three" },
    ] as const;
    await collect(model.stream({ messages, temperature: 0.5, stop: ["END"] }, never()));
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: {
        model: "wire-1",
        messages,
        temperature: 0.5,
        stop: ["END"],
        max_tokens: 50,
        stream: true,
        stream_options: { include_usage: true },
      },
    });
  });

  test("a request's own output limit goes before the model's", async () => {
    const { server, model } = await served([answer("ok")], { maxOutputTokens: 50 });
    await collect(model.stream({ ...ASK, maxOutputTokens: 7 }, never()));
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 7 });
  });

  test("own headers and the base URL's query are sent; without a key there is no authorization", async () => {
    const server = await startWireServer(answer("ok"));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = openaiCompatible({ baseURL: `${server.baseURL}/?api-version=2026-01`, model: "m", headers: { "x-team": "analysis" } });
    await collect(model.stream(ASK, never()));
    expect(server.requests[0]?.path).toBe("/v1/chat/completions?api-version=2026-01");
    expect(server.requests[0]?.headers["x-team"]).toBe("analysis");
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
  });

  test("a provider that refuses stream_options is asked again without, and then never with", async () => {
    const refused = wireAnswer(400, { error: { message: "Unrecognized request argument supplied: stream_options" } });
    const { server, ask } = await served([refused, answer("one"), answer("two")]);
    expect(await ask()).toMatchObject({ text: "one" });
    expect(await ask()).toMatchObject({ text: "two" });
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes("stream_options"))).toEqual([true, false, false]);
  });

  test("usage is not asked for when it is not wanted", async () => {
    const { server, ask } = await served([answer("one")], { requestUsage: false });
    await ask();
    expect(server.requests[0]?.body).not.toHaveProperty("stream_options");
  });
});

describe("what is answered", () => {
  test("the provider's own word for the end is kept", async () => {
    for (const [word, reason] of [
      ["stop", "stop"],
      ["length", "length"],
      ["content_filter", "content-filter"],
      ["eos", "other"],
      ["tool_calls", "other"],
    ] as const) {
      const { ask } = await served([wireStream(wireChunk({ content: "x" }, word), WIRE_DONE)]);
      expect((await ask()).finish).toEqual({ type: "finish", reason, raw: word });
    }
  });

  test("reasoning arrives from either of its two fields", async () => {
    for (const field of ["reasoning_content", "reasoning"]) {
      const { ask } = await served([
        wireStream(wireChunk({ [field]: "hmm" }), wireChunk({ content: "42" }), wireChunk({}, "stop"), WIRE_DONE),
      ]);
      expect(await ask()).toMatchObject({ reasoning: "hmm", text: "42" });
    }
  });

  test("comments, CRLF line ends and events without a space after the colon are read", async () => {
    const bytes = `: keep-alive\r\n\r\n${(wireChunk({ content: "hi" }) + wireChunk({}, "stop") + WIRE_DONE).replaceAll("data: ", "data:").replaceAll("\n", "\r\n")}`;
    const { ask } = await served([wireStream(bytes)]);
    expect(await ask()).toMatchObject({ text: "hi", finish: { reason: "stop" } });
  });

  test("counts that came with the last chunk are taken, and zeros are no count", async () => {
    const last = (usage: object): string => wireEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage });
    const { ask } = await served([
      wireStream(wireChunk({ content: "x" }), last({ prompt_tokens: 5, completion_tokens: 1 }), WIRE_DONE),
      wireStream(wireChunk({ content: "x" }), last({ prompt_tokens: 0, completion_tokens: 0 }), WIRE_DONE),
      wireStream(wireChunk({ content: "x" }), last({}), WIRE_DONE),
    ]);
    expect((await ask()).usage).toEqual({ input: 5, output: 1 });
    expect((await ask()).usage).toBeUndefined();
    expect((await ask()).usage).toBeUndefined();
  });

  test("the text is the same wherever the bytes are split", async () => {
    const text = 'é数🧑‍💻\u2028 "\\n" ```';
    const bytes = new TextEncoder().encode(
      wireChunk({ content: text.slice(0, 3) }) + wireChunk({ content: text.slice(3) }) + wireChunk({}, "stop") + WIRE_DONE,
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
        const body = new ReadableStream({
          pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
          },
        });
        const model = openaiCompatible({ baseURL: "http://example.test/v1", model: "m", fetch: () => Promise.resolve(new Response(body)) });
        expect(await collect(model.stream(ASK, never()))).toMatchObject({ text, finish: { reason: "stop" } });
      }),
      { numRuns: volume(60) },
    );
  });
});

describe("the key", () => {
  test("is in no message, though the provider repeats it", async () => {
    const { ask } = await served(
      [
        wireAnswer(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
        wireAnswer(200, { error: { message: `bad key ${KEY}`, type: "authentication_error" } }),
        wireStream(wireEvent({ error: { message: `key ${KEY} expired; team team-secret-1` } })),
        wireStream(wireEvent(`{ "key": "${KEY}"`)),
      ],
      { headers: { "x-team": "team-secret-1" } },
    );
    const messages = [await ask(), await ask(), await ask(), await ask()].map(({ failure }) => failure?.message ?? "");
    for (const message of messages) {
      expect(message).toContain("[redacted]");
      expect(message).not.toMatch(/sk-secret|team-secret/);
    }
  });

  test("is in nothing that the model shows of itself", () => {
    const model = openaiCompatible({ baseURL: "http://example.test/v1", apiKey: KEY, model: "m" });
    expect(inspect(model, { depth: 10, showHidden: true }) + JSON.stringify(model)).not.toContain("sk-secret");
    expect(model.id).toBe("m");
  });

  test("has its white space dropped, and with a character no header may have it is refused unshown", async () => {
    const { server, ask } = await served([answer("ok")], { apiKey: `${KEY}\n` });
    await ask();
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    const make = (): unknown => openaiCompatible({ baseURL: server.baseURL, apiKey: "sk-a\nb", model: "m" });
    expect(make).toThrow(expect.objectContaining({ code: "InvalidConfig", message: expect.not.stringContaining("sk-a") as string }));
  });
});

describe("settings", () => {
  test.each([
    [{ baseURL: "not a url" }, "baseURL"],
    [{ baseURL: "ftp://example.test" }, "baseURL"],
    [{ baseURL: "http://user:pass-word@example.test" }, "baseURL"],
    [{ model: " " }, "name"],
    [{ headers: { "x-a": "line\nbreak" } }, "header x-a"],
  ])("%j is refused", (options, setting) => {
    const make = (): unknown => openaiCompatible({ baseURL: "http://example.test", model: "m", ...options });
    expect(make).toThrow(expect.objectContaining({ code: "InvalidConfig", data: expect.objectContaining({ setting }) as object }));
  });

  test("the window is passed on when it is known", () => {
    expect(openaiCompatible({ baseURL: "http://example.test", model: "m", contextTokens: 8192 }).contextTokens).toBe(8192);
    expect(openaiCompatible({ baseURL: "http://example.test", model: "m" })).not.toHaveProperty("contextTokens");
  });
});
