import type { z } from "zod";
import type { AnyClass, Handle } from "./handle-type.ts";
import { boundary } from "./boundary-schema.ts";
import type { Boundary } from "./boundary-schema.ts";
import type { Default } from "./field.ts";

export interface VariableOptions<S extends z.ZodType> {
  readonly default?: Default<S>;
  readonly description?: string;
  /** Whether the model sees a short preview of the value. Default true. */
  readonly preview?: boolean;
}

/** A name in the agent's runtime, with the schema of what it holds. */
export interface Variable<T> {
  readonly part: "variable";
  readonly _t?: T;
  readonly check: Boundary | undefined;
  readonly options: VariableOptions<z.ZodType>;
  /** Set for a variable that holds another agent's handle. */
  readonly handleOf?: { readonly class: AnyClass; readonly only: readonly string[] | undefined };
}

export type VarTypes<V> = { [K in keyof V]: V[K] extends Variable<infer T> ? T : never };

/** Declares a variable. @throws {InvalidDefinitionError} when the schema would change values. */
export function variable<S extends z.ZodType>(schema: S, options: VariableOptions<S> = {}): Variable<z.output<S>> {
  return { part: "variable", check: boundary("variable", schema), options: options }; // erased: the schema itself checks the default
}

/** A variable that holds another agent's handle, attenuated to `only`. */
export function handle<C extends AnyClass, const K extends keyof Handle<C> & string = keyof Handle<C> & string>(
  of: C,
  options: { readonly only?: readonly K[]; readonly description?: string } = {},
): Variable<Pick<Handle<C>, K>> {
  const { only, description } = options;
  return {
    part: "variable",
    check: undefined,
    options: description === undefined ? { preview: false } : { preview: false, description },
    handleOf: { class: of, only },
  };
}
