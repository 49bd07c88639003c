import { KarstError } from "@karst/events";

/** What the user typed cannot work; exit code 2. */
export class UsageError extends KarstError {
  constructor(message: string) {
    super("InvalidConfig", message, {});
  }
}

/** Something the machine lacks; exit code 3. `howTo` says what to do next. */
export class MissingToolError extends KarstError {
  constructor(tool: string, howTo: string) {
    super("MissingTool", `${tool} was not found. ${howTo}`, { data: { tool, howTo } });
  }
}
