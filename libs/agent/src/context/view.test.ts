import { expect, test } from "vitest";
import type { ConversationEntry } from "./history.ts";
import type { PromptInput } from "./prompt.ts";
import { view, wellFormed } from "./view.ts";

const prompt: PromptInput = {
  agent: "shelf/1",
  description: undefined,
  instructions: undefined,
  catalogue: "",
  fields: [],
  resultType: undefined,
};
const task: ConversationEntry = { kind: "task", runId: "r", text: "Add 1 and 2" };
const reply = (text: string): ConversationEntry => ({ kind: "reply", runId: "r", step: 1, text });
const result = (text: string): ConversationEntry => ({ kind: "result", runId: "r", step: 1, text });

test("there is one system message, first, then what was said and shown in order", () => {
  const messages = view(prompt, [task, reply("```js\n1+2\n```"), result("<result>\n→ 3\n</result>"), reply("It is 3.")]);
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "assistant"]);
  expect(messages.slice(1).map(({ content }) => content)).toEqual([
    "Add 1 and 2",
    "```js\n1+2\n```",
    "<result>\n→ 3\n</result>",
    "It is 3.",
  ]);
});

test("neighbours of one role are joined, so that roles alternate", () => {
  const notice: ConversationEntry = { kind: "notice", runId: "r", step: 1, text: "Your reply was empty." };
  const messages = view(prompt, [task, notice, reply("a"), reply("b"), result("c")]);
  expect(messages.slice(1)).toEqual([
    { role: "user", content: "Add 1 and 2\n\nYour reply was empty." },
    { role: "assistant", content: "a\n\nb" },
    { role: "user", content: "c" },
  ]);
});

test("half surrogates become U+FFFD, in the system prompt too; whole pairs stay", () => {
  const torn = "a\ud83d b\udc00 \u{1f600}";
  const messages = view({ ...prompt, description: torn, fields: [{ name: "n", text: torn }] }, [
    { ...task, text: torn },
    reply("\ud83d"),
    reply("\udc00"),
  ]);
  for (const { content } of messages) expect(() => encodeURIComponent(content)).not.toThrow();
  expect(messages[1]?.content).toBe("a\ufffd b\ufffd \u{1f600}");
  expect(messages[2]?.content).toBe("\ufffd\n\n\ufffd");
});

test("well-formed text is the same text", () => {
  expect(wellFormed("Grüße, \u{1f600} 漢字\n\t\u0000")).toBe("Grüße, \u{1f600} 漢字\n\t\u0000");
});

test("the same input gives the same messages, and changes nothing", () => {
  const conversation = Object.freeze([task, reply("a"), reply("b")]);
  expect(view(prompt, conversation)).toEqual(view(prompt, conversation));
});
