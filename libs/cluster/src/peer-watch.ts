import type { Clock, NodeId } from "@karst/events";
import { UnavailableError } from "./errors.ts";
import { describeCall } from "./pending-calls.ts";
import type { PendingCall, PendingCalls } from "./pending-calls.ts";

/** Between two probes of a peer. */
const PROBE_MS = 250;
const MISSES = 2;

interface Peer {
  readonly node: NodeId;
  readonly tenant: string;
  misses: number;
  missed: boolean;
}

/**
 * Notices that a node is gone while calls run there: nothing else would end them before their deadline.
 *
 * W1. Each peer with a call older than 250 ms is probed every 250 ms. A live one says nothing; when the server says twice in a row that nobody
 *     listens there, its calls end with `Unavailable`, `started: "unknown"`.
 * W2. No timer waits while no call is open.
 */
export interface PeerWatch {
  /** A call has been made. */
  wake(): void;
  /** Nobody listens at the node that was probed with `token`. */
  missed(token: string): void;
  close(): void;
}

export interface PeerWatchDeps {
  readonly clock: Clock;
  readonly calls: PendingCalls;
  readonly self: NodeId;
  /** Makes a token that no call has. */
  readonly token: () => string;
  readonly probe: (peer: { readonly node: NodeId; readonly tenant: string }, token: string) => void;
}

export function createPeerWatch({ clock, calls, self, token, probe }: PeerWatchDeps): PeerWatch {
  /** By token; one token a peer as long as it is watched. */
  const peers = new Map<string, Peer>();
  let disarm: (() => void) | undefined;

  const isAt = (call: PendingCall, peer: Peer): boolean => call.node === peer.node && call.tenant === peer.tenant;

  const look = (): void => {
    disarm = undefined;
    const longAgoMs = clock.monotonic() - PROBE_MS;
    const watched = new Map<string, PendingCall>();
    for (const call of calls.all()) if (call.node !== self && call.madeAtMs <= longAgoMs) watched.set(`${call.tenant}/${call.node}`, call);
    for (const [key, peer] of peers) {
      if (!watched.delete(`${peer.tenant}/${peer.node}`)) {
        peers.delete(key);
        continue;
      }
      if (!peer.missed) peer.misses = 0;
      peer.missed = false;
    }
    for (const { node, tenant } of watched.values()) peers.set(token(), { node, tenant, misses: 0, missed: false });
    for (const [key, peer] of peers) probe(peer, key);
    wake();
  };
  const wake = (): void => {
    if (calls.size > 0) disarm ??= clock.after(PROBE_MS, look);
  };

  return {
    wake,
    missed(key) {
      const peer = peers.get(key);
      if (peer === undefined) return;
      peer.misses++;
      peer.missed = true;
      if (peer.misses < MISSES) return;
      peers.delete(key);
      const { node } = peer;
      for (const call of calls.all())
        if (isAt(call, peer))
          calls.fail(
            call.call.id,
            new UnavailableError(`${describeCall(call.call)}: the node ${node} is gone`, { node, started: "unknown" }),
          );
    },
    close() {
      disarm?.();
      disarm = undefined;
      peers.clear();
    },
  };
}
