import type { CellResult } from "@karst/runtime";
import { createActor, waitFor } from "xstate";
import { agentMachine } from "../agent.machine.ts";
import type { AgentEffects, AgentEvent } from "../agent.machine.ts";
import { ReplyParser } from "../reply.ts";
import { afterModel, limitReached, NO_USAGE, startRun, withCell, withModelTurn } from "../step.ts";
import type { ModelTurn, Outcome, RunState } from "../step.ts";

interface Waiting<T> {
  readonly run: RunState;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** An agent whose model calls, cells and commits the test ends one by one. The decisions are the real ones. */
export class Bench implements AgentEffects {
  readonly log: string[] = [];
  readonly outcomes: (Outcome | undefined)[] = [];
  readonly thinking: Waiting<ModelTurn>[] = [];
  readonly acting: (Waiting<CellResult> & { readonly code: string })[] = [];
  commits: ("step" | "turn")[] = [];
  actThrows: Error | undefined;
  readonly #actor = createActor(agentMachine, { input: { effects: this } });

  constructor() {
    this.#actor.start();
  }

  get status(): string {
    return this.#actor.getSnapshot().status;
  }
  get state(): string {
    return this.#actor.getSnapshot().value;
  }
  prepare(run: RunState): RunState {
    this.log.push("prepare");
    const outcome = limitReached(run, 0);
    return outcome === undefined ? { ...run, steps: run.steps + 1 } : { ...run, outcome };
  }
  think(run: RunState): Promise<ModelTurn> {
    this.log.push("think");
    return new Promise((resolve, reject) => this.thinking.push({ run, resolve, reject }));
  }
  decide(run: RunState, turn: ModelTurn): ReturnType<AgentEffects["decide"]> {
    return afterModel(run, turn);
  }
  replied(run: RunState, turn: ModelTurn, after: ReturnType<AgentEffects["decide"]>): RunState {
    const next = withModelTurn(run, turn);
    if (after.next === "end") return { ...next, outcome: after.outcome };
    return after.next === "repair" ? { ...next, repairs: next.repairs + 1 } : next;
  }
  act(run: RunState, code: string): Promise<CellResult> {
    this.log.push(`act ${code}`);
    if (this.actThrows !== undefined) throw this.actThrows;
    return new Promise((resolve, reject) => this.acting.push({ run, code, resolve, reject }));
  }
  acted(run: RunState, code: string, result: CellResult): Promise<RunState> {
    return Promise.resolve(withCell(run, code, result, undefined));
  }
  broke(run: RunState, error: unknown): RunState {
    const message = error instanceof Error ? error.message : "?";
    return { ...run, outcome: { stopReason: "internal-error", content: run.said, error: { code: "AppError", message } } };
  }
  commit(kind: "step" | "turn"): void {
    this.log.push(`commit ${kind}`);
    this.commits.push(kind);
  }
  settled(run: RunState): void {
    this.log.push("settled");
    this.outcomes.push(run.outcome);
  }

  /** To `idle`, and into a turn with a run. */
  run(change: Partial<RunState> = {}): void {
    this.send("STARTED");
    this.send("TURN");
    this.runAgain(change);
  }
  /** A run in the turn that is open. */
  runAgain(change: Partial<RunState> = {}): void {
    const run = startRun({ runId: "r", task: "t", budget: {}, mayReturn: false, startedAtMs: 0 });
    this.#actor.send({ type: "RUN", run: { ...run, ...change } });
  }
  async answer(text: string): Promise<void> {
    const parser = new ReplyParser();
    parser.feed(text);
    this.thinking.shift()?.resolve({ reply: parser.end().reply, reasoning: "", usage: NO_USAGE, finish: "stop", failure: undefined });
    await this.leaves("thinking");
  }
  async endCell(change: Partial<CellResult> = {}): Promise<void> {
    const diff = { added: [], changed: [], removed: [] };
    const plain = {
      cell: 1,
      ok: true,
      hasValue: false,
      returned: false,
      output: "",
      outputDroppedChars: 0,
      late: [],
      background: [],
      durationMs: 1,
      diff,
    };
    this.acting.shift()?.resolve({ ...plain, ...change });
    await this.leaves("acting");
  }
  async leaves(state: string): Promise<void> {
    await waitFor(this.#actor, ({ value }) => value !== state, { timeout: 2_000 });
  }
  send(type: Exclude<AgentEvent["type"], "RUN">): void {
    this.#actor.send({ type });
  }
}
