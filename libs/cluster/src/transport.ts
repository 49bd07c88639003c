import type { AgentAddress, CallId, NodeId } from "@karst/events";

/**
 * Delivers a call to one node and brings its replies back.
 *
 * T1. A call reaches the handler of exactly the named node, or fails with `Unavailable`; within 1 s when nobody listens there.
 * T2. Replies come as any number of frames, then exactly one result or error; frames arrive in the order sent, before the end.
 * T3. A call ends at its deadline with `DeadlineExceeded` at the latest; the callee sees the remaining time, which only shrinks.
 * T4. When the caller's signal aborts, the callee's signal aborts too, and the call ends with `Cancelled`.
 * T5. Bodies are bytes and arrive equal; one over `limits.bodyBytes` is refused by `TooLarge` before it is sent, a reply too.
 * T6. An error of the handler arrives with its code, message, data and cause.
 * T7. After `close()` no handler runs, open calls end with `Closed`, and nothing is left behind (no timer, no subscription).
 * T8. Calls of one caller to one node are handed to the handler in the order made.
 * T9. A call id that a node has taken does not reach its handler again: sent again, it gets the reply of the first time (unless that was a retryable
 *     error), as long as the node remembers it, which it does for at least its last 10,000 calls or 8 MiB of replies.
 *
 * Bytes are never copied inside a process: whoever hands over a body, or is handed one, does not change it.
 */
export interface Transport extends AsyncDisposable {
  /** This process, new with each start. */
  readonly node: NodeId;
  readonly limits: TransportLimits;
  /** Starts to take calls for this node, in one tenant; at most one handler. Returns when they can arrive. */
  serve(tenant: string, handler: CallHandler): Promise<void>;
  /** Lets this node answer for a class. @throws {KarstError} `InvalidConfig` when another node answers for it already. */
  offer(tenant: string, className: string): Promise<void>;
  /** The node that answers for a class. @throws {KarstError} `Unavailable` when none does within `timeoutMs` (default 2,000). */
  locate(tenant: string, className: string, o?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<NodeId>;
  /**
   * @throws {KarstError} with the code of what went wrong. `data.started` of an `Unavailable` says whether the handler may have begun (`unknown`) or
   * surely has not (`no`).
   */
  call(node: NodeId, call: Call, o: CallOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface TransportLimits {
  /** Largest body of a call, frame or reply. Default 512 KiB. */
  readonly bodyBytes: number;
  /** Calls this node may have made, and calls each tenant may have running on it, at once; past it `Overloaded`. Default 65,536. */
  readonly callsInFlight: number;
}

export const DEFAULT_TRANSPORT_LIMITS: TransportLimits = { bodyBytes: 512 * 1024, callsInFlight: 65_536 };

/** What travels beside the body; on NATS a line of JSON before it (call.ts). */
export interface Call {
  readonly id: CallId;
  readonly to: AgentAddress;
  readonly method: string;
  /** Address of the calling agent and its roles, or the operator. Trusted as far as the transport's peers are. */
  readonly from: Caller;
  /** Addresses of the agents whose open turns led here, outermost first; at most 32. */
  readonly chain: readonly AgentAddress[];
  /** The run that caused the call, if one did. */
  readonly parentRun?: string;
  /** The grant of an attenuated handle. */
  readonly grant?: { readonly only: readonly string[]; readonly proof: string };
  readonly idempotencyKey: string;
  readonly body: Uint8Array;
}

export type Caller =
  { readonly kind: "operator" } | { readonly kind: "agent"; readonly address: AgentAddress; readonly roles: readonly string[] };

export interface CallOptions {
  /** Time left for the call, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called for each frame, in order. Without it frames are dropped. */
  readonly onFrame?: (frame: Uint8Array) => void;
}

export interface IncomingCall extends Call {
  /** Time left when it arrived, ms. */
  readonly timeoutMs: number;
  /** Aborts when the caller cancels, the deadline passes or the transport closes. */
  readonly signal: AbortSignal;
  /** Whether `signal` has aborted, without making one: it comes to life when first asked for. */
  readonly stopped: boolean;
  /** Sends a frame to the caller. */
  frame(body: Uint8Array): void;
}

/** Resolves with the result's body; a throw travels back as an error. */
export type CallHandler = (call: IncomingCall) => Promise<Uint8Array>;
