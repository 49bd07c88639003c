import { TooLargeError } from "@karst/events";
import type { Clock, NodeId } from "@karst/events";
import type { Deadlines, Expiring } from "./deadlines.ts";
import { BadCallError, CancelledError, ClosedError, DeadlineExceededError, OverloadedError, StreamBrokenError } from "./errors.ts";
import type { Call, CallOptions, TransportLimits } from "./transport.ts";

/** How calls leave. */
export interface CallWire {
  /** Puts the call on its way. Its throw ends the call. */
  send(call: PendingCall): void;
  /** Asks the callee to stop. Must not throw. */
  cancel(call: PendingCall): void;
}

/** A call that was made and has not ended. */
export interface PendingCall {
  readonly node: NodeId;
  readonly call: Call;
  readonly tenant: string;
  /** On the clock's monotonic time. */
  readonly madeAtMs: number;
  readonly deadlineMs: number;
  readonly ended: boolean;
  /** Frames that have come. */
  readonly frames: number;
  /** How often it was put on its way; counted by the wire. */
  sends: number;
}

/**
 * The calls of one node that wait for their end; the caller's half of a transport.
 *
 * C1. A call ends exactly once: by result, error, deadline, cancel or `close()`. What comes for it later is dropped.
 * C2. Frames are handed on in order and without a gap; a gap ends the call with `StreamBroken`. Without `onFrame` they are not looked at.
 * C3. What ends a call also takes its deadline and its listener away.
 */
export interface PendingCalls {
  start(node: NodeId, call: Call, o: CallOptions): Promise<Uint8Array>;
  get(id: string): PendingCall | undefined;
  /** In the order made. */
  all(): IterableIterator<PendingCall>;
  readonly size: number;
  /** `index` counts the frames of a call from 0. */
  frame(id: string, index: number, body: Uint8Array): void;
  /** `frames`: how many were sent before it. */
  result(id: string, frames: number, body: Uint8Array): void;
  fail(id: string, error: unknown): void;
  /** Ends every call with `ClosedError`, now and later. */
  close(): void;
}

export interface PendingCallsDeps {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly limits: TransportLimits;
  readonly wire: CallWire;
}

const nothing = (): void => undefined;

class OpenCall implements PendingCall, Expiring {
  readonly node: NodeId;
  readonly call: Call;
  readonly tenant: string;
  readonly madeAtMs: number;
  readonly deadlineMs: number;
  readonly onFrame: ((frame: Uint8Array) => void) | undefined;
  dueMs = -1;
  frames = 0;
  sends = 0;
  ended = false;
  resolve: (body: Uint8Array) => void = nothing;
  reject: (error: unknown) => void = nothing;
  forget: () => void = nothing;
  timedOut: (call: OpenCall) => void;

  constructor(node: NodeId, call: Call, madeAtMs: number, o: CallOptions, timedOut: (call: OpenCall) => void) {
    this.node = node;
    this.call = call;
    this.tenant = call.to.slice(0, call.to.indexOf("/"));
    this.madeAtMs = madeAtMs;
    this.deadlineMs = madeAtMs + o.timeoutMs;
    this.onFrame = o.onFrame;
    this.timedOut = timedOut;
  }

  expire(): void {
    this.timedOut(this);
  }
}

export const describeCall = (call: Call): string => `call ${call.to} ${call.method}`;

export function createPendingCalls({ clock, deadlines, limits, wire }: PendingCallsDeps): PendingCalls {
  const calls = new Map<string, OpenCall>();
  let closed = false;

  const end = (open: OpenCall): void => {
    open.ended = true;
    calls.delete(open.call.id);
    deadlines.remove(open);
    open.forget();
  };
  const failOpen = (open: OpenCall, error: unknown): void => {
    end(open);
    open.reject(error);
  };
  const timedOut = (open: OpenCall): void => {
    failOpen(open, new DeadlineExceededError(describeCall(open.call)));
  };
  const giveUp = (open: OpenCall, error: unknown): void => {
    wire.cancel(open);
    failOpen(open, error);
  };

  /** Why a call cannot even start. */
  const refusal = (call: Call, { timeoutMs, signal }: CallOptions): Error | undefined => {
    if (closed) return new ClosedError("the transport");
    if (signal?.aborted === true) return new CancelledError(describeCall(call), signal.reason);
    if (!(timeoutMs > 0)) return new DeadlineExceededError(describeCall(call));
    if (call.body.length > limits.bodyBytes) return new TooLargeError(`body of ${describeCall(call)}`, call.body.length, limits.bodyBytes);
    if (calls.has(call.id)) return new BadCallError(`${describeCall(call)}: the id ${call.id} is in flight already`);
    if (calls.size >= limits.callsInFlight) return new OverloadedError("calls in flight", limits.callsInFlight);
    return undefined;
  };

  const start = (node: NodeId, call: Call, o: CallOptions): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const refused = refusal(call, o);
      if (refused !== undefined) {
        reject(refused);
        return;
      }
      const open = new OpenCall(node, call, clock.monotonic(), o, timedOut);
      open.resolve = resolve;
      open.reject = reject;
      calls.set(call.id, open);
      deadlines.add(open, o.timeoutMs);
      const { signal } = o;
      if (signal !== undefined) {
        const stop = (): void => {
          giveUp(open, new CancelledError(describeCall(call), signal.reason));
        };
        signal.addEventListener("abort", stop, { once: true });
        open.forget = () => {
          signal.removeEventListener("abort", stop);
        };
      }
      try {
        wire.send(open);
      } catch (error) {
        failOpen(open, error);
      }
    });

  const isWhole = (open: OpenCall, frames: number): boolean => {
    if (open.onFrame === undefined || frames === open.frames) return true;
    giveUp(open, new StreamBrokenError(`frames of ${describeCall(open.call)}`, open.frames));
    return false;
  };

  return {
    start,
    get: (id) => calls.get(id),
    all: () => calls.values(),
    get size() {
      return calls.size;
    },
    frame(id, index, body) {
      const open = calls.get(id);
      if (open?.onFrame === undefined || !isWhole(open, index)) return;
      open.frames++;
      try {
        open.onFrame(body);
      } catch (error) {
        giveUp(open, error);
      }
    },
    result(id, frames, body) {
      const open = calls.get(id);
      if (open === undefined || !isWhole(open, frames)) return;
      end(open);
      open.resolve(body);
    },
    fail(id, error) {
      const open = calls.get(id);
      if (open !== undefined) failOpen(open, error);
    },
    close() {
      closed = true;
      for (const open of calls.values()) giveUp(open, new ClosedError("the transport"));
    },
  };
}
