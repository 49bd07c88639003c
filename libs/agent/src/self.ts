import type { FieldTypes } from "./field.ts";
import type { AnyClass, Handle } from "./handle-type.ts";
import type { RunOptions, RunResult } from "./run.ts";
import type { VarTypes } from "./variable.ts";

/** An agent from the inside: what its methods work on. It belongs to one turn and is dead after it. */
export interface Self<F, V> {
  /** Draft of the committed fields; what is assigned is validated and committed when the turn ends. In a query: read only. */
  readonly state: FieldTypes<F>;
  readonly signal: AbortSignal;
  readonly id: string;
  /** Puts a value into the runtime, checked by the variable's schema. */
  inject<K extends keyof V & string>(name: K, value: VarTypes<V>[K]): Promise<void>;
  /** The live value of a variable, checked by its schema. */
  retrieve<K extends keyof V & string>(name: K): Promise<VarTypes<V>[K]>;
  /** Gives the agent's model a task; ends inside this turn. Failures are results, not throws. */
  run<T = unknown>(task: string, options?: RunOptions<T>): Promise<RunResult<T>>;
  /** One model call without history or cells. @throws {KarstError} `RunFailed` when it gives no answer. */
  ask<T = string>(question: string, options?: RunOptions<T>): Promise<T>;
  agent<C extends AnyClass>(of: C, id: string): Handle<C>;
  /** Publishes one of the class's `emits` when the turn has been committed. */
  emit(name: string, payload: unknown): void;
  now(): Date;
  random(): number;
}
