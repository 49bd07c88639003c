import { builtInMethod, className, functionName, inheritedData, regexpText, sizeOf, urlText, valueKind } from "./reflect-value.ts";
import type { ValueKind } from "./reflect-value.ts";
import { cutChars } from "./output.ts";

/** How an object starts as text, and what its entries stand in. */
export interface ValueHead {
  readonly text: string;
  /** Undefined for a value that is shown by its head alone. */
  readonly brackets: Brackets | undefined;
  /** What is shown when there are no entries. */
  readonly empty: string;
}

export type Brackets = readonly [open: string, close: string];

const BRACES: Brackets = ["{", "}"];
const SQUARE: Brackets = ["[", "]"];

const alone = (text: string): ValueHead => ({ text, brackets: undefined, empty: text });
const around = (text: string, [open, close]: Brackets): ValueHead => ({
  text,
  brackets: [open, close],
  empty: `${text}${text === "" ? "" : " "}${open}${close}`,
});

/** The head of an object, such as `Light`, `Map(3)`, `TypeError: no`, or a whole date. */
export function valueHead(value: object, kind: ValueKind, errorText: (error: Error) => string): ValueHead {
  const name = kind === "proxy" ? undefined : className(value);
  const count = String(sizeOf(value) ?? 0);
  switch (kind) {
    case "proxy":
      return alone("[Proxy]");
    case "array":
      return around(name === undefined || name === "Array" ? "" : `${name}(${count})`, SQUARE);
    case "typed-array":
      return around(`${name ?? "TypedArray"}(${count})`, SQUARE);
    case "map":
      return around(`${name ?? "Map"}(${count})`, BRACES);
    case "set":
      return around(`${name ?? "Set"}(${count})`, BRACES);
    case "buffer":
      return alone(`${name ?? "ArrayBuffer"}(${count} bytes)`);
    case "date":
      return alone(dateText(value as Date)); // valueKind saw its internal slot
    case "regexp":
      return alone(regexpText(value as RegExp)); // the same
    case "promise":
      return alone(`[${name ?? "Promise"}]`);
    case "boxed":
      return alone(`[${name ?? "Object"}: ${boxedText(value)}]`);
    case "error": {
      const text = errorText(value as Error); // valueKind saw an Error
      return { text, brackets: BRACES, empty: text };
    }
    case "plain":
      return around("", BRACES);
    default: {
      const url = name === "URL" ? urlText(value) : undefined;
      return url === undefined ? around(name ?? "Object", BRACES) : alone(`URL ${JSON.stringify(url)}`);
    }
  }
}

/** A value that is no object. */
export function atomText(value: unknown, maxStringChars: number): string {
  if (typeof value === "string") return quoted(value, maxStringChars);
  if (typeof value === "bigint") return `${bounded(String(value), maxStringChars)}n`;
  if (typeof value === "function") return functionHead(value);
  if (Object.is(value, -0)) return "-0";
  return String(value);
}

/** `text`, cut to `maxChars` with a mark where it was longer. */
export function bounded(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutChars(text, maxChars - 1)}…`;
}

/** A string in double quotes, with the count of what was cut off. */
function quoted(text: string, maxChars: number): string {
  if (text.length <= maxChars) return JSON.stringify(text);
  const kept = cutChars(text, maxChars);
  return `${JSON.stringify(kept)}… ${String(text.length - kept.length)} more characters`;
}

function functionHead(value: object): string {
  const kind = valueKind(value);
  if (kind === "proxy") return "[Proxy]";
  const name = functionName(value);
  if (kind === "function") return name === undefined ? "[function]" : `[function ${name}]`;
  const parent: unknown = Object.getPrototypeOf(value);
  const base = typeof parent === "function" && valueKind(parent) !== "proxy" ? functionName(parent) : undefined;
  return `[class${name === undefined ? "" : ` ${name}`}${base === undefined ? "" : ` extends ${base}`}]`;
}

function dateText(value: Date): string {
  const ms = Date.prototype.getTime.call(value);
  return Number.isNaN(ms) ? "Invalid Date" : new Date(ms).toISOString();
}

const UNBOX = [Number, String, Boolean, BigInt, Symbol].map(({ prototype }) => builtInMethod(prototype, "valueOf"));

function boxedText(value: object): string {
  for (const unbox of UNBOX) {
    try {
      const held = unbox.call(value);
      return typeof held === "string" ? JSON.stringify(held) : String(held);
    } catch {
      // It boxes another of the five.
    }
  }
  return "?";
}

/** `TypeError: message`, read from data alone. */
export function errorHead(error: Error): string {
  const own = inheritedData(error, "name");
  const name = typeof own === "string" && own !== "" && own !== "Error" ? own : (className(error) ?? "Error");
  const message = inheritedData(error, "message");
  return typeof message === "string" && message !== "" ? `${name}: ${message}` : name;
}

/** A key as it would be written in an object literal. */
export function keyText(key: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : JSON.stringify(key);
}
