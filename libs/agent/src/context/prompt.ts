/** The system prompt: rules first, which never change, then what the agent is and has. Pure, byte-stable for the same input. */
export interface PromptInput {
  /** `class/id`. */
  readonly agent: string;
  readonly description: string | undefined;
  readonly instructions: string | undefined;
  /** TypeScript declarations of what is in the runtime. */
  readonly catalogue: string;
  /** Fields shown on each call, already as text. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** TypeScript type of the value the run must return, if it must. */
  readonly resultType: string | undefined;
}

const RULES = `You solve tasks by running JavaScript or TypeScript in your own persistent runtime.
Reply with a short thought and one \`\`\`js block, a cell. It runs, you see its result, then you go on.
- Names stay from cell to cell, like in a notebook. Top-level await works.
- Always await injected functions, methods and properties.
- Print only what you need next; keep data in variables.
- Never compute or invent results in prose.
- When the task is done, answer in prose without a block.`;

export function systemPrompt(input: PromptInput): string {
  const parts = [RULES, `Agent: ${input.agent}${input.description === undefined ? "" : `. ${input.description}`}`];
  if (input.instructions !== undefined && input.instructions !== "") parts.push(input.instructions);
  if (input.resultType !== undefined)
    parts.push(`End the task with a cell whose top-level \`return\` gives a value of type \`${input.resultType}\`.`);
  parts.push(`In the runtime:\n${input.catalogue === "" ? "(nothing yet)" : input.catalogue}`);
  if (input.fields.length > 0) parts.push(`State:\n${input.fields.map(({ name, text }) => `${name} = ${text}`).join("\n")}`);
  return parts.join("\n\n");
}
