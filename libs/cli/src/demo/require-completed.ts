import { RunFailedError } from "@karst/agent";
import type { RunResult } from "@karst/agent";

/** Stops a method whose run gave no answer: what its variables hold may be of an earlier one. @throws {RunFailedError} */
export function requireCompleted(agent: string, run: RunResult): void {
  if (!run.completed) throw new RunFailedError(agent, run.stopReason, run.error?.message ?? "it gave no answer");
}
