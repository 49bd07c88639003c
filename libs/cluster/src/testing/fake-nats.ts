import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A server that greets as a NATS server of another kind would, for kinds that cannot be had: old versions, odd settings. Knows PING alone. */
export interface FakeNats extends AsyncDisposable {
  readonly url: string;
}

/** `greeting`: the fields of its INFO line, over those of a usual server; `null`: it says nothing at all. */
export async function startFakeNats(greeting: Readonly<Record<string, unknown>> | null): Promise<FakeNats> {
  const sockets = new Set<Socket>();
  const usual = { server_id: "fake", version: "2.10.0", proto: 1, headers: true, max_payload: 1_048_576 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined); // its close follows
    socket.on("close", () => sockets.delete(socket));
    if (greeting === null) return;
    socket.write(`INFO ${JSON.stringify({ ...usual, ...greeting })}\r\n`);
    socket.on("data", (chunk) => {
      if (chunk.toString().includes("PING")) socket.write("PONG\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `nats://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
