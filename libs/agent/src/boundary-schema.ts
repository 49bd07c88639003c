import type { z } from "zod";
import { InvalidDefinitionError, InvalidValueError } from "./errors.ts";

/** Schemas at a boundary check and never change a value: what was sent is what arrives (G9). */

const CHANGES: ReadonlyMap<string, string> = new Map([
  ["transform", "a transform"],
  ["pipe", "a transform, pipe or codec"],
  ["catch", "a catch"],
  ["prefault", "a prefault"],
  ["success", "a success"],
  ["overwrite", "a trim, a change of case or another overwrite"],
]);

/** A schema, or a check on one. */
interface Walkable {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> & { readonly type?: string; readonly check?: string } };
}

function isSchema(value: unknown): value is Walkable {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/**
 * A schema at a boundary, and how it is used: what it accepts passes as the value that came, keys it does not name included (G9); only a
 * schema with a `default` gives zod's own result, with the default filled in and unnamed keys left out.
 */
export interface Boundary<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  accept(value: unknown): { readonly ok: true; readonly value: z.output<S> } | { readonly ok: false; readonly issues: readonly string[] };
}

/** @throws {InvalidDefinitionError} for a schema that would change what it checks, naming the place inside it. */
export function boundary<S extends z.ZodType>(place: string, schema: S): Boundary<S> {
  // a class written in JavaScript can leave it out, or give something else
  if (!isSchema(schema)) throw new InvalidDefinitionError(place, "it is not a zod schema");
  let fills = false;
  const seen = new Set<unknown>();
  const visit = (at: string, part: unknown): void => {
    if (!isSchema(part) || seen.has(part)) return;
    seen.add(part);
    const { def } = part._zod;
    if (def.type === "default") fills = true;
    const change = CHANGES.get(def.type ?? def.check ?? "") ?? (def["coerce"] === true ? "a coercion" : undefined);
    if (change !== undefined) throw new InvalidDefinitionError(at, `${change} changes values; boundary schemas only check them`);
    for (const [key, child] of Object.entries(def)) {
      if (key === "shape" && typeof child === "object" && child !== null) {
        for (const [name, inner] of Object.entries(child)) visit(`${at}.${name}`, inner);
      } else if (Array.isArray(child)) {
        for (const [index, inner] of child.entries()) visit(key === "checks" ? at : `${at}[${String(index)}]`, inner);
      } else if (def.type === "lazy" && key === "getter" && typeof child === "function") {
        visit(at, (child as () => unknown)()); // zod's own getter of a lazy schema
      } else if (key !== "defaultValue") visit(at, child);
    }
  };
  visit(place, schema);
  return {
    schema,
    accept(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) return { ok: false, issues: issueLines(parsed.error) };
      return { ok: true, value: fills ? parsed.data : (value as z.output<S>) }; // accepted, and nothing in the schema changes it
    },
  };
}

function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) text += typeof key === "number" ? `[${String(key)}]` : `${text === "" ? "" : "."}${String(key)}`;
  return text;
}

/** The issues of a refused value, one line each, at most ten. */
function issueLines(error: z.core.$ZodError): readonly string[] {
  const lines = error.issues.slice(0, 10).map((issue) => {
    const path = pathText(issue.path);
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  const more = error.issues.length - lines.length;
  return more > 0 ? [...lines, `${String(more)} more`] : lines;
}

/** The value, checked. @throws {InvalidValueError} naming `what` and each issue. */
export function checkValue<S extends z.ZodType>(what: string, check: Boundary<S>, value: unknown): z.output<S> {
  const accepted = check.accept(value);
  if (!accepted.ok) throw new InvalidValueError(what, accepted.issues);
  return accepted.value;
}
