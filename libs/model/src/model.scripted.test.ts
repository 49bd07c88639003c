import { createSimulatedClock } from "@karst/events";
import { describe, expect, test, vi } from "vitest";
import { collect } from "./collect.ts";
import { scriptedModel } from "./model.scripted.ts";
import type { ModelMessage, ModelPart, ModelRequest } from "./model.ts";

const ask = (content: string): ModelRequest => ({ messages: [{ role: "user", content }] });
const never = (): AbortSignal => new AbortController().signal;

async function textsOf(stream: AsyncIterable<ModelPart>): Promise<string[]> {
  const texts: string[] = [];
  for await (const part of stream) if (part.type === "text") texts.push(part.text);
  return texts;
}

describe("the script", () => {
  test("replies play in order, whether texts, objects or functions of the request", async () => {
    const model = scriptedModel(["one", { text: "two" }, (request, index) => `${request.messages[0]?.content ?? ""} ${String(index)}`]);
    const texts: string[] = [];
    for (const question of ["a", "b", "c"]) texts.push((await collect(model.stream(ask(question), never()))).text);
    expect(texts).toEqual(["one", "two", "c 2"]);
    model.assertAllUsed();
  });

  test("one function answers several agents by what they ask, for as long as they do", async () => {
    const model = scriptedModel((request) =>
      request.messages[0]?.content === "clean" ? "cleaned" : { text: "analysed", finish: "length" },
    );
    const [a, b, c] = await Promise.all(["clean", "analyse", "clean"].map((task) => collect(model.stream(ask(task), never()))));
    expect([a?.text, b?.text, c?.text]).toEqual(["cleaned", "analysed", "cleaned"]);
    expect(b?.finish).toEqual({ type: "finish", reason: "length", raw: "length" });
    model.assertAllUsed();
  });

  test("a call too many throws and names the reply that is missing", async () => {
    const model = scriptedModel(["one"]);
    await collect(model.stream(ask("a"), never()));
    const late = collect(model.stream(ask("b"), never()));
    await expect(late).rejects.toMatchObject({
      code: "ModelScript",
      message: "the script has 1 reply and was asked for reply 1",
      data: { index: 1 },
    });
    expect(() => {
      model.assertAllUsed();
    }).toThrow("was asked for reply 1");
  });

  test("replies left over are counted", async () => {
    const model = scriptedModel(["one", "two", "three"]);
    await collect(model.stream(ask("a"), never()));
    expect(() => {
      model.assertAllUsed();
    }).toThrow(expect.objectContaining({ code: "ModelScript", message: "2 replies of 3 left unused", data: { left: 2, of: 3 } }));
  });

  test("requests are recorded as they were, though the caller goes on with its list", async () => {
    const messages: ModelMessage[] = [{ role: "user", content: "a" }];
    const model = scriptedModel(["one"]);
    await collect(model.stream({ messages, stop: ["END"] }, never()));
    messages.push({ role: "assistant", content: "one" });
    expect(model.requests).toEqual([{ messages: [{ role: "user", content: "a" }], stop: ["END"] }]);
  });

  test("a stream that is never read takes no reply", () => {
    const model = scriptedModel(["one"]);
    model.stream(ask("a"), never());
    expect(model.requests).toHaveLength(0);
    expect(model.open).toBe(0);
  });
});

describe("expectations", () => {
  test("a pattern is held against the last message", async () => {
    const model = scriptedModel([
      { text: "ok", expect: /rows: \d+/g },
      { text: "ok", expect: /rows: \d+/g },
    ]);
    expect(
      (
        await collect(
          model.stream(
            {
              messages: [
                { role: "system", content: "x" },
                { role: "user", content: "rows: 12" },
              ],
            },
            never(),
          ),
        )
      ).text,
    ).toBe("ok");
    const wrong = collect(model.stream(ask("no numbers"), never()));
    await expect(wrong).rejects.toMatchObject({ code: "ModelScript", message: expect.stringContaining('it is "no numbers"') as string });
  });

  test("a failed expectation shows again at the end, where the run had swallowed it", async () => {
    const fault = new Error("not what I expected");
    const model = scriptedModel([
      {
        text: "ok",
        expect: () => {
          throw fault;
        },
      },
    ]);
    await expect(collect(model.stream(ask("a"), never()))).rejects.toBe(fault);
    expect(() => {
      model.assertAllUsed();
    }).toThrow(fault);
  });
});

