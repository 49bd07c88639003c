import { decode, encode, isKarstError, NotSerialisableError } from "@karst/events";
import type { z } from "zod";
import { boundary } from "./boundary-schema.ts";
import type { Boundary } from "./boundary-schema.ts";
import { InvalidDefinitionError } from "./errors.ts";

/** A literal default is copied per instance; a factory is called per instance. */
export type Default<S extends z.ZodType> = z.input<S> | (() => z.input<S>);

export interface FieldOptions<S extends z.ZodType> {
  /** Without one the field starts as `undefined`, which its schema must allow when it is read. */
  readonly default?: Default<S>;
  readonly description?: string;
  /** Roles that may read it; none by default. The operator may always. */
  readonly visibleTo?: readonly string[];
  /** Whether the agent's own model sees it. Default `on-demand`. */
  readonly show?: "always" | "on-demand" | "never";
  /** An array keeps only its last n items; cut when the turn ends. */
  readonly retain?: { readonly last: number };
}

/** Typed state of an agent: checked, versioned, hidden from others unless shown. */
export interface Field<T> {
  readonly part: "field";
  readonly _t?: T;
  readonly check: Boundary;
  readonly options: FieldOptions<z.ZodType>;
}

export type FieldTypes<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** Declares a field. @throws {InvalidDefinitionError} when the schema would change values, or `retain` is no number of items. */
export function field<S extends z.ZodType>(schema: S, options: FieldOptions<S> = {}): Field<z.output<S>> {
  const { last = 0 } = options.retain ?? {};
  if (!Number.isInteger(last) || last < 0)
    throw new InvalidDefinitionError("field.retain", `last is ${String(last)}, not a whole number from 0 up`);
  return { part: "field", check: boundary("field", schema), options: options }; // erased: the schema itself checks the default
}

/** An equal value that shares nothing with `value`. @throws {NotSerialisableError} with the path of what is live, from `place` on. */
export function copyOf(value: unknown, place: string): unknown {
  if (value === null || !COPIED.has(typeof value)) return value;
  try {
    return decode(encode(value).bytes);
  } catch (error) {
    if (!isKarstError(error) || error.code !== "NotSerialisable") throw error;
    const { path, reason } = error.data as { readonly path: string; readonly reason: string }; // NotSerialisableError's own
    throw new NotSerialisableError(path === "value" ? place : `${place}${path.startsWith("[") ? "" : "."}${path}`, reason, error);
  }
}

/** What is not the same value wherever it is: objects, to be copied, and live things, to be refused. */
const COPIED: ReadonlySet<string> = new Set(["object", "function", "symbol"]);

/** A fresh default of a field or variable: a factory's result, or a deep copy of the literal. @throws {NotSerialisableError} for a live literal. */
export function freshDefault(value: unknown, place: string): unknown {
  return typeof value === "function" ? (value as () => unknown)() : copyOf(value, place);
}
