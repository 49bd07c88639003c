/** One reply of a scripted model. */
export interface DemoReply {
  /** What the last message must hold, so that a cell that went wrong is not passed over. For the first reply that message is the task. */
  readonly after?: RegExp;
  /** Fixed, or made from the last message. */
  readonly text: string | ((lastMessage: string) => string);
}

/** The replies of one run: to the task, then to each result. The last has no cell and ends the run. */
export interface Script {
  /** The class of the agent. */
  readonly agent: string;
  /** The task that it answers, word for word. */
  readonly task: string;
  readonly replies: readonly DemoReply[];
}

/** A reply of prose and one cell. */
export function withCell(prose: string, code: string): string {
  return `${prose}\n\n\`\`\`js\n${code.trim()}\n\`\`\`\n`;
}

/** The lines that a cell printed after the word `marker`, without it. */
export function printedLines(message: string, marker: string): string[] {
  return message
    .split("\n")
    .filter((line) => line.startsWith(`${marker} `))
    .map((line) => line.slice(marker.length + 1));
}
