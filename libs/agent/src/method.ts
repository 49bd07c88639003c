import type { z } from "zod";
import { boundary } from "./boundary-schema.ts";
import type { Boundary } from "./boundary-schema.ts";
import { InvalidDefinitionError } from "./errors.ts";

/**
 * How a method is carried out: `command` and `run` are turns; `query` is answered beside the turn from committed fields; `tell` is a turn
 * whose caller waits only until it is accepted.
 */
export type MethodKind = "command" | "query" | "run" | "tell";

export interface Method<Self, K extends MethodKind, I, O> {
  readonly part: "method";
  readonly kind: K;
  readonly input: Boundary | undefined;
  readonly output: Boundary;
  readonly description: string | undefined;
  readonly visibleTo: readonly string[] | undefined;
  readonly run: (self: Self, input: I) => O | Promise<O>;
}

export interface MethodOptions<K> {
  readonly kind?: K;
  readonly description?: string;
  /** Roles that may call it. Default: every agent of the tenant. */
  readonly visibleTo?: readonly string[];
}

/** What `methods: (method) => ({ … })` is given; `self` and the input infer. */
export interface MethodMaker<S> {
  <I extends z.ZodType, R extends z.ZodType, const K extends MethodKind = "command">(
    options: MethodOptions<K> & { readonly input: I; readonly output: R },
    run: (self: S, input: z.output<I>) => z.input<R> | Promise<z.input<R>>,
  ): Method<S, NoInfer<K>, z.input<I>, z.output<R>>;
  <R extends z.ZodType, const K extends MethodKind = "command">(
    options: MethodOptions<K> & { readonly output: R },
    run: (self: S) => z.input<R> | Promise<z.input<R>>,
  ): Method<S, NoInfer<K>, void, z.output<R>>;
}

const KINDS: ReadonlySet<string> = new Set<MethodKind>(["command", "query", "run", "tell"]);

/** The maker for one class; places in errors begin with `className`. */
export function createMethodMaker<S>(className: string): MethodMaker<S> {
  const make = (
    options: MethodOptions<MethodKind> & { readonly input?: z.ZodType; readonly output: z.ZodType },
    run: (self: S, input: unknown) => unknown,
  ): Method<S, MethodKind, unknown, unknown> => {
    const kind = options.kind ?? "command";
    if (!KINDS.has(kind)) throw new InvalidDefinitionError(`${className}.methods`, `kind '${kind}' is none of ${[...KINDS].join(", ")}`);
    return {
      part: "method",
      kind,
      description: options.description,
      visibleTo: options.visibleTo,
      run,
      input: options.input === undefined ? undefined : boundary(`${className}.methods input`, options.input),
      output: boundary(`${className}.methods output`, options.output),
    };
  };
  return make; // one body behind both overloads; the schemas check what the types promise
}
