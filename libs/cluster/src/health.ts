import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { UnavailableError } from "./errors.ts";

/** What a process says of itself. A reason that is given is why it is not; none means that it is. */
export interface HealthChecks {
  /** Alive: restart me if not. */
  readonly live?: () => string | undefined;
  /** Ready: send me work. */
  readonly ready: () => string | undefined;
}

export interface HealthOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Default 127.0.0.1; in a pod, 0.0.0.0. */
  readonly host?: string;
}

export interface HealthServer extends AsyncDisposable {
  /** The port it got. */
  readonly port: number;
  close(): Promise<void>;
}

const ok = (): undefined => undefined;

/**
 * Answers `GET /livez` and `GET /readyz` with 200 `ok`, or 503 and the reason; 404 for all else. A check that throws is a reason.
 *
 * @throws {UnavailableError} when the port cannot be had.
 */
export async function openHealthServer(
  { live = ok, ready }: HealthChecks,
  { port, host = "127.0.0.1" }: HealthOptions,
): Promise<HealthServer> {
  const checks = new Map<string, () => string | undefined>([
    ["/livez", live],
    ["/readyz", ready],
  ]);
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const [status, text] = answer(request.method, checks.get((request.url ?? "").split("?", 1)[0] ?? ""));
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" });
    response.end(`${text}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new UnavailableError(`the health port ${host}:${String(port)} cannot be opened: ${cause.message}`, { started: "no", cause }));
    });
    server.listen({ port, host }, resolve);
  });
  const bound = server.address() as AddressInfo; // a TCP server that listens has one
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
    return closing;
  };
  return { port: bound.port, close, [Symbol.asyncDispose]: close };
}

function answer(method: string | undefined, check: (() => string | undefined) | undefined): readonly [number, string] {
  if (check === undefined) return [404, "not found"];
  if (method !== "GET" && method !== "HEAD") return [405, "only GET"];
  try {
    const reason = check();
    return reason === undefined ? [200, "ok"] : [503, reason];
  } catch (error) {
    return [503, error instanceof Error ? error.message : String(error)];
  }
}
