import { KarstError } from "@karst/events";
import type { KarstErrorOptions } from "@karst/events";

/** A class, part or option that cannot work as written; `place` names it, such as `cleaner.fields.rowsIn`. */
export class InvalidDefinitionError extends KarstError {
  constructor(place: string, problem: string) {
    super("InvalidDefinition", `${place}: ${problem}`, { data: { place, problem } });
  }
}

/** Settings of a system that cannot work; `place` names the option. */
export class InvalidConfigError extends KarstError {
  constructor(place: string, problem: string, cause?: unknown) {
    super("InvalidConfig", `${place}: ${problem}`, { data: { place, problem }, cause });
  }
}

/** Arguments that the method's schema refuses; `issues` name each place. */
export class BadArgsError extends KarstError {
  constructor(method: string, issues: readonly string[]) {
    super("BadArgs", `${method}: ${issues.join("; ")}`, { data: { method, issues } });
  }
}

/** A value that its schema refuses: a field, a variable, a result. */
export class InvalidValueError extends KarstError {
  constructor(what: string, issues: readonly string[]) {
    super("InvalidValue", `${what}: ${issues.join("; ")}`, { data: { what, issues } });
  }
}

export class NoSuchMethodError extends KarstError {
  constructor(className: string, method: string, known: readonly string[]) {
    super("NoSuchMethod", `${className} has no method '${method}'; it has ${known.join(", ") || "none"}`, {
      data: { className, method, known },
    });
  }
}

export class UnauthorizedError extends KarstError {
  constructor(who: string, what: string, rule: string) {
    super("Unauthorized", `${who} may not call ${what}: ${rule}`, { data: { who, what, rule } });
  }
}

/** A chain of calls that came back to an agent whose turn is open; `path` names the agents in order. */
export class DeadlockError extends KarstError {
  constructor(path: readonly string[]) {
    super("Deadlock", `the call comes back to an agent that is waiting for it: ${path.join(" → ")}`, { data: { path } });
  }
}

/** A mailbox past its bound. */
export class OverloadedError extends KarstError {
  constructor(who: string, waiting: number, waitingBytes: number) {
    super("Overloaded", `${who} has ${String(waiting)} calls (${String(waitingBytes)} bytes) waiting; try again later`, {
      retryable: true,
      data: { who, waiting, waitingBytes, retryAfterMs: 100 },
    });
  }
}

export class CancelledError extends KarstError {
  constructor(what: string, cause?: unknown) {
    super("Cancelled", `${what} was cancelled`, { cause });
  }
}

export class DeadlineError extends KarstError {
  constructor(what: string, ms: number) {
    super("DeadlineExceeded", `${what} did not end within ${String(ms)} ms`, { retryable: true, data: { what, ms } });
  }
}

/** The system, host or agent is closed. */
export class ClosedError extends KarstError {
  constructor(what: string) {
    super("Closed", `${what} is closed`, {});
  }
}

/** A run that did not complete, where code asked for its value; `data.stopReason` says why. */
export class RunFailedError extends KarstError {
  constructor(agent: string, stopReason: string, message: string, options: KarstErrorOptions = {}) {
    super("RunFailed", `the run of ${agent} ended with ${stopReason}: ${message}`, { ...options, data: { agent, stopReason } });
  }
}

/** Code and message of whatever was thrown, for events and results. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  try {
    if (!(error instanceof Error)) return { code: "AppError", message: String(error) };
    return { code: "code" in error && typeof error.code === "string" ? error.code : "AppError", message: error.message };
  } catch {
    return { code: "AppError", message: "what was thrown cannot be described" }; // its own code throws
  }
}
