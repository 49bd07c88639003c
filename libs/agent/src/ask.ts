import { collect } from "@karst/model";
import type { Model, ModelMessage } from "@karst/model";
import { wellFormed } from "./context/view.ts";
import { RunFailedError } from "./errors.ts";

/** One model call without history, runtime or cells; with a result type, the answer is JSON of that type. */
export interface Question {
  readonly agent: string;
  readonly instructions: string | undefined;
  readonly question: string;
  readonly resultType: string | undefined;
  /** Issues of an answer, fed back once; undefined when it does. */
  readonly refused?: (value: unknown) => readonly string[] | undefined;
}

/** @throws {RunFailedError} when the model fails, or twice gives no answer of the type. */
export async function ask(model: Model, question: Question, signal: AbortSignal): Promise<unknown> {
  const system = [
    question.instructions,
    question.resultType === undefined ? "Answer in prose." : `Answer with JSON of type ${question.resultType} alone.`,
  ];
  const messages: ModelMessage[] = [
    { role: "system", content: wellFormed(system.filter((part) => part !== undefined).join("\n\n")) },
    { role: "user", content: wellFormed(question.question) },
  ];
  for (let tries = 1; ; tries += 1) {
    const reply = await collect(model.stream({ messages }, signal));
    if (reply.failure !== undefined) throw new RunFailedError(question.agent, "model-error", reply.failure.message);
    const { reason } = reply.finish;
    if (reason === "length" || reason === "content-filter")
      throw new RunFailedError(question.agent, "model-error", `the reply was cut (${reason})`);
    if (question.resultType === undefined) return reply.text;
    const answer = readJson(reply.text);
    const issues = "issue" in answer ? [answer.issue] : question.refused?.(answer.value);
    if (issues === undefined && "value" in answer) return answer.value;
    if (tries > 1) throw new RunFailedError(question.agent, "model-error", `the answer does not fit: ${issues?.join("; ") ?? ""}`);
    messages.push(
      { role: "assistant", content: wellFormed(reply.text) },
      { role: "user", content: `That does not fit: ${issues?.join("; ") ?? ""}. Answer with the JSON alone.` },
    );
  }
}

function readJson(text: string): { readonly value: unknown } | { readonly issue: string } {
  const bare = text.trim().replace(/^```(?:json)?\s*\n([\s\S]*)\n```$/i, "$1");
  try {
    return { value: JSON.parse(bare) as unknown };
  } catch (error) {
    return { issue: `it is not JSON (${error instanceof Error ? error.message : "unreadable"})` };
  }
}
