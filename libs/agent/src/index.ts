// Classes of agents
export { defineAgent } from "./define-agent.ts";
export type { AgentDefinition } from "./define-agent.ts";
export { field } from "./field.ts";
export type { Default, Field, FieldOptions, FieldTypes } from "./field.ts";
export type { Boundary } from "./boundary-schema.ts";
export { handle, variable } from "./variable.ts";
export type { Variable, VariableOptions, VarTypes } from "./variable.ts";
export { fn } from "./function.ts";
export type { Effect, Fn, FnContext } from "./function.ts";
export { type } from "./host-type.ts";
export type { HostType } from "./host-type.ts";
export type { Method, MethodKind, MethodMaker, MethodOptions } from "./method.ts";
export type { Self } from "./self.ts";
export { RESERVED_NAMES } from "./handle-type.ts";
export type { AgentClass, AnyClass, ClassDefinition, ErasedClass, NoReserved, Reserved, RuntimeOptions } from "./handle-type.ts";

// Agents and systems
export { createAgent, createSystem } from "./system.ts";
export type { LoneDefinition, System, SystemOptions } from "./system.ts";
export type { CallOf, Handle, HandleVerbs } from "./handle-type.ts";
export type { Budget, RunEvent, RunOptions, RunResult, Streamed } from "./run.ts";

// Hosts, for services
export { createHost } from "./host.ts";
export type { Host, HostDeps, HostOptions } from "./host.ts";
export { loadClasses } from "./load-classes.ts";
export type { LoadedClasses } from "./load-classes.ts";
export { createGrantKey } from "./grant.ts";
export type { Giver, Grant, GrantKey } from "./grant.ts";
export type { Calls, HandleHolder } from "./handle.ts";
export type { Wire } from "./wire.ts";

// Errors
export {
  BadArgsError,
  CancelledError,
  ClosedError,
  DeadlineError,
  DeadlockError,
  InvalidConfigError,
  InvalidDefinitionError,
  InvalidValueError,
  NoSuchMethodError,
  OverloadedError,
  RunFailedError,
  UnauthorizedError,
} from "./errors.ts";

// Words of the system that callers meet
export { byReference, KarstError } from "@karst/events";
export type { ErrorCode, KarstEvent, StopReason, Usage } from "@karst/events";
