import { scriptedModel } from "@karst/model";
import type { ModelScript } from "@karst/model";
import { describe, expect, test } from "vitest";
import { ask } from "./ask.ts";
import type { Question } from "./ask.ts";

const question: Question = { agent: "t/shelf/1", instructions: undefined, question: "How many?", resultType: undefined };
const never = (): AbortSignal => new AbortController().signal;

function asked(script: ModelScript, change: Partial<Question> = {}) {
  const model = scriptedModel(script);
  return { model, answer: ask(model, { ...question, ...change }, never()) };
}

test("an answer in prose is the whole text of one call, which has instructions and question and no more", async () => {
  const { model, answer } = asked(["```js\nnot run\n```"], { instructions: "Be brief." });
  expect(await answer).toBe("```js\nnot run\n```");
  expect(model.requests).toEqual([
    {
      messages: [
        { role: "system", content: "Be brief.\n\nAnswer in prose." },
        { role: "user", content: "How many?" },
      ],
    },
  ]);
});

test("half surrogates in instructions and question become U+FFFD", async () => {
  const { model, answer } = asked(["ok"], { instructions: "a\ud83d", question: "b\udc00" });
  await answer;
  expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(["a\ufffd\n\nAnswer in prose.", "b\ufffd"]);
});

describe("an answer of a type", () => {
  test.each(['{"n":1}', ' {"n": 1}\n', '```json\n{"n":1}\n```', '```\n{"n":1}\n```'])("is read from the JSON %j", async (text) => {
    const { model, answer } = asked([text], { resultType: "{ n: number }" });
    expect(await answer).toEqual({ n: 1 });
    expect(model.requests[0]?.messages[0]?.content).toContain("JSON of type { n: number }");
  });

  test("that does not fit is sent back once with the reason", async () => {
    const { model, answer } = asked(['{"n":"x"}', '{"n":2}'], {
      resultType: "{ n: number }",
      refused: (value) => (typeof (value as { n: unknown }).n === "number" ? undefined : ["n: not a number"]),
    });
    expect(await answer).toEqual({ n: 2 });
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      { role: "assistant", content: '{"n":"x"}' },
      { role: "user", content: "That does not fit: n: not a number. Answer with the JSON alone." },
    ]);
  });

  test("that is no JSON is sent back once, then it fails", async () => {
    const { model, answer } = asked(["two", "2,"], { resultType: "number" });
    await expect(answer).rejects.toMatchObject({
      code: "RunFailed",
      data: { agent: "t/shelf/1", stopReason: "model-error" },
      message: expect.stringMatching(/not JSON/) as unknown,
    });
    expect(model.requests).toHaveLength(2);
  });

  test("that fits no better the second time fails with the issues", async () => {
    const { answer } = asked(["1", "1"], { resultType: "string", refused: () => ["not text"] });
    await expect(answer).rejects.toMatchObject({ code: "RunFailed", message: expect.stringMatching(/not text/) as unknown });
  });
});

test.each(["length", "content-filter"] as const)("a reply that was ended by %s is no answer", async (finish) => {
  await expect(asked([{ text: "There are", finish }]).answer).rejects.toMatchObject({
    code: "RunFailed",
    message: expect.stringContaining(finish) as unknown,
  });
});

test("a failing model fails the question", async () => {
  const failure = { kind: "billing", message: "no money" } as const;
  await expect(asked([{ text: "", failAt: { chunk: 0, failure } }]).answer).rejects.toMatchObject({
    code: "RunFailed",
    message: expect.stringContaining("no money") as unknown,
  });
});

test("aborting throws the signal's reason", async () => {
  const controller = new AbortController();
  const answer = ask(scriptedModel([{ text: "x", stallAt: 0 }]), question, controller.signal);
  const reason = new TypeError("enough");
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
});
