import type { ModelMessage } from "@karst/model";
import type { ConversationEntry } from "./history.ts";
import { systemPrompt } from "./prompt.ts";
import type { PromptInput } from "./prompt.ts";

/** What the model sees: a pure function of the prompt's parts and the conversation. Neighbouring messages of one role are joined. */
export function view(prompt: PromptInput, conversation: readonly ConversationEntry[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = [{ role: "system", content: wellFormed(systemPrompt(prompt)) }];
  for (const entry of conversation) {
    const role = entry.kind === "reply" ? "assistant" : "user";
    const last = messages.at(-1);
    if (last?.role === role) messages[messages.length - 1] = { role, content: `${last.content}\n\n${wellFormed(entry.text)}` };
    else messages.push({ role, content: wellFormed(entry.text) });
  }
  return messages;
}

/** Lone surrogates become U+FFFD: providers refuse them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
