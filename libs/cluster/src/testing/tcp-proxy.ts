import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** What the proxy does with the bytes of its links. `drop` takes them and forgets them: the link is half-open, as after a pulled cable. */
export type ProxyMode = { readonly type: "pass" } | { readonly type: "delay"; readonly ms: number } | { readonly type: "drop" };

/** A TCP link whose faults a test controls. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Links that are open. */
  readonly links: number;
  /** Bytes forgotten so far. */
  readonly droppedBytes: number;
  /** From now on, for open links and new ones, in both directions. */
  set(mode: ProxyMode): void;
  /** Breaks every open link; new ones are taken. */
  cut(): void;
  close(): Promise<void>;
}

/** Passes connections on to `port` of the loopback interface, listening on `own`: by default a free port. */
export async function startTcpProxy(port: number, own = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let mode: ProxyMode = { type: "pass" };
  let droppedBytes = 0;

  const forward = (from: Socket, to: Socket): void => {
    from.on("data", (chunk) => {
      switch (mode.type) {
        case "pass":
          to.write(chunk);
          break;
        case "delay": {
          const timer = setTimeout(() => {
            timers.delete(timer);
            if (to.writable) to.write(chunk);
          }, mode.ms);
          timers.add(timer);
          break;
        }
        case "drop":
          droppedBytes += chunk.length;
          break;
      }
    });
    from.on("error", () => undefined); // its close follows
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };

  const server = createServer((client) => {
    const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
    client.setNoDelay(true);
    sockets.add(client);
    sockets.add(upstream);
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen({ port: own, host: "127.0.0.1" }, resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    cut();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has one
    get links() {
      return sockets.size / 2;
    },
    get droppedBytes() {
      return droppedBytes;
    },
    set(next) {
      mode = next;
    },
    cut,
    close,
    [Symbol.asyncDispose]: close,
  };
}
