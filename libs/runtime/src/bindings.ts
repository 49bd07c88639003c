import type { z } from "zod";
import { InvalidBindingError } from "./errors.ts";
import { createNameTable } from "./names.ts";
import type { NameTable } from "./names.ts";
import type { Binding } from "./runtime.ts";

/** An output too big to show, held under a name. */
export interface HeldOutput {
  readonly kind: "output";
  readonly name: string;
  readonly value: unknown;
}

export type Held = Binding | HeldOutput;

/**
 * What the host has put into a runtime: the name table with the bindings as they were last given.
 *
 * B1. A binding is copied when it is taken; its value is not. No value is walked, unless its binding has a schema.
 * B2. Injecting a name again keeps what the new binding leaves out: description, type text, schemas.
 */
export interface Bindings {
  readonly table: NameTable<Held>;
  /**
   * The batch as it is to be put, checked: kinds, names and collisions at once, then, for variables with a schema, their values.
   * A value of `undefined` fits every schema: the variable is not set yet.
   * @throws {NameTakenError}, {InvalidNameError}, {InvalidBindingError} naming the path that does not fit.
   */
  prepare(given: Binding | readonly Binding[]): readonly Binding[] | Promise<readonly Binding[]>;
  /** The bindings that are not outputs, in order. */
  bindings(): readonly Binding[];
}

export function createBindings(): Bindings {
  const table = createNameTable<Held>();
  return {
    table,
    prepare(given) {
      const batch = (isList(given) ? given : [given]).map((binding) => completed(binding, table.get(binding.name)));
      table.check(batch);
      for (const binding of batch) requireKind(binding);
      const checked = batch.flatMap(({ kind, name, schema, value }) =>
        kind === "variable" && schema !== undefined && value !== undefined ? [requireSchema(name, schema, value)] : [],
      );
      return checked.length === 0 ? batch : Promise.all(checked).then(() => batch);
    },
    bindings: () => table.entries().filter(isBinding),
  };
}

const isList = (given: Binding | readonly Binding[]): given is readonly Binding[] => Array.isArray(given);
const isBinding = (held: Held): held is Binding => held.kind !== "output";

function completed(given: Binding, known: Held | undefined): Binding {
  const base = known?.kind === given.kind ? known : undefined;
  const schema = given.schema ?? (given.kind === "type" && isZod(given.value) ? given.value : undefined);
  return { ...base, ...given, ...(schema === undefined ? {} : { schema }) };
}

/** By the mark every zod 4 schema carries; a class of the host may have anything else. */
const isZod = (value: unknown): value is z.ZodType => typeof value === "object" && value !== null && "_zod" in value;

function requireKind({ kind, name, value, schema }: Binding): void {
  if (kind === "function" && typeof value !== "function")
    throw new InvalidBindingError(name, `a function was announced, this is ${kindOf(value)}`);
  if (kind === "type" && typeof value !== "function" && schema === undefined)
    throw new InvalidBindingError(name, `a type is a class or has a schema, this is ${kindOf(value)}`);
}

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "an array" : `of type ${typeof value}`);

const SHOWN_ISSUES = 3;

async function requireSchema(name: string, schema: z.ZodType, value: unknown): Promise<void> {
  const parsed = await schema.safeParseAsync(value);
  if (parsed.success) return;
  const { issues } = parsed.error;
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => `${pathText(name, path)}: ${message}`);
  if (issues.length > SHOWN_ISSUES) shown.push(`${String(issues.length - SHOWN_ISSUES)} more`);
  throw new InvalidBindingError(name, shown.join("; "), parsed.error);
}

const pathText = (name: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${String(key)}]` : `${text}.${String(key)}`), name);
