import type { ModelRequest } from "@karst/model";
import { ScriptMismatchError } from "../errors.ts";
import { ANALYSIS_SCRIPT, COMPARISON_SCRIPT } from "./analyzer.ts";
import { FIRST_SCRIPT, SECOND_SCRIPT } from "./boss.ts";
import { CLEANER_SCRIPT } from "./cleaner.ts";
import type { Script } from "./reply.ts";

/** Every run of the demo that the script knows. */
export const SCRIPTS: readonly Script[] = [FIRST_SCRIPT, SECOND_SCRIPT, CLEANER_SCRIPT, ANALYSIS_SCRIPT, COMPARISON_SCRIPT];

/**
 * The next reply of the one scripted model that all three agents share: by the agent's name in the system prompt (`Agent: cleaner/demo`), the
 * last task among the user's messages, and how often the model has spoken since. Pure.
 *
 * @throws {ScriptMismatchError} when the request is none that the script expects.
 */
export function selectReply(request: Pick<ModelRequest, "messages">): string {
  const { messages } = request;
  const agent = agentOf(messages);
  const { script, at } = lastTask(agent, messages);
  const step = messages.slice(at).filter(({ role }) => role === "assistant").length;
  const place = `step ${String(step + 1)} of ${String(script.replies.length)}`;
  const last = messages.at(-1);
  const mismatch = (problem: string): ScriptMismatchError =>
    new ScriptMismatchError(agent, `${place}: ${problem}`, { task: script.task, last: last?.content.slice(0, 2_000) });
  if (last?.role !== "user") throw mismatch("the last message is not the user's");
  const reply = script.replies[step];
  if (reply === undefined) throw mismatch("the run should have ended");
  if (reply.after?.test(last.content) === false) throw mismatch(`the last message does not match ${String(reply.after)}`);
  return typeof reply.text === "string" ? reply.text : reply.text(last.content);
}

function agentOf(messages: ModelRequest["messages"]): string {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const name = /^Agent: ([A-Za-z0-9_-]+)\//m.exec(system.join("\n"))?.[1];
  if (name === undefined) throw new ScriptMismatchError("?", "the system prompt names no agent");
  return name;
}

function lastTask(agent: string, messages: ModelRequest["messages"]): { readonly script: Script; readonly at: number } {
  const scripts = SCRIPTS.filter((script) => script.agent === agent);
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const script = message?.role === "user" ? scripts.find(({ task }) => message.content.includes(task)) : undefined;
    if (script !== undefined) return { script, at };
  }
  throw new ScriptMismatchError(
    agent,
    scripts.length === 0 ? "there is no script for this agent" : "no task of the script is among the messages",
  );
}
