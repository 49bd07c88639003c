import type { Clock, KarstEvent, RunFact, RunId } from "@karst/events";
import type { Model, ModelMessage } from "@karst/model";
import type { Boundary } from "./boundary-schema.ts";
import type { Budget, RunResult } from "./run.ts";
import { DEFAULT_RUN_MS } from "./step.ts";
import { runDeadline } from "./turn.ts";

export interface OpenRunOptions {
  readonly runId: RunId;
  readonly agent: string;
  readonly model: Model;
  readonly clock: Clock;
  readonly budget: Budget;
  /** What ends the run early: the turn, the caller. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Schema of the value that it must return, where this process has it. */
  readonly check: Boundary | undefined;
  readonly messages: () => Promise<readonly ModelMessage[]>;
  /** Who watches the run beside the event stream. */
  readonly onFact: ((fact: RunFact) => void) | undefined;
}

/**
 * What one run needs beside its state; it lives as long as the run.
 *
 * Q1. `signal` aborts once: when the turn or the caller ends it, when its time is over, or by `cancel`; never after `settle`.
 * Q2. After `settle` no timer and no listener is left.
 */
export class OpenRun {
  readonly runId: RunId;
  readonly model: Model;
  readonly settled: Promise<RunResult>;
  readonly #options: OpenRunOptions;
  readonly #controller = new AbortController();
  readonly #endAtMs: number;
  readonly #letGo: (() => void)[] = [];
  #resolve: (result: RunResult) => void = () => undefined;

  constructor(options: OpenRunOptions) {
    this.#options = options;
    this.runId = options.runId;
    this.model = options.model;
    this.settled = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    for (const signal of options.signals) if (signal !== undefined) this.#follow(signal);
    const limitMs = options.budget.ms ?? DEFAULT_RUN_MS;
    this.#endAtMs = options.clock.monotonic() + limitMs;
    this.#letGo.push(
      options.clock.after(limitMs, () => {
        this.cancel(runDeadline(options.agent, limitMs));
      }),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether someone watches it beside the event stream. */
  get watched(): boolean {
    return this.#options.onFact !== undefined;
  }

  timeLeftMs(): number {
    return Math.max(0, this.#endAtMs - this.#options.clock.monotonic());
  }

  cancel(reason: unknown): void {
    this.#controller.abort(reason);
  }

  messages(): Promise<readonly ModelMessage[]> {
    return this.#options.messages();
  }

  /** Issues of a returned value, or undefined when it does. */
  refused(value: unknown): readonly string[] | undefined {
    const accepted = this.#options.check?.accept(value);
    return accepted === undefined || accepted.ok ? undefined : accepted.issues;
  }

  /** A value that is not refused, as its schema gives it: with its defaults filled in. */
  accepted(value: unknown): unknown {
    const accepted = this.#options.check?.accept(value);
    return accepted?.ok === true ? accepted.value : value;
  }

  show(event: KarstEvent): void {
    if (this.#options.onFact === undefined || !isRunFact(event)) return;
    try {
      this.#options.onFact(event);
    } catch (error) {
      this.cancel(error); // an event that cannot be sent ends the run it belongs to, never its agent
    }
  }

  settle(result: RunResult): void {
    for (const letGo of this.#letGo) letGo();
    this.#resolve(result);
  }

  #follow(signal: AbortSignal): void {
    const follow = (): void => {
      this.cancel(signal.reason);
    };
    if (signal.aborted) follow();
    else {
      signal.addEventListener("abort", follow, { once: true });
      this.#letGo.push(() => {
        signal.removeEventListener("abort", follow);
      });
    }
  }
}

function isRunFact(event: KarstEvent): event is RunFact {
  return "runId" in event && event.type !== "state-entered";
}
