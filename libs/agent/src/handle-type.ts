import type { Boundary } from "./boundary-schema.ts";
import type { Field, FieldTypes } from "./field.ts";
import type { Method, MethodKind } from "./method.ts";
import type { Fn } from "./function.ts";
import type { HostType } from "./host-type.ts";
import type { Budget, RunEvent, RunOptions, RunResult } from "./run.ts";
import type { VarTypes, Variable } from "./variable.ts";
import type { z } from "zod";

export interface RuntimeOptions {
  /** Default and so far only: `inline`, the host's own realm, for trusted code. */
  readonly kind: "inline";
  /** Pure modules that cells may import, by name. */
  readonly modules?: Readonly<Record<string, string | object>>;
}

/** A class's own data, erased; what the host works with. */
export interface ClassDefinition {
  readonly version: number;
  readonly role: "orchestrator" | "worker";
  readonly roles: readonly string[];
  readonly description: string | undefined;
  readonly instructions: string | undefined;
  readonly model: string;
  readonly runtime: RuntimeOptions;
  readonly limits: Budget;
  readonly functions: Readonly<Record<string, Fn>>;
  readonly types: Readonly<Record<string, z.ZodType | HostType>>;
  readonly emits: Readonly<Record<string, Boundary>>;
}

/** An agent's class: made by `defineAgent`, frozen. */
export interface AgentClass<N extends string, F, V, M> {
  readonly name: N;
  readonly fields: F;
  readonly variables: V;
  readonly methods: M;
  readonly definition: ClassDefinition;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- erased on purpose: any class
export type AnyClass = AgentClass<string, any, any, any>;

/** A class as the host sees it: parts without their types. */
export type ErasedClass = AgentClass<
  string,
  Readonly<Record<string, Field<unknown>>>,
  Readonly<Record<string, Variable<unknown>>>,
  Readonly<Record<string, Method<unknown, MethodKind, unknown, unknown>>>
>;

/** Names a handle has anyway; a method so named is refused by type and at construction. */
export const RESERVED_NAMES = [
  "run",
  "stream",
  "ask",
  "inject",
  "retrieve",
  "peek",
  "state",
  "pause",
  "resume",
  "stop",
  "destroy",
  "history",
  "rollback",
  "fork",
  "approve",
  "reject",
  "only",
  "then",
  "constructor",
] as const;
export type Reserved = (typeof RESERVED_NAMES)[number];
export type NoReserved<M> = { [K in keyof M]: K extends Reserved ? `'${K & string}' is a reserved name` : M[K] };

/** A method as its callers see it. */
export type CallOf<M> =
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- infers from any method
  M extends Method<any, any, infer I, infer O>
    ? // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a method without input has I = void
      [0 extends 1 & I ? "any" : "known", I] extends ["known", void]
      ? (options?: RunOptions) => Promise<O>
      : undefined extends I
        ? (input?: I, options?: RunOptions) => Promise<O>
        : (input: I, options?: RunOptions) => Promise<O>
    : never;

/** What every handle can do, whatever its class. Needs the right: `operator`, role `orchestrator`, or a handle that grants it. */
export interface HandleVerbs<F, V> {
  /** Gives the agent a task. For the host, failures are results with a stop reason, and only a call that never ran or that it cancelled throws; in a cell a run that did not complete throws `RunFailed`. */
  run<T = unknown>(task: string, options?: RunOptions<T>): Promise<RunResult<T>>;
  /** `run`, event by event. Leaving early cancels the run unless `detach`. */
  stream<T = unknown>(task: string, options?: RunOptions<T> & { readonly detach?: boolean }): AsyncIterable<RunEvent>;
  /** One model call without history or cells, beside the turn. */
  ask<T = string>(question: string, options?: RunOptions<T>): Promise<T>;
  inject<K extends keyof V & string>(name: K, value: VarTypes<V>[K]): Promise<void>;
  /** A name the class does not declare. */
  inject<X extends string>(name: X extends keyof V ? never : X, value: unknown, options?: { readonly description?: string }): Promise<void>;
  /** A turn: reads the live runtime. */
  retrieve<K extends keyof V & string>(name: K): Promise<VarTypes<V>[K]>;
  retrieve<X extends string>(name: X extends keyof V ? never : X): Promise<unknown>;
  /** Committed fields, beside the turn. */
  state<K extends keyof F & string>(...names: K[]): Promise<Pick<FieldTypes<F>, K>>;
  /** Holds the agent at the next step boundary: no turn starts and no step goes on until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Cancels what the agent does and what waits in its mailbox. */
  stop(): Promise<void>;
  /** Stops the agent and forgets its state and runtime. */
  destroy(): Promise<void>;
}

/** A reference to an agent, with its class's methods. */
export type Handle<C> =
  C extends AgentClass<string, infer F, infer V, infer M>
    ? { readonly [K in keyof M]: CallOf<M[K]> } & HandleVerbs<F, V> & {
          /** A handle that grants exactly these names to whoever holds it. */
          only<K extends Exclude<keyof Handle<C>, "only"> & string>(...names: K[]): Pick<Handle<C>, K>;
        }
    : never;
