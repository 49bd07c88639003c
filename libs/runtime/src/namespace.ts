import type { Held } from "./bindings.ts";
import type { CellScope } from "./cell-scope.ts";
import { requireBindable } from "./names.ts";
import type { NameTable } from "./names.ts";
import { ACCESSOR, constructorOf, dataProperty, functionName, isClass, valueKind } from "./reflect-value.ts";

/** Where the names of cells live until the next reset. */
export interface Realm {
  readonly scope: CellScope;
  /** The object cells see as `globalThis`; what it owns is what they set on it. */
  readonly globals: object;
}

/**
 * The variables of a runtime by name: what was injected, what cells made, and the classes that came along with injected values.
 *
 * W1. The class of an injected variable's value can be used by its name, and is not shown; it gives way to whoever else wants the name.
 *     What a cell set on `globalThis` is a name like any other.
 * W2. Hidden bindings and such classes are in no list.
 * W3. `renew` gives the next cells a new scope: code of earlier cells that still runs keeps writing to the old one.
 */
export interface Namespace {
  readonly scope: CellScope;
  readonly has: (name: string) => boolean;
  valueOf(name: string): unknown;
  /** Sets what a binding or an output holds. */
  put(held: Held): void;
  /** Names and values that may be shown, in the order they came to be. */
  visible(): (readonly [name: string, value: unknown])[];
  /** Starts again with `held` alone, and returns the names that are gone. */
  renew(held: readonly Held[]): readonly string[];
}

export function createNamespace(openRealm: () => Realm, table: NameTable<Held>): Namespace {
  let { scope, globals } = openRealm();
  let companions = new Map<string, object>();

  const has = (name: string): boolean => Object.hasOwn(scope.variables, name) || Object.hasOwn(globals, name);
  const valueOf = (name: string): unknown => {
    const value = dataProperty(Object.hasOwn(scope.variables, name) ? scope.variables : globals, name);
    // An accessor that a cell put on `globalThis`: listing names runs no code.
    return value === ACCESSOR ? undefined : value;
  };
  const names = (): string[] => [...new Set([...Object.keys(scope.variables), ...Object.keys(globals)])];
  const isShown = (name: string): boolean =>
    table.get(name)?.kind !== "hidden" && !(companions.has(name) && companions.get(name) === valueOf(name));

  const bringClass = (value: unknown): void => {
    const constructor = classToBring(value);
    const name = constructor === undefined ? undefined : functionName(constructor);
    if (
      constructor === undefined ||
      name === undefined ||
      has(name) ||
      table.get(name) !== undefined ||
      name in globalThis ||
      !isBindable(name)
    )
      return;
    companions.set(name, constructor);
    scope.define(name, constructor);
  };

  const put = ({ name, kind, value }: Held): void => {
    companions.delete(name);
    scope.define(name, value);
    if (kind === "variable") bringClass(value);
  };

  return {
    get scope() {
      return scope;
    },
    has,
    valueOf,
    put,
    visible: () =>
      names()
        .filter(isShown)
        .map((name) => [name, valueOf(name)] as const),
    renew(held) {
      const before = names();
      ({ scope, globals } = openRealm());
      companions = new Map();
      for (const each of held) put(each);
      return before.filter((name) => !has(name));
    },
  };
}

/** The class of an instance, when it was written as one: built-in classes are known anyway. */
function classToBring(value: unknown): object | undefined {
  if (typeof value !== "object" || value === null || valueKind(value) === "plain") return undefined;
  const constructor = constructorOf(value);
  return constructor !== undefined && isClass(constructor) ? constructor : undefined;
}

function isBindable(name: string): boolean {
  try {
    requireBindable(name);
    return true;
  } catch {
    return false;
  }
}
