// Contract suites
export { transportContract } from "./transport.contract.ts";
export type { TransportFixture } from "./testing/transport-case.ts";
export { eventStreamContract } from "./event-stream.contract.ts";
export type { EventStreamFixture } from "./event-stream.contract.ts";

// The real server, and its faults
export { findTestServer, startNatsServer } from "./testing/nats-server.ts";
export type { NatsServer } from "./testing/nats-server.ts";
export { describeWithNats } from "./testing/describe-nats.ts";
export { natsTestConfig } from "./testing/config.ts";
export type { NatsTestConfig } from "./testing/config.ts";
export { startTcpProxy } from "./testing/tcp-proxy.ts";
export type { ProxyMode, TcpProxy } from "./testing/tcp-proxy.ts";

// In one process
export { createMemoryNetwork } from "./transport.memory.ts";
export type { MemoryNetwork, MemoryNetworkOptions } from "./transport.memory.ts";
export { createMemoryEventStream } from "./event-stream.memory.ts";
