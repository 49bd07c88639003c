import { TooLargeError, isKarstError } from "@karst/events";
import type { AgentAddress, CallId, Clock, NodeId } from "@karst/events";
import type { Deadlines, Expiring } from "./deadlines.ts";
import { CancelledError, ClosedError, DeadlineExceededError, OverloadedError, UnavailableError } from "./errors.ts";
import { describeCall } from "./pending-calls.ts";
import type { Call, CallHandler, Caller, IncomingCall, TransportLimits } from "./transport.ts";

/** The way back to a caller. Its functions must not throw. */
export interface ReplyPath {
  /** `index` counts the frames of a call from 0. */
  frame(id: CallId, index: number, body: Uint8Array): void;
  /** `frames`: how many were sent before it. */
  result(id: CallId, frames: number, body: Uint8Array): void;
  error(id: CallId, error: unknown): void;
}

/**
 * The calls that one node has taken for one tenant; the callee's half of a transport.
 *
 * V1. A call id reaches the handler once. One that runs goes on; one that has ended gets its reply again, as long as it is remembered
 *     (the last 10,000 or more, at most 16 MiB of bodies). A retryable error is not remembered: its call may be made again.
 * V2. The handler is entered in the order of `take`, inside it.
 * V3. The signal of a call aborts once: on cancel, deadline or close. After that nothing is sent for it, but for `Unavailable` on close.
 * V4. After `close()` the handler is not entered; `close()` resolves when all entered ones have ended, or 2 s later.
 */
export interface ServedCalls {
  take(call: Call, timeoutMs: number, path: ReplyPath): void;
  cancel(id: CallId): void;
  /** Sends again every end that was reached at or after `sinceMs` (monotonic): what left then may be lost. */
  repeat(sinceMs: number): void;
  readonly running: number;
  close(): Promise<void>;
}

export interface ServedCallsDeps {
  readonly node: NodeId;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly limits: TransportLimits;
  readonly handler: CallHandler;
}

const REMEMBERED_CALLS = 10_000;
const REMEMBERED_BYTES = 8 * 1024 * 1024;
const CLOSE_MS = 2_000;

interface Ended {
  readonly id: CallId;
  readonly path: ReplyPath;
  readonly atMs: number;
  readonly frames: number;
  readonly outcome: { readonly ok: true; readonly body: Uint8Array } | { readonly ok: false; readonly error: unknown };
}

/** The newest ends by call id. Two generations: the older one goes whole, so that forgetting costs nothing per call. */
class EndedCalls {
  #young = new Map<CallId, Ended>();
  #old = new Map<CallId, Ended>();
  #youngBytes = 0;

