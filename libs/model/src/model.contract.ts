import { describe, expect, onTestFinished, test, vi } from "vitest";
import { collect } from "./collect.ts";
import type { FinishReason, Model, ModelFailure, ModelPart, ModelRequest } from "./model.ts";
import type { ScriptedReply } from "./model.scripted.ts";

/** A model whose provider gives written replies. */
export interface ModelUnderTest extends AsyncDisposable {
  readonly model: Model;
  /** Replies that the provider is still giving. */
  readonly open: () => number;
  /** Requests that reached the provider. */
  readonly requests: () => number;
}

/** The reply's `finish` and `usage` as written, its text in the written pieces or finer. `other` may have any word. */
type Make = (replies: readonly ScriptedReply[]) => Promise<ModelUnderTest>;

const ask = (content: string): ModelRequest => ({ messages: [{ role: "user", content }] });
const never = (): AbortSignal => new AbortController().signal;

async function partsOf(stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** What `promise` rejected with, or `pending` when it has not after the turn of the event loop that follows. */
async function rejectionNow(promise: Promise<unknown>): Promise<unknown> {
  const later = new Promise((resolve) => setImmediate(resolve, "pending"));
  return Promise.race([
    promise.then(
      () => "resolved",
      (error: unknown) => error,
    ),
    later,
  ]);
}

const FAILURES: readonly ModelFailure[] = [
  { kind: "transient", message: "overloaded" },
  { kind: "rate-limited", message: "slow down", retryAfterMs: 7_000 },
  { kind: "billing", message: "no credit" },
  { kind: "unauthorized", message: "wrong key" },
  { kind: "context-exceeded", message: "too long" },
  { kind: "bad-request", message: "no such model" },
  { kind: "cut", message: "gone" },
  { kind: "malformed", message: "not json" },
];

/** The suite of the Model port, M1 to M5 of model.ts; `name` is the implementation's. */
export function modelContract(name: string, make: Make): void {
  const using = async (...replies: readonly ScriptedReply[]): Promise<ModelUnderTest> => {
    const made = await make(replies);
    onTestFinished(() => made[Symbol.asyncDispose]());
    return made;
  };

  describe(`${name} keeps the Model contract`, () => {
    test("text comes in order and the finish is the last part", async () => {
      const { model } = await using({ text: "one two three", chunks: ["one ", "two ", "three"] });
      const parts = await partsOf(model.stream(ask("count"), never()));
      expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe("one two three");
      expect(parts.filter((part) => part.type === "finish" || part.type === "error")).toHaveLength(1);
      expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop", raw: "stop" });
    });

    test("each finish reason arrives as itself", async () => {
      const reasons: readonly FinishReason[] = ["stop", "length", "content-filter", "other"];
      const { model } = await using(...reasons.map((finish) => ({ text: "x", finish })));
      for (const reason of reasons) expect((await collect(model.stream(ask("go"), never()))).finish?.reason).toBe(reason);
    });

    test("reasoning comes apart from the text", async () => {
      const { model } = await using({ text: "42", reasoning: "six times seven" });
      expect(await collect(model.stream(ask("6*7"), never()))).toMatchObject({ text: "42", reasoning: "six times seven" });
    });

    test("text of any script arrives whole, in whatever pieces", async () => {
      const text = 'naïve 数据 🧑‍💻 \u2028 ```js\n`x`\n```\r\n"\\';
      const { model } = await using({ text, chunks: 1 });
      expect((await collect(model.stream(ask("go"), never()))).text).toBe(text);
    });

    test("a refusal is marked, and ordinary text is not", async () => {
      const { model } = await using({ text: "I will not.", refusal: true }, { text: "I will." });
      expect(await collect(model.stream(ask("go"), never()))).toMatchObject({ text: "I will not.", refused: true });
      expect(await collect(model.stream(ask("go"), never()))).toMatchObject({ text: "I will.", refused: false });
    });

    test("an empty reply is a finish without text", async () => {
      const { model } = await using({ text: "", usage: "omit" });
      expect((await partsOf(model.stream(ask("go"), never()))).map((part) => part.type)).toEqual(["finish"]);
    });

    test("usage comes once, before the last part", async () => {
      const { model } = await using({ text: "abc", chunks: 1, usage: { input: 11, output: 3 } });
      const parts = await partsOf(model.stream(ask("go"), never()));
      expect(parts.filter((part) => part.type === "usage")).toEqual([{ type: "usage", input: 11, output: 3 }]);
      expect(parts.at(-2)?.type).toBe("usage");
    });

    test("usage that the provider leaves out is left out", async () => {
      const { model } = await using({ text: "abc", usage: "omit" });
      expect((await collect(model.stream(ask("go"), never()))).usage).toBeUndefined();
    });

    test.each(FAILURES)("a provider that fails as $kind gives an error part and no throw", async (failure) => {
      const { model } = await using({ text: "", failAt: { chunk: 0, failure } });
      const parts = await partsOf(model.stream(ask("go"), never()));
      expect(parts).toHaveLength(1);
      expect(parts[0]).toMatchObject({ type: "error", error: { kind: failure.kind } });
      const retryAfterMs = parts[0]?.type === "error" ? parts[0].error.retryAfterMs : undefined;
      expect(retryAfterMs).toBe(failure.retryAfterMs);
    });

    test.each(FAILURES)("a stream that fails as $kind after text ends with that error and no finish", async (failure) => {
      const { model } = await using({ text: "abcdef", chunks: 2, failAt: { chunk: 2, failure } });
      const parts = await partsOf(model.stream(ask("go"), never()));
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      expect("abcd").toContain(text); // what a cut connection had not delivered yet is lost
      expect(parts.filter((part) => part.type !== "text")).toMatchObject([{ type: "error", error: { kind: failure.kind } }]);
      expect(parts.at(-1)?.type).toBe("error");
    });

    test("after the last part the iteration stays over", async () => {
      const { model } = await using({ text: "a" });
      const iterator = model.stream(ask("go"), never())[Symbol.asyncIterator]();
      while ((await iterator.next()).done !== true);
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    });

    test("a signal that has aborted already asks nothing and throws its reason", async () => {
      const { model, requests } = await using({ text: "a" });
      const reason = new Error("not now");
      await expect(collect(model.stream(ask("go"), AbortSignal.abort(reason)))).rejects.toBe(reason);
      expect(requests()).toBe(0);
    });

    test("an abort before the first part throws its reason at once and closes the connection", async () => {
      const { model, open, requests } = await using({ text: "abc", stallAt: 0 });
      const controller = new AbortController();
      const pending = model.stream(ask("go"), controller.signal)[Symbol.asyncIterator]().next();
      await vi.waitFor(() => {
        expect(requests()).toBe(1);
      });
      const reason = new Error("enough");
      controller.abort(reason);
      expect(await rejectionNow(pending)).toBe(reason);
      await vi.waitFor(() => {
        expect(open()).toBe(0);
      });
    });

    test("an abort in a silence after text throws its reason at once and closes the connection", async () => {
      const { model, open } = await using({ text: "abc", chunks: 1, stallAt: 1 });
      const controller = new AbortController();
      const iterator = model.stream(ask("go"), controller.signal)[Symbol.asyncIterator]();
      expect(await iterator.next()).toMatchObject({ value: { type: "text", text: "a" } });
      const pending = iterator.next();
      const reason = new Error("enough");
      controller.abort(reason);
      expect(await rejectionNow(pending)).toBe(reason);
      expect(await iterator.next()).toMatchObject({ done: true });
      await vi.waitFor(() => {
        expect(open()).toBe(0);
      });
    });

    test("an abort between two parts throws its reason at the next one", async () => {
      const { model } = await using({ text: "abc", chunks: 1, stallAt: 2 });
      const controller = new AbortController();
      const iterator = model.stream(ask("go"), controller.signal)[Symbol.asyncIterator]();
      await iterator.next();
      const reason = new Error("enough");
      controller.abort(reason);
      await expect(iterator.next()).rejects.toBe(reason);
    });

    test("leaving the loop early closes the connection", async () => {
      const { model, open } = await using({ text: "abc", chunks: 1, stallAt: 2 });
      for await (const part of model.stream(ask("go"), never())) {
        expect(part.type).toBe("text");
        break;
      }
      await vi.waitFor(() => {
        expect(open()).toBe(0);
      });
    });

    test("returning while a part is awaited ends that wait and closes the connection", async () => {
      const { model, open } = await using({ text: "abc", chunks: 1, stallAt: 1 });
      const iterator = model.stream(ask("go"), never())[Symbol.asyncIterator]();
      await iterator.next();
      const pending = iterator.next();
      await iterator.return?.();
      expect(await pending).toMatchObject({ done: true });
      await vi.waitFor(() => {
        expect(open()).toBe(0);
      });
    });

    test("an error in the middle closes the connection though nobody reads on", async () => {
      const { model, open } = await using({
        text: "abc",
        chunks: 1,
        failAt: { chunk: 1, failure: { kind: "transient", message: "overloaded" } },
      });
      const iterator = model.stream(ask("go"), never())[Symbol.asyncIterator]();
      for (let step = await iterator.next(); step.done !== true && step.value.type !== "error"; step = await iterator.next());
      await vi.waitFor(() => {
        expect(open()).toBe(0);
      });
    });

    test("streams that run at once do not mix", async () => {
      const texts = ["aaaaaaaa", "bbbbbbbb", "cccccccc"];
      const { model } = await using(...texts.map((text) => ({ text, chunks: 1 })));
      const replies = await Promise.all(texts.map((text) => collect(model.stream(ask(text), never()))));
      expect(replies.map(({ text }) => text).sort()).toEqual(texts);
    });

    test("no listener stays on the caller's signal when a stream has ended", async () => {
      const { model } = await using({ text: "abc", chunks: 1 }, { text: "abc", stallAt: 0 });
      const signal = never();
      const added = vi.spyOn(signal, "addEventListener");
      const removed = vi.spyOn(signal, "removeEventListener");
      await collect(model.stream(ask("go"), signal));
      expect(added).toHaveBeenCalled();
      expect(new Set(removed.mock.calls.map((call) => call[1]))).toEqual(new Set(added.mock.calls.map((call) => call[1])));
    });
  });
}
