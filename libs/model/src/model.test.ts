import { modelContract } from "./model.contract.ts";
import { openaiCompatible } from "./model.openai-compatible.ts";
import { withRetry } from "./model.retried.ts";
import { scriptedModel } from "./model.scripted.ts";
import type { ScriptedReply } from "./model.scripted.ts";
import { wireReplyOf } from "./testing/wire-format.ts";
import { startWireServer } from "./testing/wire-server.ts";

const scripted = (replies: readonly ScriptedReply[]) => {
  const model = scriptedModel(replies);
  return { model, open: () => model.open, requests: () => model.requests.length, [Symbol.asyncDispose]: () => Promise.resolve() };
};

modelContract("scriptedModel", (replies) => Promise.resolve(scripted(replies)));

modelContract("withRetry", (replies) => {
  const inner = scripted(replies);
  return Promise.resolve({ ...inner, model: withRetry(inner.model, { maxRetries: 0 }) });
});

for (const [name, pieceBytes] of [
  ["whole events", Infinity],
  ["packets of one byte", 1],
  ["packets of seven bytes", 7],
] as const)
  modelContract(`openaiCompatible over ${name}`, async (replies) => {
    const server = await startWireServer(...replies.map((reply) => ({ ...wireReplyOf(reply), pieceBytes })));
    return {
      model: openaiCompatible({ baseURL: server.baseURL, apiKey: "sk-test-0123456789", model: "wire" }),
      open: () => server.open,
      requests: () => server.requests.length,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
