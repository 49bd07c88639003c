import type { ScriptedReply } from "../model.scripted.ts";

/**
 * The wire of a streamed chat completion, written from its documented format: server-sent events, each a JSON chunk, closed by
 * `[DONE]`. Nothing here was recorded from a provider.
 */

/** What the server does with one request, in order. A reply whose steps run out ends its body properly. */
export type WireStep =
  | { readonly do: "write"; readonly bytes: string | Uint8Array }
  /** Closes the socket in the middle of the body. */
  | { readonly do: "cut" }
  /** Sends nothing more and leaves the connection open. */
  | { readonly do: "stall" }
  | { readonly do: "wait"; readonly until: Promise<unknown> };

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly WireStep[];
  /** Each write goes out in pieces of so many bytes. Default: whole. */
  readonly pieceBytes?: number;
}

const write = (bytes: string): WireStep => ({ do: "write", bytes });

/** One event with `data` as JSON; a string goes out as it is. */
export function wireEvent(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** One chunk whose only choice has this delta and, at the end, the provider's word for why. */
export function wireChunk(delta: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return wireEvent({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "wire", choices });
}

/** The chunk after the last, with the counts. */
export function wireUsage(input: number, output: number): string {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return wireEvent({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "wire", choices: [], usage });
}

export const WIRE_DONE = wireEvent("[DONE]");

/** A stream of events out of these steps or texts. */
export function wireStream(...steps: readonly (string | WireStep)[]): WireReply {
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    steps: steps.map((step) => (typeof step === "string" ? write(step) : step)),
  };
}

/** A whole answer of another kind: an error status, a page, a JSON body. Objects go out as JSON. */
export function wireAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): WireReply {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html" : "application/json";
  return { status, headers: { "content-type": type, ...headers }, steps: text === "" ? [] : [write(text)] };
}

/** How a provider on this wire would give a scripted reply, faults included. A 429's wait goes out in ms. */
export function wireReplyOf(reply: ScriptedReply): WireReply {
  const { text, chunks = [text], reasoning = "", usage = { input: 1, output: 1 }, finish = "stop", failAt, stallAt } = reply;
  const pieces = typeof chunks === "number" ? Array.from(text) : chunks;
  if (failAt?.chunk === 0 && STATUS[failAt.failure.kind] !== undefined) {
    const { kind, message, retryAfterMs } = failAt.failure;
    const headers: Record<string, string> = retryAfterMs === undefined ? {} : { "retry-after-ms": String(retryAfterMs) };
    return wireAnswer(STATUS[kind] ?? 500, { error: { message } }, headers);
  }
  const steps: (string | WireStep)[] = [wireChunk({ role: "assistant", content: "" })];
  if (reasoning !== "") steps.push(wireChunk({ reasoning_content: reasoning }));
  for (let index = 0; index <= pieces.length; index++) {
    if (failAt?.chunk === index) {
      if (failAt.failure.kind === "cut") return wireStream(...steps, { do: "cut" });
      if (failAt.failure.kind === "malformed") return wireStream(...steps, wireEvent('{"choices": [{'));
      return wireStream(...steps, wireEvent({ error: { message: failAt.failure.message, code: STATUS[failAt.failure.kind] } }));
    }
    if (stallAt === index) return wireStream(...steps, { do: "stall" });
    const piece = pieces[index];
    if (piece !== undefined) steps.push(wireChunk(reply.refusal === true ? { refusal: piece } : { content: piece }));
  }
  steps.push(wireChunk({}, WORDS[finish]));
  if (usage !== "omit") steps.push(wireUsage(usage.input, usage.output));
  return wireStream(...steps, WIRE_DONE);
}

const WORDS = { stop: "stop", length: "length", "content-filter": "content_filter", other: "eos" } as const;

const STATUS: Readonly<Partial<Record<string, number>>> = {
  transient: 503,
  "rate-limited": 429,
  billing: 402,
  unauthorized: 401,
  "context-exceeded": 413,
  "bad-request": 400,
};
