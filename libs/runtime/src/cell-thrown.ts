/** What was thrown may be anything, also an object whose properties throw when they are read. */

/** A property, or undefined when reading it throws or there is none. */
export function read(value: unknown, key: string): unknown {
  try {
    return (typeof value === "object" || typeof value === "function") && value !== null && key in value
      ? Reflect.get(value, key)
      : undefined;
  } catch {
    return undefined;
  }
}

export function textOf(value: unknown, key: string): string | undefined {
  const text = read(value, key);
  return typeof text === "string" ? text : undefined;
}

/** Errors of other realms count: they have a message and a stack. */
export function isError(value: unknown): boolean {
  try {
    if (value instanceof Error) return true;
  } catch {
    return false;
  }
  return textOf(value, "message") !== undefined && textOf(value, "stack") !== undefined;
}

/** The class's name; `name` where it says more. A class that extends Error seldom sets its `name`. */
export function nameOf(error: unknown): string {
  const name = textOf(error, "name") ?? "";
  const className = textOf(read(error, "constructor"), "name") ?? "";
  const chosen = name === "" || name === "Error" ? className : name;
  return chosen === "" ? "Error" : chosen;
}
