import { defaultName } from "./error-class.ts";
import type { ErrorClassName } from "./error-class.ts";

/** One own property of an error, or its name where a subclass has set it. */
export interface ErrorProperty {
  readonly key: string;
  readonly value: unknown;
  /** Not enumerable, as message, stack and cause are. */
  readonly hidden: boolean;
  /** Why it cannot cross; `value` is undefined then. */
  readonly problem?: string;
  /** The key itself, when it is no string. */
  readonly symbol?: symbol;
}

/** V8 from version 13 on makes `stack` an accessor of its own; anyone else's is not called. */
function isNativeStack(property: PropertyDescriptor): boolean {
  const getter: unknown = Reflect.get(property, "get");
  return typeof getter === "function" && Function.prototype.toString.call(getter).endsWith("{ [native code] }");
}

function readProperty(error: object, key: string | symbol, property: PropertyDescriptor): ErrorProperty | undefined {
  const hidden = property.enumerable !== true;
  if (typeof key === "symbol")
    return hidden ? undefined : { key: key.toString(), value: undefined, hidden, problem: "a symbol-keyed property", symbol: key };
  if ("value" in property) return hidden && typeof property.value === "function" ? undefined : { key, value: property.value, hidden };
  if (key === "stack" && isNativeStack(property)) return { key, value: Reflect.get(error, key), hidden };
  return { key, value: undefined, hidden, problem: "an accessor" };
}

/**
 * What an error carries, in the order of its properties. Hidden functions and hidden symbol-keyed properties are Node's own
 * bookkeeping and are left out. A DOMException keeps message and name inside; they come first.
 */
export function errorProperties(error: object, className: ErrorClassName): readonly ErrorProperty[] {
  const found: ErrorProperty[] = [];
  const inherited: unknown = Reflect.get(error, "name");
  if (className === "DOMException")
    found.push({ key: "message", value: Reflect.get(error, "message"), hidden: true }, { key: "name", value: inherited, hidden: true });
  else if (!Object.hasOwn(error, "name") && inherited !== defaultName(className))
    found.push({ key: "name", value: inherited, hidden: true });
  for (const key of Reflect.ownKeys(error)) {
    const property = Object.getOwnPropertyDescriptor(error, key);
    const read = property === undefined ? undefined : readProperty(error, key, property);
    if (read !== undefined) found.push(read);
  }
  return found;
}
