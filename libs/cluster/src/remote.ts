import { errorCode, isKarstError, parseAddress, silentLog, systemClock } from "@karst/events";
import type { AgentAddress, Clock, Log, NodeId } from "@karst/events";
import { DeadlineExceededError } from "./errors.ts";
import { pause } from "./pause.ts";
import { describeCall } from "./pending-calls.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";

/**
 * Calls an agent by its address, wherever it lives.
 *
 * R1. An address that is ours goes to this node. Any other goes to the node that answers for its class, asked for once and remembered.
 * R2. When that node is gone before the handler began, it is forgotten, the class is located again and the same call id is sent there; this ends
 *     with the call's deadline, its signal, or with `Unavailable` when nobody answers for the class within `locateMs`.
 * R3. When the handler may have begun (`data.started` is `unknown`), the same id is sent again only if `resendStarted`: a node that has lost the call's
 *     record would begin it a second time.
 */
export interface Remote {
  call(call: Call, o: CallOptions): Promise<Uint8Array>;
}

export interface RemoteDeps {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Whether an agent lives on this node. Default: none does. */
  readonly ours?: (to: AgentAddress) => boolean;
}

export interface RemoteOptions {
  /** How long a class may be without a node before its calls fail. Default 2,000. */
  readonly locateMs?: number;
  /** See R3; for callees that keep their calls in a journal. Default false. */
  readonly resendStarted?: boolean;
}

const RESEND_MS = 50;

export function createRemote(deps: RemoteDeps, { locateMs = 2_000, resendStarted = false }: RemoteOptions = {}): Remote {
  const { transport, clock = systemClock, log = silentLog, ours = () => false } = deps;
  /** Node by `tenant/class`: as many as there are classes. */
  const homes = new Map<string, NodeId>();

  const mayResend = (error: unknown): boolean =>
    errorCode(error) === "Unavailable" &&
    isKarstError(error) &&
    (error.data["started"] === "no" || (resendStarted && error.data["started"] === "unknown"));

  const callElsewhere = async (call: Call, o: CallOptions): Promise<Uint8Array> => {
    const { tenant, class: className } = parseAddress(call.to);
    const key = `${tenant}/${className}`;
    const deadlineMs = clock.monotonic() + o.timeoutMs;
    const leftMs = (): number => deadlineMs - clock.monotonic();
    const signal = o.signal === undefined ? {} : { signal: o.signal };

    const locate = async (): Promise<NodeId> => {
      const timeoutMs = Math.min(locateMs, leftMs());
      try {
        return await transport.locate(tenant, className, { timeoutMs, ...signal });
      } catch (error) {
        if (errorCode(error) === "Unavailable" && timeoutMs < locateMs) throw new DeadlineExceededError(describeCall(call));
        throw error;
      }
    };

    for (;;) {
      const node = homes.get(key) ?? (await locate());
      homes.set(key, node);
      try {
        return await transport.call(node, call, { ...o, timeoutMs: leftMs() });
      } catch (error) {
        if (errorCode(error) !== "Unavailable") throw error;
        if (homes.get(key) === node) homes.delete(key);
        if (!mayResend(error)) throw error;
        log.info("the node of a class is gone; looking for another", { class: className, tenant, node, call: call.id });
        await pause(clock, Math.max(0, Math.min(RESEND_MS, leftMs())), o.signal);
      }
    }
  };

  return {
    call: (call, o) => (ours(call.to) ? transport.call(transport.node, call, o) : callElsewhere(call, o)),
  };
}
