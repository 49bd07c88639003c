import { isKarstError, KarstError } from "./error.ts";

/** The classes that errors keep when they cross; any other class arrives as the nearest of these. */

const builtins = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError } as const;
export type ErrorClassName = keyof typeof builtins | "KarstError" | "DOMException";

const isDomException = (error: object): boolean => Object.prototype.toString.call(error) === "[object DOMException]";

/** The nearest class, by the names of the native constructors along the prototypes, so that errors of other realms count too. */
export function errorClassName(error: object): ErrorClassName {
  if (isKarstError(error)) return "KarstError";
  if (isDomException(error)) return "DOMException";
  for (
    let prototype = Object.getPrototypeOf(error) as object | null;
    prototype !== null;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    const of: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    if (typeof of !== "function" || !Object.hasOwn(builtins, of.name)) continue;
    if (Function.prototype.toString.call(of).endsWith("() { [native code] }")) return of.name as ErrorClassName; // cast: it is a key of `builtins`
  }
  return "Error";
}

export function isErrorClassName(name: unknown): name is ErrorClassName {
  return typeof name === "string" && (Object.hasOwn(builtins, name) || name === "KarstError" || name === "DOMException");
}

/** What `name` is when no one has set it. */
export const defaultName = (className: ErrorClassName): string => (className === "DOMException" ? "Error" : className);

/** A real error of the class, to be given its properties. Message and name can be set only here on a DOMException. */
export function makeError(className: ErrorClassName, message: string, name: string): Error {
  switch (className) {
    case "KarstError":
      return new KarstError("AppError", message);
    case "DOMException":
      return new DOMException(message, name);
    case "AggregateError":
      return new AggregateError([], message);
    default:
      return new builtins[className](message);
  }
}
