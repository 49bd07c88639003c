/**
 * A language model, as the loop needs it: messages in, a stream of parts out.
 *
 * M1. A stream ends with exactly one `finish` or one `error`, and that is its last part; a cut stream is an error, never a finish.
 * M2. `usage` comes at most once, before the last part. A provider that reports none leaves it out.
 * M3. When `signal` aborts, the stream ends by throwing the signal's reason within a tick of the abort reaching it.
 * M4. A failure of the provider is an `error` part, not a throw; a defect of ours throws.
 * M5. Leaving the iteration early closes the connection.
 */
export interface Model {
  /** Name for logs, events and usage, such as `gpt-x` or `script`. */
  readonly id: string;
  /** Tokens that a request and its answer may have together. Absent: unknown. */
  readonly contextTokens?: number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly stop?: readonly string[];
}

/** Why the provider stopped; `raw` is its own word. */
export type FinishReason = "stop" | "length" | "content-filter" | "other";

export type ModelPart =
  /** `refusal`: the provider marked this text as its refusal to answer; it is not to be read for code. */
  | { readonly type: "text"; readonly text: string; readonly refusal?: true }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "usage"; readonly input: number; readonly output: number }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly raw: string }
  | { readonly type: "error"; readonly error: ModelFailure };

/** What a provider's failure means for the caller; `retry.ts` decides by `kind`. */
export interface ModelFailure {
  readonly kind: "transient" | "rate-limited" | "billing" | "unauthorized" | "context-exceeded" | "bad-request" | "cut" | "malformed";
  readonly message: string;
  readonly status?: number;
  /** How long the provider asked to wait. */
  readonly retryAfterMs?: number;
}
