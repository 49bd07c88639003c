import { ErrorCode, Events, NatsError, connect } from "nats";
import type { ConnectionOptions, Msg, NatsConnection, ServerInfo, Status, Subscription } from "nats";
import { silentLog, systemClock } from "@karst/events";
import type { Clock, Log } from "@karst/events";
import { InvalidConfigError, UnauthorizedError, UnavailableError } from "./errors.ts";
import { pause } from "./pause.ts";

/** What happened to a connection. `denied`: the server refused a publish or a subscription on `subject`. `closed`: for good. */
export type ConnectionEvent =
  | { readonly type: "disconnected" | "reconnected" | "closed" }
  | { readonly type: "denied"; readonly operation: "publish" | "subscription"; readonly subject: string };

/**
 * One connection of this process to a NATS server; the transport and the event stream share it, and whoever opened it closes it.
 *
 * K1. Once open it reconnects for ever, to any server of the cluster; a dead link is noticed in at most about 6 s (a ping each 2 s, two may be missing).
 * K2. What is published while it is down is lost in the client: users of it send again, or hold back, on `reconnected`.
 * K3. After `close()`, or when the server refuses who we are, it is closed for good and says so once.
 */
export interface Connection extends AsyncDisposable {
  /** For the `*.nats.ts` files of this library. */
  readonly nats: NatsConnection;
  /** Without credentials. */
  readonly url: string;
  readonly serverVersion: string;
  readonly maxPayloadBytes: number;
  /** May be late by the time it takes to notice. */
  readonly connected: boolean;
  /** @returns What takes the listener away. */
  on(listener: (event: ConnectionEvent) => void): () => void;
  /** Sends what is left, at most 2 s, and closes. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** `nats://host:port` or `tls://host:port`, with `user:password@` or `token@` if need be; several with commas between. */
  readonly url: string;
  /** Shown by the server's monitoring. */
  readonly name?: string;
  /** Until the first connection stands. Default 5,000. */
  readonly connectTimeoutMs?: number;
  readonly pingMs?: number;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly signal?: AbortSignal;
}

const OLDEST_SERVER: readonly [number, number] = [2, 9];
const RECONNECT_MS = 250;
const ATTEMPT_MS = 2_000;
const LEAST_ATTEMPT_MS = 1_000;
const CLOSE_MS = 2_000;
/** A message must hold a value of 512 KiB; smaller limits are taken, but not below this. */
const LEAST_PAYLOAD_BYTES = 64 * 1024;

interface Target {
  readonly servers: string[];
  readonly shown: string;
  readonly options: Pick<ConnectionOptions, "user" | "pass" | "token" | "tls">;
}

/** @throws {InvalidConfigError} when `url` is none; the message never holds its credentials. */
function parseUrl(url: string): Target {
  const urls = url.split(",").map((text) => {
    const parsed = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
    if (parsed === undefined || !["nats:", "tls:"].includes(parsed.protocol) || parsed.hostname === "")
      throw new InvalidConfigError("a NATS URL must be like nats://127.0.0.1:4222 or tls://host:4222");
    return parsed;
  });
  const servers = urls.map((each) => `${each.hostname}:${each.port === "" ? "4222" : each.port}`);
  const first = urls[0];
  const name = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  const credentials = name === "" ? {} : pass === "" ? { token: name } : { user: name, pass };
  const tls = urls.some((each) => each.protocol === "tls:") ? { tls: {} } : {};
  return { servers, shown: servers.map((server) => `nats://${server}`).join(","), options: { ...credentials, ...tls } };
}

const isAtLeast = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const [first = 0, second = 0] = version.split(".").map(Number);
  return first > major || (first === major && second >= minor);
};

