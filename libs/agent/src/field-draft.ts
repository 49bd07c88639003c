import { isDeepStrictEqual } from "node:util";
import { checkValue } from "./boundary-schema.ts";
import { InvalidValueError } from "./errors.ts";
import { copyOf, freshDefault } from "./field.ts";
import type { Field } from "./field.ts";

type Fields = Readonly<Record<string, Field<unknown>>>;

/** Committed fields of an agent: values and, for each, how often it has changed. */
export interface FieldState {
  readonly values: Readonly<Record<string, unknown>>;
  readonly revisions: Readonly<Record<string, number>>;
}

/** The state of a new agent. @throws {InvalidValueError} when a default or `given` value breaks its schema. */
export function initialState(className: string, fields: Fields, given: Readonly<Record<string, unknown>> = {}): FieldState {
  const values: Record<string, unknown> = {};
  const revisions: Record<string, number> = {};
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name))
      throw new InvalidValueError(`${className}.${name}`, [
        `there is no such field; there are ${Object.keys(fields).join(", ") || "none"}`,
      ]);
  for (const [name, { check, options }] of Object.entries(fields)) {
    const place = `${className}.${name}`;
    const isGiven = Object.hasOwn(given, name);
    const value = copyOf(isGiven ? given[name] : freshDefault(options.default, place), place);
    values[name] = value === undefined && options.default === undefined && !isGiven ? undefined : checkValue(place, check, value);
    revisions[name] = 0;
  }
  return { values, revisions };
}

/**
 * A turn's own view of the fields: reads copy, writes stay here until the turn ends.
 *
 * D1. What a turn changes is invisible outside it until `finish`'s result is committed; a turn that throws leaves nothing.
 * D2. Changes inside an object or array that was read count as well.
 * D3. Each change is checked by the field's schema and cut by its `retain`; one refusal refuses the whole turn.
 */
export class FieldDraft implements ProxyHandler<object> {
  /** What class code reads and assigns. */
  readonly state: Record<string, unknown>;
  readonly #className: string;
  readonly #fields: Fields;
  readonly #base: FieldState;
  readonly #readOnly: boolean;
  #touched: Map<string, unknown> | undefined;

  constructor(className: string, fields: Fields, base: FieldState, readOnly = false) {
    this.#className = className;
    this.#fields = fields;
    this.#base = base;
    this.#readOnly = readOnly;
    this.state = new Proxy<Record<string, unknown>>({}, this);
  }

  /** The changed fields, checked; undefined when nothing changed. @throws {InvalidValueError} */
  finish(): FieldState | undefined {
    if (this.#touched === undefined) return undefined;
    const values: Record<string, unknown> = { ...this.#base.values };
    const revisions: Record<string, number> = { ...this.#base.revisions };
    let changed = false;
    for (const [name, draft] of this.#touched) {
      const field = this.#fields[name];
      if (field === undefined || isDeepStrictEqual(draft, this.#base.values[name])) continue;
      const place = `${this.#className}.${name}`;
      const { retain } = field.options;
      const kept = retain === undefined || !Array.isArray(draft) ? draft : draft.slice(Math.max(0, draft.length - retain.last));
      values[name] = checkValue(place, field.check, copyOf(kept, place));
      revisions[name] = (revisions[name] ?? 0) + 1;
      changed = true;
    }
    return changed ? { values, revisions } : undefined;
  }

  get(_: object, name: string | symbol): unknown {
    if (typeof name === "symbol" || !Object.hasOwn(this.#fields, name)) return undefined;
    if (this.#touched?.has(name) === true) return this.#touched.get(name);
    const committed = this.#base.values[name];
    if (typeof committed !== "object" || committed === null) return committed;
    const copy = copyOf(committed, `${this.#className}.${name}`);
    this.#touch(name, copy);
    return copy;
  }

  set(_: object, name: string | symbol, value: unknown): boolean {
    const place = `${this.#className}.${String(name)}`;
    if (this.#readOnly) throw new InvalidValueError(place, ["a query cannot change fields"]);
    if (typeof name === "symbol" || !Object.hasOwn(this.#fields, name))
      throw new InvalidValueError(place, [`there is no such field; there are ${Object.keys(this.#fields).join(", ") || "none"}`]);
    this.#touch(name, value);
    return true;
  }

  has(_: object, name: string | symbol): boolean {
    return typeof name === "string" && Object.hasOwn(this.#fields, name);
  }

  ownKeys(): string[] {
    return Object.keys(this.#fields);
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    return this.has(target, name) ? { value: this.get(target, name), writable: true, enumerable: true, configurable: true } : undefined;
  }

  deleteProperty(): boolean {
    return false;
  }

  #touch(name: string, value: unknown): void {
    this.#touched ??= new Map();
    this.#touched.set(name, value);
  }
}