  get(id: CallId): Ended | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  add(ended: Ended): void {
    if (this.#young.size >= REMEMBERED_CALLS || this.#youngBytes >= REMEMBERED_BYTES) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(ended.id, ended);
    if (ended.outcome.ok) this.#youngBytes += ended.outcome.body.length;
  }

  *since(sinceMs: number): Generator<Ended> {
    for (const generation of [this.#old, this.#young]) for (const ended of generation.values()) if (ended.atMs >= sinceMs) yield ended;
  }
}

class ServedCall implements IncomingCall, Expiring {
  readonly id: CallId;
  readonly to: AgentAddress;
  readonly method: string;
  readonly from: Caller;
  readonly chain: readonly AgentAddress[];
  declare readonly parentRun?: string;
  declare readonly grant?: NonNullable<Call["grant"]>;
  readonly idempotencyKey: string;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  dueMs = -1;
  frames = 0;
  ended = false;
  path: ReplyPath;
  readonly #frameBytes: number;
  #stopped: Error | undefined;
  #controller: AbortController | undefined;

  constructor(call: Call, timeoutMs: number, path: ReplyPath, frameBytes: number) {
    this.id = call.id;
    this.to = call.to;
    this.method = call.method;
    this.from = call.from;
    this.chain = call.chain;
    if (call.parentRun !== undefined) this.parentRun = call.parentRun;
    if (call.grant !== undefined) this.grant = call.grant;
    this.idempotencyKey = call.idempotencyKey;
    this.body = call.body;
    this.timeoutMs = timeoutMs;
    this.path = path;
    this.#frameBytes = frameBytes;
  }

  /** Made when first asked for: an AbortController costs more than the rest of a short call. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
    return this.#controller.signal;
  }

  get stopped(): boolean {
    return this.#stopped !== undefined;
  }

  stop(reason: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.#controller?.abort(reason);
  }

  expire(): void {
    this.stop(new DeadlineExceededError(describeCall(this)));
  }

  frame(body: Uint8Array): void {
    if (body.length > this.#frameBytes) throw new TooLargeError(`frame of ${describeCall(this)}`, body.length, this.#frameBytes);
    if (this.#stopped === undefined && !this.ended) this.path.frame(this.id, this.frames++, body);
  }
}

export function createServedCalls({ node, clock, deadlines, limits, handler }: ServedCallsDeps): ServedCalls {
  const running = new Map<CallId, ServedCall>();
  const ends = new EndedCalls();
  let closed = false;
  let whenIdle = (): void => undefined;

  const send = ({ id, path, frames, outcome }: Ended): void => {
    if (outcome.ok) path.result(id, frames, outcome.body);
    else path.error(id, outcome.error);
  };

  const end = (call: ServedCall, outcome: Ended["outcome"]): void => {
    call.ended = true;
    running.delete(call.id);
    deadlines.remove(call);
    if (running.size === 0) whenIdle();
    if (closed) return;
    const ended: Ended = { id: call.id, path: call.path, atMs: clock.monotonic(), frames: call.frames, outcome };
    if (outcome.ok || !(isKarstError(outcome.error) && outcome.error.retryable)) ends.add(ended);
    if (!call.stopped) send(ended);
  };

  const succeed = (call: ServedCall, body: Uint8Array): void => {
    if (body.length <= limits.bodyBytes) end(call, { ok: true, body });
    else end(call, { ok: false, error: new TooLargeError(`reply to ${describeCall(call)}`, body.length, limits.bodyBytes) });
  };

  const enter = (call: ServedCall): void => {
    try {
      handler(call).then(
        (body) => {
          succeed(call, body);
        },
        (error: unknown) => {
          end(call, { ok: false, error });
        },
      );
    } catch (error) {
      end(call, { ok: false, error });
    }
  };

  return {
    take(call, timeoutMs, path) {
      const ended = ends.get(call.id);
      const open = running.get(call.id);
      if (ended !== undefined) send({ ...ended, path });
      else if (open !== undefined) open.path = path;
      else if (closed) path.error(call.id, new UnavailableError(`${describeCall(call)}: the node is closing`, { node, started: "no" }));
      else if (!(timeoutMs > 0)) path.error(call.id, new DeadlineExceededError(describeCall(call)));
      else if (running.size >= limits.callsInFlight)
        path.error(call.id, new OverloadedError("calls running on the node", limits.callsInFlight));
      else {
        const served = new ServedCall(call, timeoutMs, path, limits.bodyBytes);
        running.set(call.id, served);
        deadlines.add(served, timeoutMs);
        enter(served);
      }
    },
    cancel(id) {
      const call = running.get(id);
      call?.stop(new CancelledError(describeCall(call)));
    },
    repeat(sinceMs) {
      for (const ended of ends.since(sinceMs)) send(ended);
    },
    get running() {
      return running.size;
    },
    async close() {
      closed = true;
      for (const call of running.values()) {
        if (!call.stopped)
          call.path.error(
            call.id,
            new UnavailableError(`${describeCall(call)}: the node closed while it ran`, { node, started: "unknown" }),
          );
        call.stop(new ClosedError("the transport"));
        deadlines.remove(call);
      }
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        const disarm = clock.after(CLOSE_MS, resolve);
        whenIdle = () => {
          disarm();
          resolve();
        };
      });
    },
  };
}
