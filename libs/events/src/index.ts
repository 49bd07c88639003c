// Names and ids
export { callId, formatAddress, nodeId, parseAddress, requireToken, runId } from "./ids.ts";
export type { AddressParts, AgentAddress, CallId, NodeId, RunId } from "./ids.ts";
export {
  callSubject,
  controlSubject,
  escapeToken,
  eventFilterSubject,
  eventSubject,
  parseEventSubject,
  placeSubject,
  replySubject,
  unescapeToken,
} from "./subjects.ts";
export type { EventFilter } from "./subjects.ts";

// Facts
export { EVENT_TYPES, eventSchema, eventToken, runSummarySchema, STOP_REASONS, usageSchema } from "./event.ts";
export type { EventOf, EventType, KarstEvent, NewEvent, RunEventType, RunFact, RunSummary, StopReason, Usage } from "./event.ts";

// Errors
export { ERROR_CODES, errorCode, isErrorCode, isKarstError, KarstError } from "./error.ts";
export type { ErrorCode, KarstErrorOptions } from "./error.ts";
export { InvalidNameError, MalformedError, NotSerialisableError, TooLargeError } from "./errors.ts";
export { decodeError, encodeError } from "./error-codec.ts";
export type { ErrorData } from "./error-codec.ts";

// Values that cross
export { ByReference, byReference } from "./value.ts";
export type { ReferenceExporter, ReferenceImporter, ValueLimits } from "./value.ts";
export { decode, encode, requireByValue } from "./codec.ts";
export type { DecodeOptions, Encoded, EncodeOptions } from "./codec.ts";
export { isReferable, parseWireRef, toRef } from "./handle.ts";
export type { AgentRef, ObjRef, Referable, WireRef } from "./handle.ts";

// Time, chance and log as ports
export { createSimulatedClock, systemClock } from "./clock.ts";
export type { Clock, SimulatedClock } from "./clock.ts";
export { createIds, seededRandom, systemRandom } from "./random.ts";
export type { Ids, Random } from "./random.ts";
export { createRecordingLog, silentLog } from "./log.ts";
export type { Log, LogFields, LogLevel, RecordedLine } from "./log.ts";