/** @throws {InvalidConfigError} when the server lacks what we need. */
function requireServer(info: ServerInfo | undefined, shown: string): ServerInfo {
  if (info === undefined) throw new InvalidConfigError(`${shown} gave no server information`);
  if (!isAtLeast(info.version, OLDEST_SERVER))
    throw new InvalidConfigError(`the NATS server at ${shown} is ${info.version}; 2.9 or newer is needed`, { version: info.version });
  if (info.headers !== true)
    throw new InvalidConfigError(`the NATS server at ${shown} has headers turned off; without them a missing node goes unnoticed`);
  if (info.max_payload < LEAST_PAYLOAD_BYTES)
    throw new InvalidConfigError(
      `the NATS server at ${shown} takes messages of at most ${String(info.max_payload)} bytes; 64 KiB is the least`,
    );
  return info;
}

/** As text: the client's own `code` is no member of its enum by type. */
const AUTHENTICATION_EXPIRED: string = ErrorCode.AuthenticationExpired;
const isAuthError = (error: unknown): boolean =>
  error instanceof NatsError && (error.isAuthError() || error.isAuthTimeout() || error.code === AUTHENTICATION_EXPIRED);

/** The innermost message: `connect ECONNREFUSED 127.0.0.1:4222` rather than the client's code. */
function reasonOf(error: unknown): string {
  if (error instanceof NatsError && error.chainedError !== undefined) return reasonOf(error.chainedError);
  if (error instanceof NatsError) return error.code === error.message ? error.code : `${error.code} ${error.message}`;
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

/**
 * Opens a connection, trying again until it stands or the time is over.
 *
 * @throws {InvalidConfigError} at once, when the URL or the server will not do.
 * @throws {UnauthorizedError} at once, when the server refuses the credentials.
 * @throws {UnavailableError} at most 1 s after `connectTimeoutMs`, with the last cause in its message.
 * @throws {CancelledError} when `signal` aborts.
 */
export async function connectNats(o: ConnectOptions): Promise<Connection> {
  const { connectTimeoutMs = 5_000, clock = systemClock, log = silentLog, signal } = o;
  const { servers, shown, options } = parseUrl(o.url);
  const deadlineMs = clock.monotonic() + connectTimeoutMs;
  let attempts = 0;
  for (;;) {
    const leftMs = deadlineMs - clock.monotonic();
    attempts++;
    try {
      const nats = await connect({
        ...options,
        servers,
        ...(o.name === undefined ? {} : { name: o.name }),
        timeout: Math.max(LEAST_ATTEMPT_MS, Math.min(ATTEMPT_MS, leftMs)),
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_MS,
        reconnectJitter: RECONNECT_MS / 2,
        pingInterval: o.pingMs ?? 2_000,
        maxPingOut: 2,
        noAsyncTraces: true,
      });
      try {
        const info = requireServer(nats.info, shown);
        log.debug("connected to NATS", { url: shown, server: info.version });
        return open(nats, info, shown, clock, log);
      } catch (error) {
        await nats.close();
        throw error;
      }
    } catch (error) {
      if (error instanceof InvalidConfigError) throw error;
      if (isAuthError(error)) throw new UnauthorizedError(`the NATS server at ${shown} refuses the credentials: ${reasonOf(error)}`, error);
      if (deadlineMs - clock.monotonic() <= RECONNECT_MS)
        throw new UnavailableError(
          `no NATS server at ${shown}: ${reasonOf(error)} (${String(attempts)} attempts in ${String(connectTimeoutMs)} ms)`,
          {
            started: "no",
            cause: error,
          },
        );
      await pause(clock, RECONNECT_MS, signal);
    }
  }
}

function open(nats: NatsConnection, info: ServerInfo, shown: string, clock: Clock, log: Log): Connection {
  const listeners = new Set<(event: ConnectionEvent) => void>();
  let connected = true;
  let lastInfo: ServerInfo | undefined = info;
  let closing: Promise<void> | undefined;

  const tell = (event: ConnectionEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const onStatus = ({ type, data, permissionContext }: Status): void => {
    switch (type) {
      case Events.Disconnect:
        if (!connected) break;
        connected = false;
        log.warn("lost the connection to NATS", { url: shown });
        tell({ type: "disconnected" });
        break;
      case Events.Reconnect:
        // The client says this once for each attempt that failed before; each connection has an information object of its own.
        if (nats.info === undefined || nats.info === lastInfo) break;
        lastInfo = nats.info;
        connected = true;
        log.info("the connection to NATS is back", { url: shown });
        tell({ type: "reconnected" });
        break;
      case Events.Error: {
        if (permissionContext === undefined) {
          log.warn("NATS reports an error", { url: shown, error: JSON.stringify(data) });
          break;
        }
        const { subject, operation } = permissionContext;
        log.error("NATS refuses a subject to us", { url: shown, subject, operation });
        tell({ type: "denied", operation: operation === "publish" ? "publish" : "subscription", subject });
        break;
      }
      default:
        break;
    }
  };
  const watch = async (): Promise<void> => {
    for await (const status of nats.status()) onStatus(status);
  };
  void watch();
  void nats.closed().then((error) => {
    connected = false;
    if (closing === undefined) log.error("the connection to NATS is closed for good", { url: shown, error: reasonOf(error) });
    tell({ type: "closed" });
    listeners.clear();
  });

  const connection: Connection = {
    nats,
    url: shown,
    serverVersion: info.version,
    maxPayloadBytes: info.max_payload,
    get connected() {
      return connected && !nats.isClosed();
    },
    on(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close() {
      closing ??= (async () => {
        const drained = new AbortController();
        // A drain that the server never answers would wait for ever.
        if (connected)
          await Promise.race([nats.drain().catch(() => undefined), pause(clock, CLOSE_MS, drained.signal).catch(() => undefined)]);
        drained.abort();
        await nats.close();
      })();
      return closing;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
  return connection;
}

const SETTLE_MS = 5_000;

/** Waits until the server has handled all that was sent before. @throws {UnavailableError} when it has not within 5 s. */
export async function settle(connection: Connection, clock: Clock): Promise<void> {
  const deadlineMs = clock.monotonic() + SETTLE_MS;
  for (;;) {
    const stop = new AbortController();
    const flushed = connection.nats.flush().then(
      () => true,
      () => false, // the connection was lost meanwhile; subscriptions are made again when it is back
    );
    const tooLate = pause(clock, Math.max(0, deadlineMs - clock.monotonic()), stop.signal).then(
      () => "too late" as const,
      () => false,
    );
    const outcome = await Promise.race([flushed, tooLate]);
    stop.abort();
    if (outcome === true) return;
    if (outcome === "too late" || connection.nats.isClosed() || clock.monotonic() >= deadlineMs)
      throw new UnavailableError(`the NATS server at ${connection.url} does not answer`, { started: "no" });
    await pause(clock, RECONNECT_MS);
  }
}

/**
 * Subscribes, and resolves when the server has it. What `receive` throws is logged: thrown into the client it would end its reading.
 *
 * @throws {UnauthorizedError} when the server refuses the subject.
 */
export async function listen(
  { connection, clock, log }: { readonly connection: Connection; readonly clock: Clock; readonly log: Log },
  subject: string,
  receive: (msg: Msg) => void,
): Promise<Subscription> {
  let refused: Error | undefined;
  const subscription = connection.nats.subscribe(subject, {
    callback(error, msg) {
      if (error !== null) {
        refused = error;
        return;
      }
      try {
        receive(msg);
      } catch (failure) {
        log.error("a message could not be handled", { subject: msg.subject, error: reasonOf(failure) });
      }
    },
  });
  try {
    await settle(connection, clock);
  } catch (error) {
    subscription.unsubscribe();
    throw error;
  }
  if (refused !== undefined) throw new UnauthorizedError(`the NATS server refuses ${subject} to us: ${reasonOf(refused)}`, refused);
  return subscription;
}
