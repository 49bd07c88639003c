import type { AgentAddress, Clock } from "@karst/events";
import type { IncomingCall } from "@karst/cluster";
import { DeadlineError } from "./errors.ts";
import type { FieldDraft } from "./field-draft.ts";

/** One accepted call, handled to its end; a query has one too, beside the turn. For a `told` one nobody waits. */
export class Turn {
  readonly kind: "turn" | "told" | "query";
  readonly call: IncomingCall;
  readonly draft: FieldDraft;
  /** The run that is open in it, if one is. */
  runId: string | undefined = undefined;
  readonly #clock: Clock;
  readonly #deadlineAtMs: number;
  #controller: AbortController | undefined;
  #follow: (() => void) | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #open = true;

  /** `arrivedAtMs`: monotonic; the call's time runs from then on. */
  constructor(kind: Turn["kind"], call: IncomingCall, draft: FieldDraft, clock: Clock, arrivedAtMs = clock.monotonic()) {
    this.kind = kind;
    this.call = call;
    this.draft = draft;
    this.#clock = clock;
    this.#deadlineAtMs = arrivedAtMs + call.timeoutMs;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Aborts when the caller cancels, the deadline passes, or the agent stops. Made when first asked for: most calls end without. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const { signal } = this.call;
      const follow = (): void => {
        controller.abort(signal.reason);
      };
      this.#controller = controller;
      this.#follow = follow;
      if (this.#aborted !== undefined) controller.abort(this.#aborted.reason);
      else if (signal.aborted) follow();
      else signal.addEventListener("abort", follow, { once: true });
    }
    return this.#controller.signal;
  }

  timeLeftMs(): number {
    return Math.max(0, this.#deadlineAtMs - this.#clock.monotonic());
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Its method has ended: what it left running can do nothing more, while the turn itself is being committed. */
  seal(): void {
    this.#open = false;
  }

  /** Lets go of the call's signal; the turn is over. */
  close(): void {
    this.seal();
    if (this.#follow !== undefined) this.call.signal.removeEventListener("abort", this.#follow);
  }
}

/** The agents whose open turns wait for what this one does, itself included: of a told turn nobody else does. */
export function chainOf(turn: Turn, self: AgentAddress): readonly AgentAddress[] {
  return turn.kind === "told" ? [self] : [...turn.call.chain, self];
}

/** The reason a run's own time limit aborts it with. */
export function runDeadline(agent: string, ms: number): DeadlineError {
  return new DeadlineError(`the run of ${agent}`, ms);
}
