import type { NewEvent } from "@karst/events";
import { InvalidValueError } from "./errors.ts";

export type EventPayload = Extract<NewEvent, { type: "event-emitted" }>["payload"];

/**
 * The payload of a class's event as plain JSON (E4), a copy. What JSON would change is refused; a property that is undefined is left out.
 *
 * @throws {InvalidValueError} naming `what` and the path.
 */
export function eventPayload(what: string, value: unknown): EventPayload {
  const open = new Set<object>();
  const copy = (part: unknown, path: string): EventPayload => {
    const refuse = (reason: string): never => {
      throw new InvalidValueError(what, [`${path === "" ? "" : `${path}: `}${reason} is not JSON`]);
    };
    if (part === null || typeof part === "string" || typeof part === "boolean") return part;
    if (typeof part === "number") return Number.isFinite(part) ? part : refuse(String(part));
    if (typeof part !== "object") return refuse(typeof part === "undefined" ? "undefined" : `a ${typeof part}`);
    if (open.has(part)) return refuse("a circle");
    open.add(part);
    const copied = Array.isArray(part)
      ? Array.from(part, (item, index) => copy(item, `${path}[${String(index)}]`))
      : isPlain(part)
        ? Object.fromEntries(
            Object.entries(part).flatMap(([key, item]) =>
              item === undefined ? [] : [[key, copy(item, path === "" ? key : `${path}.${key}`)] as const],
            ),
          )
        : refuse(`an object of class ${part.constructor.name}`);
    open.delete(part);
    return copied;
  };
  return copy(value, "");
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
