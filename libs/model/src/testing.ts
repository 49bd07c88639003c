export { modelContract } from "./model.contract.ts";
export type { ModelUnderTest } from "./model.contract.ts";
export { startWireServer } from "./testing/wire-server.ts";
export type { WireRequest, WireServer } from "./testing/wire-server.ts";
export { WIRE_DONE, wireAnswer, wireChunk, wireEvent, wireReplyOf, wireStream, wireUsage } from "./testing/wire-format.ts";
export type { WireReply, WireStep } from "./testing/wire-format.ts";
