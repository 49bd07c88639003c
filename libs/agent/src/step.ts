import type { StopReason, Usage } from "@karst/events";
import type { ModelFailure, FinishReason } from "@karst/model";
import type { CellResult } from "@karst/runtime";
import type { ParsedReply } from "./reply.ts";
import type { Budget } from "./run.ts";

/** One run, as data: what it has done and how it ended. Every function here is pure. */
export interface RunState {
  readonly runId: string;
  readonly task: string;
  readonly budget: Budget;
  /** Whether a cell's top-level `return` may end the run with that value. */
  readonly mayReturn: boolean;
  /** Monotonic, ms. */
  readonly startedAtMs: number;
  /** Model calls made. */
  readonly steps: number;
  readonly usage: Usage;
  /** Of the last model call. */
  readonly stepUsage: Usage;
  readonly cells: readonly string[];
  /** Repair turns spent on a reply without usable code. */
  readonly repairs: number;
  /** The last thing the model said. */
  readonly said: string;
  readonly outcome: Outcome | undefined;
}

export interface Outcome {
  readonly stopReason: StopReason;
  readonly content: string;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What one model call gave. */
export interface ModelTurn {
  readonly reply: ParsedReply;
  readonly reasoning: string;
  readonly usage: Usage;
  readonly finish: FinishReason | undefined;
  readonly failure: ModelFailure | undefined;
}

export const DEFAULT_STEPS = 10;
export const DEFAULT_RUN_MS = 600_000;
const MOST_REPAIRS = 1;

export const NO_USAGE: Usage = { input: 0, output: 0, total: 0, estimated: false };

function addUsage(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, output: a.output + b.output, total: a.total + b.total, estimated: a.estimated || b.estimated };
}

export function startRun(run: Pick<RunState, "runId" | "task" | "budget" | "mayReturn" | "startedAtMs">): RunState {
  return { ...run, steps: 0, usage: NO_USAGE, stepUsage: NO_USAGE, cells: [], repairs: 0, said: "", outcome: undefined };
}

/** What stops the run at this boundary, if anything does. Budget before time before steps. */
export function limitReached(run: RunState, nowMs: number): Outcome | undefined {
  const { tokens, ms = DEFAULT_RUN_MS, steps = DEFAULT_STEPS } = run.budget;
  const over = (limit: number | undefined, used: number): boolean => limit !== undefined && used >= limit;
  const stop = (stopReason: StopReason, message: string): Outcome => ({
    stopReason,
    content: run.said,
    error: { code: "RunFailed", message },
  });
  if (over(tokens?.total, run.usage.total) || over(tokens?.input, run.usage.input) || over(tokens?.output, run.usage.output))
    return stop("budget-exhausted", `${String(run.usage.total)} tokens were used`);
  if (nowMs - run.startedAtMs >= ms) return stop("timeout", `the run's ${String(ms)} ms are over`);
  if (run.steps >= steps) return stop("max-steps", `all ${String(steps)} steps were used`);
  return undefined;
}

export type AfterModel =
  | { readonly next: "cell"; readonly code: string }
  /** The model is told what was wrong and asked again. */
  | { readonly next: "repair"; readonly advice: string }
  | { readonly next: "end"; readonly outcome: Outcome };

const UNCLOSED = "Your code block was not closed, so nothing ran. Send the whole block again and close it with ``` on a line of its own.";
const EMPTY = "Your reply was empty. Send a ```js block, or the answer in prose.";

/** What follows from a model call. A fragment is never an answer. */
export function afterModel(run: RunState, turn: ModelTurn): AfterModel {
  const { reply, failure, finish } = turn;
  if (reply.code !== undefined) return { next: "cell", code: reply.code };
  const said = reply.text === "" ? run.said : reply.text;
  const fail = (message: string, code: string): AfterModel => ({
    next: "end",
    outcome: { stopReason: "model-error", content: said, error: { code, message } },
  });
  if (failure !== undefined) return fail(failure.message, FAILURE_CODES[failure.kind]);
  if (finish === undefined) return fail("the stream ended without a finish reason", "ModelFailed");
  if (finish === "length") return fail("the reply was cut at the model's output limit", "ModelFailed");
  if (finish === "content-filter") return fail("the provider's filter stopped the reply", "ModelRefused");
  const advice = reply.unclosed ? UNCLOSED : reply.text.trim() === "" ? EMPTY : undefined;
  if (advice === undefined) return { next: "end", outcome: { stopReason: "completed", content: reply.text } };
  return run.repairs < MOST_REPAIRS ? { next: "repair", advice } : fail("the model gave no usable reply twice", "ModelFailed");
}

const FAILURE_CODES: Readonly<Record<ModelFailure["kind"], string>> = {
  transient: "ModelFailed",
  "rate-limited": "ModelRateLimited",
  billing: "ModelBilling",
  unauthorized: "Unauthorized",
  "context-exceeded": "ModelContextExceeded",
  "bad-request": "ModelFailed",
  cut: "ModelFailed",
  malformed: "ModelFailed",
};

export function withModelTurn(run: RunState, turn: ModelTurn): RunState {
  return {
    ...run,
    usage: addUsage(run.usage, turn.usage),
    stepUsage: turn.usage,
    said: turn.reply.text === "" ? run.said : turn.reply.text,
  };
}

/** The run after a cell; ended when its top-level `return` may end it and `refused` names no issue of the value. */
export function withCell(run: RunState, code: string, result: CellResult, refused: readonly string[] | undefined): RunState {
  const cells = [...run.cells, code];
  if (!run.mayReturn || !result.returned || !result.ok || refused !== undefined) return { ...run, cells };
  return { ...run, cells, outcome: { stopReason: "completed", content: run.said, value: result.value } };
}
