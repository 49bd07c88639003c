// Calls between nodes
export { DEFAULT_TRANSPORT_LIMITS } from "./transport.ts";
export type { Call, Caller, CallHandler, CallOptions, IncomingCall, Transport, TransportLimits } from "./transport.ts";
export { createMemoryNetwork } from "./transport.memory.ts";
export type { MemoryNetwork, MemoryNetworkOptions } from "./transport.memory.ts";
export { openNatsTransport } from "./transport.nats.ts";
export type { NatsTransportDeps } from "./transport.nats.ts";
export { createRemote } from "./remote.ts";
export type { Remote, RemoteDeps, RemoteOptions } from "./remote.ts";

// Events
export type { EventStream, SubscribeOptions } from "./event-stream.ts";
export { createMemoryEventStream } from "./event-stream.memory.ts";
export { createNatsEventStream } from "./event-stream.nats.ts";
export type { NatsEventStream, NatsEventStreamDeps } from "./event-stream.nats.ts";

// The connection to NATS
export { connectNats } from "./connection.nats.ts";
export type { Connection, ConnectionEvent, ConnectOptions } from "./connection.nats.ts";

// A server of one's own
export { findNatsServer, startNatsServer } from "./nats-server.ts";
export type { FindNatsOptions, NatsProgram, NatsServer, NatsServerOptions } from "./nats-server.ts";

// What a process shows of itself
export { createPinoLog } from "./log.pino.ts";
export type { PinoLogOptions } from "./log.pino.ts";
export { openHealthServer } from "./health.ts";
export type { HealthChecks, HealthOptions, HealthServer } from "./health.ts";

// Errors
export {
  BadCallError,
  CancelledError,
  ClassTakenError,
  ClosedError,
  DeadlineExceededError,
  InvalidConfigError,
  MissingToolError,
  NotLocatedError,
  OverloadedError,
  StreamBrokenError,
  UnauthorizedError,
  UnavailableError,
} from "./errors.ts";
export type { Started } from "./errors.ts";
