import { z } from "zod";
import { boundary } from "./boundary-schema.ts";
import type { Boundary } from "./boundary-schema.ts";

/**
 * What may be done when it is unknown whether a function ran: `pure` runs again; `idempotent` runs again with the same key; `once` never
 * does by itself.
 */
export type Effect = "pure" | "idempotent" | "once";

export interface FnContext {
  /** Aborts when the cell is cancelled or its run ends. */
  readonly signal: AbortSignal;
  /** The same for each try of one call; send it to the outside. */
  readonly idempotencyKey: string;
  /** Time left for the run, ms. */
  readonly deadlineMs: number;
  /** Address of the agent whose cell calls. */
  readonly caller: string;
}

/** A host function that cells can call with one object. */
export interface Fn {
  readonly part: "fn";
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly inputCheck: Boundary;
  readonly outputCheck: Boundary;
  readonly effect: Effect;
  readonly check: ((key: string) => Promise<"done" | "not-done" | "unknown">) | undefined;
  readonly run: (input: unknown, context: FnContext) => unknown;
}

/** Declares a host function. @throws {InvalidDefinitionError} when a schema would change values. */
export function fn<I extends z.ZodRawShape, R extends z.ZodType>(
  options: {
    readonly description: string;
    readonly input: I;
    readonly output: R;
    readonly effect: Effect;
    readonly check?: (key: string) => Promise<"done" | "not-done" | "unknown">;
  },
  run: (input: z.output<z.ZodObject<I>>, context: FnContext) => z.input<R> | Promise<z.input<R>>,
): Fn {
  return {
    part: "fn",
    description: options.description,
    input: options.input,
    inputCheck: boundary("fn.input", z.object(options.input)),
    outputCheck: boundary("fn.output", options.output),
    effect: options.effect,
    check: options.check,
    run: run as Fn["run"], // erased: called only with what inputCheck has accepted
  };
}
