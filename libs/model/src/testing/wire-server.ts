import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { KarstError } from "@karst/events";
import { wireAnswer } from "./wire-format.ts";
import type { WireReply } from "./wire-format.ts";

export interface WireRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON. */
  readonly body: unknown;
}

/**
 * A provider on this machine, over a real socket: answers each request with the next reply that was written for it.
 *
 * W1. It listens on a free port of 127.0.0.1.
 * W2. A request that no reply was written for is answered with status 400 and says so.
 * W3. Disposing closes the server and every socket, and waits for both.
 */
export interface WireServer extends AsyncDisposable {
  /** For `openaiCompatible`. */
  readonly baseURL: string;
  readonly requests: readonly WireRequest[];
  /** Requests whose reply has neither ended nor been hung up on. */
  readonly open: number;
  /** Requests that the other side hung up on before their reply had ended. */
  readonly hungUp: number;
  /** Adds replies, one a request. */
  reply(...replies: readonly WireReply[]): void;
}

export async function startWireServer(...written: readonly WireReply[]): Promise<WireServer> {
  const replies = [...written];
  const requests: WireRequest[] = [];
  const counts = { open: 0, hungUp: 0 };
  const server = createServer((request, response) => {
    counts.open++;
    response.once("close", () => {
      counts.open--;
      if (!response.writableFinished) counts.hungUp++;
    });
    answer(request, response).catch(() => response.destroy());
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const bytes of request.setEncoding("utf8")) text += String(bytes);
    const index = requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) }) - 1;
    await play(replies.shift() ?? wireAnswer(400, { error: { message: `no reply was written for request ${String(index)}` } }), response);
  };

  const port = await listen(server);
  return {
    baseURL: `http://127.0.0.1:${String(port)}/v1`,
    requests,
    get open() {
      return counts.open;
    },
    get hungUp() {
      return counts.hungUp;
    },
    reply(...more) {
      replies.push(...more);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new KarstError("Unavailable", "the wire server has no port");
  return address.port;
}

async function play({ status, headers, steps, pieceBytes = Infinity }: WireReply, response: ServerResponse): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const step of steps) {
    switch (step.do) {
      case "write":
        for (const piece of split(step.bytes, pieceBytes)) await writeOut(response, piece);
        break;
      case "wait":
        await step.until;
        break;
      case "cut":
        response.destroy();
        return;
      case "stall":
        return;
    }
  }
  response.end();
}

function* split(content: string | Uint8Array, size: number): Generator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, Math.min(start + size, bytes.byteLength));
}

/** Resolves when the system has taken the piece, so that the next one is a packet of its own. Also when the other side is gone. */
async function writeOut(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(bytes, () => {
      response.off("close", resolve);
      resolve();
    });
  });
}
