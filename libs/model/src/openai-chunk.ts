import { z } from "zod";
import type { ChunkFacts } from "./ai-sdk-stream.ts";
import type { FinishReason } from "./model.ts";
import { readProviderError } from "./provider-error.ts";

const count = z.number().nonnegative().nullish().catch(undefined);
const chunkSchema = z.object({
  object: z.string().optional().catch(undefined),
  error: z.unknown().optional(),
  choices: z
    .array(z.object({ finish_reason: z.string().nullish(), delta: z.object({ refusal: z.string().nullish() }).nullish().catch(undefined) }))
    .nullish()
    .catch(undefined),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
});

/** What one chunk of a streamed chat completion says beside its text. What does not fit is left to the SDK to refuse. */
export function readOpenaiChunk(raw: unknown): ChunkFacts {
  const { data } = chunkSchema.safeParse(raw);
  if (data === undefined) return {};
  if ((data.error ?? undefined) !== undefined || data.object === "error") return { error: readProviderError(raw) ?? {} };
  const choice = data.choices?.[0];
  const word = choice?.finish_reason ?? "";
  const refusal = choice?.delta?.refusal ?? "";
  const { usage } = data;
  return {
    ...(word === "" ? {} : { finish: { reason: finishReasonOf(word), raw: word } }),
    ...(refusal === "" ? {} : { refusal }),
    ...(usage === undefined || usage === null ? {} : { usage: { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 } }),
  };
}

function finishReasonOf(word: string): FinishReason {
  switch (word) {
    case "stop":
    case "length":
      return word;
    case "content_filter":
      return "content-filter";
    default:
      return "other";
  }
}
