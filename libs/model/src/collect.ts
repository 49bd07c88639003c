import type { ModelFailure, ModelPart } from "./model.ts";

/** A whole reply. Exactly one of `finish` and `failure` is there; text that came before a failure is kept. */
export type Collected = {
  readonly text: string;
  readonly reasoning: string;
  /** True when the provider marked any of `text` as its refusal. */
  readonly refused: boolean;
  /** Tokens, when the provider reported them. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
} & (
  | { readonly finish: Extract<ModelPart, { type: "finish" }>; readonly failure: undefined }
  | { readonly finish: undefined; readonly failure: ModelFailure }
);

/** Reads a model's stream to its end. Throws only what the stream throws: the reason of an abort, or a defect. */
export async function collect(stream: AsyncIterable<ModelPart>): Promise<Collected> {
  let text = "";
  let reasoning = "";
  let refused = false;
  let usage: Collected["usage"];
  for await (const part of stream) {
    switch (part.type) {
      case "text":
        text += part.text;
        refused ||= part.refusal === true;
        break;
      case "reasoning":
        reasoning += part.text;
        break;
      case "usage":
        usage = { input: part.input, output: part.output };
        break;
      case "finish":
        return { text, reasoning, refused, usage, finish: part, failure: undefined };
      case "error":
        return { text, reasoning, refused, usage, finish: undefined, failure: part.error };
    }
  }
  const failure: ModelFailure = { kind: "cut", message: "the stream ended without a finish reason" };
  return { text, reasoning, refused, usage, finish: undefined, failure };
}
