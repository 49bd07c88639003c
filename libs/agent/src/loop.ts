import type { Clock, NewEvent, RunSummary } from "@karst/events";
import { estimateTokens } from "@karst/model";
import type { FinishReason, ModelFailure } from "@karst/model";
import type { CellResult, Runtime } from "@karst/runtime";
import { cellOutput, cellText, INLINE_CHARS, preview } from "./context/cell-text.ts";
import type { ConversationEntry } from "./context/history.ts";
import { describeError } from "./errors.ts";
import type { OpenRun } from "./open-run.ts";
import { ReplyParser } from "./reply.ts";
import { limitReached, withCell, withModelTurn } from "./step.ts";
import type { AfterModel, ModelTurn, Outcome, RunState } from "./step.ts";

/** The effects of a run's steps: model calls, cells, and what they leave in the conversation. */
export interface LoopDeps {
  readonly clock: Clock;
  readonly publish: (fact: NewEvent) => void;
  readonly runtime: () => Promise<Runtime>;
  readonly remember: (entry: ConversationEntry) => void;
}

const OUTPUT_PREFIX = "_output";
/** Of a cell's output in its event: at up to six bytes each they fit a message of NATS. */
const EVENT_CHARS = 100_000;

export class Loop {
  readonly #deps: LoopDeps;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
  }

  prepare(run: RunState, context: OpenRun): RunState {
    if (context.signal.aborted) return { ...run, outcome: this.#aborted(run, context) };
    const outcome = limitReached(run, this.#deps.clock.monotonic());
    if (outcome !== undefined) return { ...run, outcome };
    const step = run.steps + 1;
    this.#deps.publish({ type: "step-started", runId: run.runId, step });
    return { ...run, steps: step };
  }

  /** One model call, read up to the end of its first block. */
  async think(run: RunState, context: OpenRun): Promise<ModelTurn> {
    const messages = await context.messages();
    const parser = new ReplyParser();
    let reasoning = "";
    let reported: { readonly input: number; readonly output: number } | undefined;
    let finish: FinishReason | undefined;
    let failure: ModelFailure | undefined;
    let refusal = "";
    const say = (text: string): void => {
      if (text !== "") this.#deps.publish({ type: "model-delta", runId: run.runId, step: run.steps, text });
    };
    for await (const part of context.model.stream({ messages }, context.signal)) {
      if (part.type === "text" && part.refusal === true) {
        refusal += part.text;
        say(part.text);
      } else if (part.type === "text") say(parser.feed(part.text));
      else if (part.type === "reasoning") {
        reasoning += part.text;
        this.#deps.publish({ type: "reasoning-delta", runId: run.runId, step: run.steps, text: part.text });
      } else if (part.type === "usage") reported = part;
      else if (part.type === "finish") finish = part.reason;
      else failure = part.error;
      if (parser.done && part.type === "text") break; // the rest of the reply is not read; most providers report no usage then
    }
    const { rest, reply: parsed } = parser.end();
    say(rest);
    // a refusal is an answer, and is never read for code
    const reply = refusal === "" ? parsed : { text: refusal, prose: refusal, code: undefined, unclosed: false };
    const input = reported?.input ?? messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    const output = reported?.output ?? estimateTokens(reply.text + reasoning);
    return { reply, reasoning, usage: { input, output, total: input + output, estimated: reported === undefined }, finish, failure };
  }

  replied(run: RunState, turn: ModelTurn, after: AfterModel): RunState {
    const { runId, steps: step } = run;
    const next = withModelTurn(run, turn);
    if (turn.reply.text !== "") this.#deps.remember({ kind: "reply", runId, step, text: turn.reply.text });
    if (after.next === "cell") return next;
    this.#endStep(next);
    if (after.next === "end") return { ...next, outcome: after.outcome };
    this.#deps.remember({ kind: "notice", runId, step, text: after.advice });
    return { ...next, repairs: next.repairs + 1 };
  }

  async act(run: RunState, code: string, context: OpenRun): Promise<CellResult> {
    this.#deps.publish({ type: "cell-started", runId: run.runId, step: run.steps, code });
    const runtime = await this.#deps.runtime();
    return runtime.execute(code, { signal: context.signal });
  }

  async acted(run: RunState, code: string, result: CellResult, context: OpenRun): Promise<RunState> {
    const { runId, steps: step } = run;
    const output = cellOutput(result);
    const refused = run.mayReturn && result.ok && result.returned ? context.refused(result.value) : undefined;
    const big =
      output.length > INLINE_CHARS
        ? { name: await (await this.#deps.runtime()).bindUnique(OUTPUT_PREFIX, output), chars: output.length }
        : undefined;
    this.#deps.remember({
      kind: "result",
      runId,
      step,
      text: cellText(result, { ...(big === undefined ? {} : { big }), ...(refused === undefined ? {} : { refused }) }),
    });
    this.#deps.publish({
      type: "cell-ended",
      runId,
      step,
      ok: result.ok,
      output: preview(output, EVENT_CHARS),
      ms: result.durationMs,
      ...(result.error === undefined ? {} : { error: result.error.report }),
      added: result.diff.added.map(({ name }) => name),
      changed: result.diff.changed.map(({ name }) => name),
      removed: [...result.diff.removed],
    });
    this.#endStep(run);
    const next = withCell(run, code, result, refused);
    return context.signal.aborted && next.outcome === undefined ? { ...next, outcome: this.#aborted(next, context) } : next;
  }

  broke(run: RunState, error: unknown, context: OpenRun): RunState {
    if (context.signal.aborted) return { ...run, outcome: this.#aborted(run, context) };
    const { code, message } = describeError(error);
    const stopReason = code === "RuntimeStopped" ? "runtime-error" : "internal-error";
    return { ...run, outcome: { stopReason, content: run.said, error: { code, message } } };
  }

  #endStep({ runId, steps: step, stepUsage: usage }: RunState): void {
    this.#deps.publish({ type: "step-ended", runId, step, usage });
  }

  #aborted(run: RunState, context: OpenRun): Outcome {
    const reason: unknown = context.signal.reason;
    const code = reason instanceof Error && "code" in reason ? String(reason.code) : "Cancelled";
    const message = reason instanceof Error ? reason.message : "the run was cancelled";
    const late = code === "DeadlineExceeded" || (reason instanceof Error && reason.name === "TimeoutError");
    return {
      stopReason: late ? "timeout" : "cancelled",
      content: run.said,
      error: { code: late ? "DeadlineExceeded" : "Cancelled", message },
    };
  }
}

/** What a finished run tells the world. */
export function summary(run: RunState, nowMs: number): RunSummary {
  const outcome = run.outcome ?? { stopReason: "internal-error" as const, content: run.said };
  return {
    runId: run.runId,
    content: outcome.content,
    completed: outcome.stopReason === "completed",
    stopReason: outcome.stopReason,
    steps: run.steps,
    elapsedMs: nowMs - run.startedAtMs,
    usage: run.usage,
    cells: [...run.cells],
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
  };
}
