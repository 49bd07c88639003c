/**
 * One agent, no class: a variable of yours, a task, an answer, and the object back. Run: node --conditions=karst-source --import tsx examples/01-one-agent.ts
 * The model's replies are written here, so no key is needed; the cell really runs.
 */
import { createAgent, variable } from "@karst/agent";
import { scriptedModel } from "@karst/model";
import { z } from "zod";

const model = scriptedModel([
  'The secret is a string; I reverse it.\n```js\nconst plain = [...secret].reverse().join("");\nconsole.log(plain);\n```',
  ({ messages }) => `It says: ${/world!?/.exec(messages.at(-1)?.content ?? "")?.[0] ?? "nothing"}`,
]);

await using agent = await createAgent({ model, variables: { secret: variable(z.string(), { default: "dlrow" }) } });
for await (const event of agent.stream("Reverse the secret")) {
  if (event.type === "model-delta") process.stdout.write(event.text);
  if (event.type === "cell-ended") console.log(`\n[cell printed] ${event.output}`);
  if (event.type === "run-ended") console.log(`\n[${event.result.stopReason} after ${String(event.result.steps)} steps]`);
}
console.log(await agent.retrieve("plain"));
