import { expect, test } from "vitest";
import { systemPrompt } from "./prompt.ts";
import type { PromptInput } from "./prompt.ts";

const bare: PromptInput = {
  agent: "shelf/1",
  description: undefined,
  instructions: undefined,
  catalogue: "",
  fields: [],
  resultType: undefined,
};

/** A count from above: no tokenizer in use makes more of English text than one token for each word, mark and run of four letters. */
function tokensAtMost(text: string): number {
  return [...text.matchAll(/[A-Za-z]{1,8}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n+/g)].length;
}

test("without a catalogue it is at most 200 tokens", () => {
  expect(tokensAtMost(systemPrompt(bare))).toBeLessThanOrEqual(200);
});

test("it says how cells are written and when the task is done", () => {
  const text = systemPrompt(bare);
  expect(text).toContain("```js");
  expect(text).toMatch(/await/);
  expect(text).toMatch(/answer in prose without a block/);
});

test("rules come first and are the same for all agents", () => {
  const [one, other] = [
    systemPrompt(bare),
    systemPrompt({ ...bare, agent: "reader/2", instructions: "Be brief.", catalogue: "declare let x: number;" }),
  ];
  const shared = one.slice(0, one.indexOf("Agent: "));
  expect(shared.length).toBeGreaterThan(100);
  expect(other.startsWith(shared)).toBe(true);
});

test("what the agent is and has follows, each part only when there is one", () => {
  const text = systemPrompt({
    agent: "shelf/1",
    description: "Holds books.",
    instructions: "Never lend.",
    catalogue: "declare let books: Book[];",
    fields: [
      { name: "count", text: "3" },
      { name: "who", text: "'me'" },
    ],
    resultType: "{ n: number }",
  });
  expect(text.slice(text.indexOf("Agent: "))).toBe(
    [
      "Agent: shelf/1. Holds books.",
      "Never lend.",
      "End the task with a cell whose top-level `return` gives a value of type `{ n: number }`.",
      "In the runtime:\ndeclare let books: Book[];",
      "State:\ncount = 3\nwho = 'me'",
    ].join("\n\n"),
  );
  expect(systemPrompt({ ...bare, instructions: "" })).toBe(systemPrompt(bare));
  expect(systemPrompt(bare).slice(systemPrompt(bare).indexOf("Agent: "))).toBe("Agent: shelf/1\n\nIn the runtime:\n(nothing yet)");
});
