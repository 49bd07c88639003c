import { expect, test } from "vitest";
import { collect } from "./collect.ts";
import type { ModelPart } from "./model.ts";

async function* stream(...parts: ModelPart[]): AsyncGenerator<ModelPart> {
  for (const part of parts) yield await Promise.resolve(part);
}

test("text, reasoning and usage of a finished reply are gathered", async () => {
  const finish = { type: "finish", reason: "length", raw: "max" } as const;
  const parts: ModelPart[] = [
    { type: "reasoning", text: "h" },
    { type: "text", text: "a" },
    { type: "reasoning", text: "m" },
    { type: "text", text: "b" },
    { type: "usage", input: 2, output: 1 },
    finish,
  ];
  expect(await collect(stream(...parts))).toEqual({
    text: "ab",
    reasoning: "hm",
    refused: false,
    usage: { input: 2, output: 1 },
    finish,
    failure: undefined,
  });
});

test("a failed reply keeps what it said", async () => {
  const failure = { kind: "transient", message: "m" } as const;
  expect(await collect(stream({ type: "text", text: "a" }, { type: "error", error: failure }))).toMatchObject({
    text: "a",
    finish: undefined,
    failure,
  });
});

test("a stream that only stops is a cut one", async () => {
  expect((await collect(stream({ type: "text", text: "a" }))).failure?.kind).toBe("cut");
});