describe("chunks, usage and faults", () => {
  test("pieces are exactly the written ones, and empty ones carry nothing", async () => {
    const model = scriptedModel([{ text: "abcd", chunks: ["a", "", "bcd"] }]);
    expect(await textsOf(model.stream(ask("a"), never()))).toEqual(["a", "bcd"]);
  });

  test("a size cuts between characters, never within one; the script's size holds where a reply names none", async () => {
    const model = scriptedModel(["a🧑b数c", { text: "abc", chunks: 2, reasoning: "xyz" }], { chunks: 2 });
    expect(await textsOf(model.stream(ask("a"), never()))).toEqual(["a🧑", "b数", "c"]);
    expect(await textsOf(model.stream(ask("a"), never()))).toEqual(["ab", "c"]);
  });

  test("usage is estimated, written, or left out", async () => {
    const model = scriptedModel(["12345", { text: "x", usage: { input: 70, output: 8 } }, { text: "x", usage: "omit" }]);
    const usage = async () => (await collect(model.stream(ask("123456789"), never()))).usage;
    expect(await usage()).toEqual({ input: 3, output: 2 });
    expect(await usage()).toEqual({ input: 70, output: 8 });
    expect(await usage()).toBeUndefined();
  });

  test("a fault comes instead of its piece, or instead of the finish", async () => {
    const failure = { kind: "cut", message: "gone" } as const;
    const model = scriptedModel([0, 1, 3].map((chunk) => ({ text: "abc", chunks: 1, failAt: { chunk, failure } })));
    for (const text of ["", "a", "abc"])
      expect(await collect(model.stream(ask("x"), never()))).toMatchObject({ text, failure, usage: undefined });
  });

  test("a reply that contradicts itself is refused when it is played", async () => {
    const failure = { kind: "cut", message: "gone" } as const;
    const wrong = [
      { text: "abc", chunks: ["a", "b"] },
      { text: "abc", failAt: { chunk: 2, failure } },
      { text: "abc", stallAt: -1 },
      { text: "abc", chunks: 0 },
    ];
    const model = scriptedModel(wrong);
    for (let round = 0; round < wrong.length; round++)
      await expect(collect(model.stream(ask("x"), never()))).rejects.toMatchObject({ code: "ModelScript" });
  });

  test("delays run on the given clock, before each piece", async () => {
    const clock = createSimulatedClock();
    const model = scriptedModel([{ text: "ab", chunks: 1, delayMs: 100 }], { clock });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const part of model.stream(ask("a"), never())) seen.push(part.type === "text" ? part.text : part.type);
    })();
    await vi.waitFor(() => {
      expect(clock.pending).toBe(1);
    });
    expect(seen).toEqual([]);
    clock.advance(100);
    await vi.waitFor(() => {
      expect(seen).toEqual(["a"]);
    });
    await vi.waitFor(() => {
      expect(clock.pending).toBe(1);
    });
    clock.advance(100);
    await reading;
    expect(seen).toEqual(["a", "b", "usage", "finish"]);
    expect(clock.now()).toBe(200);
  });

  test("replies in play are counted until they end", async () => {
    const model = scriptedModel([{ text: "abc", chunks: 1 }]);
    const iterator = model.stream(ask("a"), never())[Symbol.asyncIterator]();
    await iterator.next();
    expect(model.open).toBe(1);
    while ((await iterator.next()).done !== true);
    expect(model.open).toBe(0);
  });
});
