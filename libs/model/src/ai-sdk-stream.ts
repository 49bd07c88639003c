import type { Clock } from "@karst/events";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { failureOfAiSdk } from "./ai-sdk-failure.ts";
import { failureOf } from "./failure.ts";
import { modelStream } from "./model-stream.ts";
import type { FinishReason, ModelFailure, ModelPart, ModelRequest } from "./model.ts";
import type { ProviderError } from "./provider-error.ts";
import { orAbort } from "./wait.ts";

/** What a provider's own chunk says beyond the parts that the AI SDK makes of it. */
export interface ChunkFacts {
  readonly finish?: { readonly reason: FinishReason; readonly raw: string };
  readonly usage?: { readonly input: number; readonly output: number };
  readonly refusal?: string;
  readonly error?: ProviderError;
}

export interface AiSdkStreamOptions {
  readonly clock: Clock;
  /** Reads a raw chunk; with it a reply whose finish reason has come is finished, whatever happens to the connection then. */
  readonly readChunk?: (raw: unknown) => ChunkFacts;
  /** Takes secrets out of a message. */
  readonly clean?: (message: string) => string;
}

/** How long the usage record and the end may take once the finish reason has come. */
const SETTLE_MS = 2_000;

/** One request as an AI SDK model of specification V3 takes it. */
export function aiSdkCall(request: ModelRequest, maxOutputTokens?: number): LanguageModelV3CallOptions {
  const limit = request.maxOutputTokens ?? maxOutputTokens;
  return {
    prompt: request.messages.map(({ role, content }) =>
      role === "system" ? { role, content } : { role, content: [{ type: "text", text: content }] },
    ),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.stop === undefined ? {} : { stopSequences: [...request.stop] }),
  };
}

/** Drives `doStream` once and gives its parts as ours, by the port's invariants. */
export function aiSdkStream(
  model: Pick<LanguageModelV3, "doStream">,
  call: LanguageModelV3CallOptions,
  signal: AbortSignal,
  options: AiSdkStreamOptions,
): AsyncIterableIterator<ModelPart> {
  return modelStream(signal, (inner) => aiSdkParts(model, call, inner, options));
}

async function* aiSdkParts(
  model: Pick<LanguageModelV3, "doStream">,
  call: LanguageModelV3CallOptions,
  signal: AbortSignal,
  { clock, readChunk, clean = (message) => message }: AiSdkStreamOptions,
): AsyncGenerator<ModelPart, void, undefined> {
  const failed = (failure: ModelFailure): ModelPart => ({ type: "error", error: { ...failure, message: clean(failure.message) } });
  const thrown = (error: unknown): ModelPart => failed(failureOfAiSdk(error, clock.now()));
  const facts = new ReplyFacts();
  const opening = open(model, { ...call, abortSignal: signal, ...(readChunk === undefined ? {} : { includeRawChunks: true }) });
  let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined;
  let settle: Settling | undefined;
  try {
    reader = await orAbort(opening, signal);
    for (;;) {
      const reading = reader.read();
      const read = await orAbort(settle === undefined ? reading : Promise.race([reading, settle.over]), signal);
      if (read === "over" || read.done) break;
      const part = read.value;
      if (part.type === "raw") {
        const chunk = readChunk?.(part.rawValue) ?? {};
        if (chunk.error !== undefined && facts.finish === undefined) return yield failed(failureOf(chunk.error));
        facts.note(chunk);
        if (facts.finish !== undefined) settle ??= startSettling(clock);
      } else if (part.type === "error" && facts.finish === undefined) return yield thrown(part.error);
      else if (part.type === "finish") facts.noteFinish(part);
      else {
        const made = facts.partOf(part);
        if (made !== undefined) yield made;
      }
    }
  } catch (error) {
    if (signal.aborted) {
      if (reader === undefined) opening.then(cancel, nothing); // it came too late
      throw error;
    }
    if (facts.finish === undefined) return yield thrown(error);
  } finally {
    settle?.stop();
    if (reader !== undefined) cancel(reader);
  }
  yield* facts.end();
}

/** What is known of one reply beside its text; it lives as long as the reply. */
class ReplyFacts {
  finish: ChunkFacts["finish"];
  #usage: ChunkFacts["usage"];
  #refusal: string | undefined;

  note({ finish, usage, refusal }: ChunkFacts): void {
    this.finish = finish ?? this.finish;
    this.#usage = usage ?? this.#usage;
    this.#refusal = refusal ?? this.#refusal;
  }

  noteFinish({ finishReason: { unified, raw }, usage }: Extract<LanguageModelV3StreamPart, { type: "finish" }>): void {
    const { inputTokens, outputTokens } = usage;
    if (inputTokens.total !== undefined && outputTokens.total !== undefined)
      this.#usage = { input: inputTokens.total, output: outputTokens.total };
    if (unified === "error") return; // not a finish; without a reason from the provider the reply counts as cut
    const reason = unified === "tool-calls" ? "other" : unified;
    this.finish = { reason, raw: raw ?? unified };
  }

  partOf(part: LanguageModelV3StreamPart): ModelPart | undefined {
    if (part.type === "reasoning-delta" && part.delta !== "") return { type: "reasoning", text: part.delta };
    if (part.type !== "text-delta" || part.delta === "") return undefined;
    if (part.delta !== this.#refusal) return { type: "text", text: part.delta };
    this.#refusal = undefined;
    return { type: "text", text: part.delta, refusal: true };
  }

  *end(): Generator<ModelPart> {
    const usage = this.#usage;
    if (usage !== undefined && usage.input + usage.output > 0) yield { type: "usage", ...usage }; // zeros are a provider that does not count
    if (this.finish !== undefined) yield { type: "finish", ...this.finish };
  }
}

async function open(
  model: Pick<LanguageModelV3, "doStream">,
  call: LanguageModelV3CallOptions,
): Promise<ReadableStreamDefaultReader<LanguageModelV3StreamPart>> {
  const { stream } = await model.doStream(call);
  return stream.getReader();
}

const nothing = (): void => undefined;

function cancel(reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>): void {
  reader.cancel().catch(nothing);
}

interface Settling {
  readonly over: Promise<"over">;
  readonly stop: () => void;
}

function startSettling(clock: Clock): Settling {
  let stop = nothing;
  const over = new Promise<"over">((resolve) => {
    stop = clock.after(SETTLE_MS, () => {
      resolve("over");
    });
  });
  return { over, stop };
}
