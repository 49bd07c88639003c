import { createIds, requireToken, systemClock } from "@karst/events";
import type { Clock, Ids, NodeId } from "@karst/events";
import { decodeFailure, encodeFailure } from "./call.ts";
import { createDeadlines } from "./deadlines.ts";
import type { Deadlines } from "./deadlines.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import type { DeliveryQueue } from "./delivery-queue.ts";
import { CancelledError, ClassTakenError, ClosedError, InvalidConfigError, NotLocatedError, UnavailableError } from "./errors.ts";
import { createPendingCalls, describeCall } from "./pending-calls.ts";
import type { PendingCalls } from "./pending-calls.ts";
import { createServedCalls } from "./served-calls.ts";
import type { ReplyPath, ServedCalls } from "./served-calls.ts";
import { DEFAULT_TRANSPORT_LIMITS } from "./transport.ts";
import type { Transport, TransportLimits } from "./transport.ts";

/**
 * Nodes that reach each other inside one process.
 *
 * N1. Calls and replies are delivered later, never inside the function that sends them, in the order sent over the whole network.
 * N2. Bodies are handed on as they are, not copied; errors go through the codec, as between processes.
 */
export interface MemoryNetwork extends AsyncDisposable {
  /** A new node; `limits` of its own go before the network's. */
  transport(limits?: Partial<TransportLimits>): Transport;
  /** How many nodes are open. */
  readonly nodes: number;
  /** Closes every node. */
  close(): Promise<void>;
}

export interface MemoryNetworkOptions {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly limits?: Partial<TransportLimits>;
}

interface Network {
  readonly clock: Clock;
  readonly limits: TransportLimits;
  readonly deadlines: Deadlines;
  readonly queue: DeliveryQueue;
  readonly nodes: Map<NodeId, Node>;
  /** Which node answers for `tenant/class`. */
  readonly offers: Map<string, NodeId>;
  /** Called when an offer has come. */
  readonly waiting: Set<() => void>;
}

interface Node {
  readonly transport: Transport;
  readonly served: Map<string, ServedCalls>;
}

const classKey = (tenant: string, className: string): string =>
  `${requireToken("tenant", tenant)}/${requireToken("agent class", className)}`;

/** The way back to a caller in this process. */
export function localReplyPath(calls: PendingCalls, queue: DeliveryQueue, limits: TransportLimits): ReplyPath {
  return {
    frame(id, index, body) {
      queue.push(() => {
        calls.frame(id, index, body);
      });
    },
    result(id, frames, body) {
      queue.push(() => {
        calls.result(id, frames, body);
      });
    },
    error(id, error) {
      const failure = encodeFailure(error, limits.bodyBytes);
      queue.push(() => {
        calls.fail(id, decodeFailure(failure));
      });
    },
  };
}

export function createMemoryNetwork({ clock = systemClock, ids = createIds(), limits = {} }: MemoryNetworkOptions = {}): MemoryNetwork {
  const network: Network = {
    clock,
    limits: { ...DEFAULT_TRANSPORT_LIMITS, ...limits },
    deadlines: createDeadlines(clock),
    queue: createDeliveryQueue(),
    nodes: new Map(),
    offers: new Map(),
    waiting: new Set(),
  };
  const close = async (): Promise<void> => {
    await Promise.all([...network.nodes.values()].map((node) => node.transport.close()));
  };
  return {
    transport: (own = {}) => openNode({ ...network, limits: { ...network.limits, ...own } }, ids.node()),
    get nodes() {
      return network.nodes.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function openNode(network: Network, id: NodeId): Transport {
  const { clock, limits, deadlines, queue, nodes, offers } = network;
  const served = new Map<string, ServedCalls>();
  const stopWaiting = new Set<(error: Error) => void>();
  let closing: Promise<void> | undefined;

  const calls: PendingCalls = createPendingCalls({
    clock,
    deadlines,
    limits,
    wire: {
      send(pending) {
        queue.push(() => {
          if (pending.ended) return;
          const { call, node, tenant, deadlineMs } = pending;
          const target = nodes.get(node)?.served.get(tenant);
          if (target === undefined)
            calls.fail(call.id, new UnavailableError(`${describeCall(call)}: no node ${node} takes it`, { node, started: "no" }));
          else target.take(call, deadlineMs - clock.monotonic(), path);
        });
      },
      cancel({ call, node, tenant }) {
        queue.push(() => nodes.get(node)?.served.get(tenant)?.cancel(call.id));
      },
    },
  });
  const path = localReplyPath(calls, queue, limits);

  const requireOpen = (): void => {
    if (closing !== undefined) throw new ClosedError("the transport");
  };

  const transport: Transport = {
    node: id,
    limits,
    // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous
    async serve(tenant, handler) {
      requireOpen();
      requireToken("tenant", tenant);
      if (served.has(tenant)) throw new InvalidConfigError(`this node serves the tenant ${tenant} already`, { tenant });
      served.set(tenant, createServedCalls({ node: id, clock, deadlines, limits, handler }));
    },
    // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous
    async offer(tenant, className) {
      requireOpen();
      const key = classKey(tenant, className);
      const other = offers.get(key);
      if (other !== undefined && other !== id) throw new ClassTakenError(tenant, className, other);
      offers.set(key, id);
      for (const look of network.waiting) look();
    },
    async locate(tenant, className, { timeoutMs = 2_000, signal } = {}) {
      requireOpen();
      const key = classKey(tenant, className);
      const known = offers.get(key);
      if (known !== undefined) return known;
      return new Promise<NodeId>((resolve, reject) => {
        const end = (): void => {
          disarm();
          network.waiting.delete(look);
          stopWaiting.delete(fail);
          signal?.removeEventListener("abort", cancel);
        };
        const fail = (error: Error): void => {
          end();
          reject(error);
        };
        const look = (): void => {
          const found = offers.get(key);
          if (found === undefined) return;
          end();
          resolve(found);
        };
        const cancel = (): void => {
          fail(new CancelledError(`looking for ${key}`, signal?.reason));
        };
        const disarm = clock.after(timeoutMs, () => {
          fail(new NotLocatedError(tenant, className));
        });
        network.waiting.add(look);
        stopWaiting.add(fail);
        signal?.addEventListener("abort", cancel, { once: true });
        if (signal?.aborted === true) cancel();
      });
    },
    call: (node, call, o) => calls.start(node, call, o),
    close() {
      closing ??= (async () => {
        nodes.delete(id);
        for (const [key, node] of offers) if (node === id) offers.delete(key);
        for (const fail of stopWaiting) fail(new ClosedError("the transport"));
        calls.close();
        await Promise.all([...served.values()].map((each) => each.close()));
        if (nodes.size === 0) deadlines.close();
      })();
      return closing;
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
  nodes.set(id, { transport, served });
  return transport;
}
