import { onTestFinished } from "vitest";
import { collect } from "../collect.ts";
import type { Collected } from "../collect.ts";
import { openaiCompatible } from "../model.openai-compatible.ts";
import type { OpenaiCompatibleOptions } from "../model.openai-compatible.ts";
import type { Model } from "../model.ts";
import { WIRE_DONE, wireChunk, wireStream, wireUsage } from "./wire-format.ts";
import type { WireReply } from "./wire-format.ts";
import { startWireServer } from "./wire-server.ts";
import type { WireServer } from "./wire-server.ts";

export const KEY = "sk-secret-0123456789abcdef";
export const ASK = { messages: [{ role: "user", content: "hello" }] } as const;
export const never = (): AbortSignal => new AbortController().signal;

export interface Served {
  readonly server: WireServer;
  readonly model: Model;
  /** Asks once and reads the whole reply. */
  readonly ask: () => Promise<Collected>;
}

/** A model whose provider is a wire server with these replies; both last as long as the test. */
export async function served(replies: readonly WireReply[], options: Partial<OpenaiCompatibleOptions> = {}): Promise<Served> {
  const server = await startWireServer(...replies);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const model = openaiCompatible({ baseURL: server.baseURL, apiKey: KEY, model: "wire-1", ...options });
  return { server, model, ask: () => collect(model.stream(ASK, never())) };
}

/** A plain answer. */
export const answer = (text: string): WireReply =>
  wireStream(wireChunk({ content: text }), wireChunk({}, "stop"), wireUsage(3, 2), WIRE_DONE);
