import { KarstError } from "@karst/events";
import type { NodeId } from "@karst/events";

/** Whether the handler may have begun with a call that failed. `no`: surely not, so another node may be asked. */
export type Started = "no" | "unknown";

/** Nobody takes the call, or the one who took it is gone. Retryable. `data.started` says whether the handler may have begun. */
export class UnavailableError extends KarstError {
  constructor(what: string, o: { readonly started: Started; readonly node?: NodeId; readonly cause?: unknown }) {
    const { cause, ...data } = o;
    super("Unavailable", what, { retryable: true, data, cause });
  }
}

/** The call's time is over. */
export class DeadlineExceededError extends KarstError {
  constructor(what: string) {
    super("DeadlineExceeded", `${what}: the deadline has passed`, { data: { what } });
  }
}

/** The caller took the call back; `cause` is the reason of its signal. */
export class CancelledError extends KarstError {
  constructor(what: string, cause?: unknown) {
    super("Cancelled", `${what} was cancelled`, { data: { what }, cause });
  }
}

/** Too many at once; `limit` says how many are allowed. Retryable. */
export class OverloadedError extends KarstError {
  constructor(what: string, limit: number) {
    super("Overloaded", `${what}: the limit is ${String(limit)}`, { retryable: true, data: { what, limit } });
  }
}

/** Used after `close()`. */
export class ClosedError extends KarstError {
  constructor(what: string) {
    super("Closed", `${what} is closed`, { data: { what } });
  }
}

/** A stream lost items: `received` came, then a gap. */
export class StreamBrokenError extends KarstError {
  constructor(what: string, received: number) {
    super("StreamBroken", `${what} broke off after ${String(received)}`, { data: { what, received } });
  }
}

/** A setting, or a combination of processes, that cannot work. */
export class InvalidConfigError extends KarstError {
  constructor(message: string, data: Readonly<Record<string, unknown>> = {}) {
    super("InvalidConfig", message, { data });
  }
}

/** Another node answers for the class; while placement is static, one may. */
export class ClassTakenError extends InvalidConfigError {
  constructor(tenant: string, className: string, node: NodeId) {
    super(`the node ${node} answers for the class ${className} in the tenant ${tenant} already`, { tenant, class: className, node });
  }
}

/** No node has answered for the class in time. */
export class NotLocatedError extends UnavailableError {
  constructor(tenant: string, className: string) {
    super(`no node answers for the class ${className} in the tenant ${tenant}`, { started: "no" });
  }
}

/** The NATS server refuses who we are, or what we ask for. */
export class UnauthorizedError extends KarstError {
  constructor(message: string, cause?: unknown) {
    super("Unauthorized", message, { cause });
  }
}

/** A call that breaks a rule of the transport, found before it is sent. */
export class BadCallError extends KarstError {
  constructor(message: string) {
    super("BadArgs", message);
  }
}

/** A program that must be on this machine and is not; `howTo` is what would mend it. */
export class MissingToolError extends KarstError {
  constructor(what: string, howTo: string) {
    super("MissingTool", `${what}; try: ${howTo}`, { data: { what, howTo } });
  }
}
