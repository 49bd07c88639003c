import { z } from "zod";
import { encode } from "./codec.ts";
import { defineValue } from "./define-value.ts";
import { defaultName, errorClassName, isErrorClassName, makeError } from "./error-class.ts";
import type { ErrorClassName } from "./error-class.ts";
import { errorProperties } from "./error-properties.ts";
import { isErrorCode, isKarstError, KarstError } from "./error.ts";
import { MalformedError } from "./errors.ts";

/**
 * What was thrown, as data for a header or a reply, and back. Where errors in values (value.ts V4) cross whole or are refused,
 * this always succeeds: what may not cross is replaced by a note, and what is long is cut.
 *
 * B1. A builtin class, its name, message, own enumerable properties, cause and `errors` are kept; a KarstError's code,
 *     retryable and data. A class of its own arrives as the nearest of these, under its name.
 * B2. What is no error arrives as `AppError` with `data.thrown`.
 * B3. A code that this version does not know arrives as `AppError` with `data.code`.
 * B4. The stack says where the error was thrown, then, below a mark, where it arrived; `remoteStack` is the first part alone.
 */
export interface ErrorData {
  /** A class of error-class.ts, or `thrown`. */
  class: string;
  name: string;
  message: string;
  stack?: string | undefined;
  code?: string | undefined;
  retryable?: boolean | undefined;
  data?: Record<string, unknown> | undefined;
  properties?: Record<string, unknown> | undefined;
  /** What was thrown, when it is no error. */
  value?: unknown;
  cause?: ErrorData | undefined;
  errors?: ErrorData[] | undefined;
}

const errorDataSchema: z.ZodType<ErrorData> = z.object({
  class: z.string(),
  name: z.string(),
  message: z.string(),
  stack: z.string().optional(),
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  value: z.unknown().optional(),
  get cause() {
    return errorDataSchema.optional();
  },
  get errors() {
    return z.array(errorDataSchema).optional();
  },
});

const LONGEST_TEXT = 8192;
const LARGEST_PROPERTY_BYTES = 65_536;
const MOST_ERRORS = 32;
/** Causes and errors inside each other. */
const DEEPEST_CAUSE = 8;
const REMOTE_MARK = "    -- thrown in another process, above; arrived here, below --";

export function encodeError(thrown: unknown): ErrorData {
  try {
    return dataOf(thrown, 1);
  } catch {
    return { class: "thrown", name: "AppError", message: "thrown: something that throws when it is looked at" };
  }
}

function dataOf(thrown: unknown, depth: number): ErrorData {
  if (!(thrown instanceof Error) && !isForeignError(thrown)) {
    const value = crossing(thrown);
    return { class: "thrown", name: "AppError", message: cut(`thrown: ${textOf(thrown)}`), value };
  }
  const className = errorClassName(thrown);
  const own = new Map(errorProperties(thrown, className).map((property) => [property.key, property]));
  const text = (key: string): string | undefined => {
    const value = own.get(key)?.value;
    return typeof value === "string" ? cut(value) : undefined;
  };
  const data: ErrorData = { class: className, name: text("name") ?? defaultName(className), message: text("message") ?? "" };
  const stack = text("stack");
  if (stack !== undefined) data.stack = stack;
  if (isKarstError(thrown))
    Object.assign(data, { code: thrown.code, retryable: thrown.retryable, data: crossingProperties(Object.entries(thrown.data)) });
  if (depth < DEEPEST_CAUSE) {
    if (own.has("cause")) data.cause = dataOf(own.get("cause")?.value, depth + 1);
    const errors = own.get("errors")?.value;
    if (className === "AggregateError" && Array.isArray(errors))
      data.errors = errors.slice(0, MOST_ERRORS).map((error) => dataOf(error, depth + 1));
  }
  const rest = [...own.values()].filter(({ key, hidden, problem }) => !hidden && problem === undefined && !isField(key, className));
  if (rest.length > 0) data.properties = crossingProperties(rest.map(({ key, value }) => [key, value]));
  return data;
}

const isForeignError = (value: unknown): value is Error => Object.prototype.toString.call(value) === "[object Error]";

function isField(key: string, className: ErrorClassName): boolean {
  if (className === "KarstError" && (key === "code" || key === "retryable" || key === "data")) return true;
  return key === "name" || key === "message" || key === "stack" || key === "cause" || (className === "AggregateError" && key === "errors");
}

const cut = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${String(text.length - LONGEST_TEXT)} characters more)`;

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value);
  } catch {
    return `something of type ${typeof value}`;
  }
}

/** The value, or a note in its place when it may not cross or is too large. */
function crossing(value: unknown): unknown {
  try {
    encode(value, { limits: { bytes: LARGEST_PROPERTY_BYTES, depth: 64 } });
    return value;
  } catch (error) {
    return `(left out: ${error instanceof Error ? error.message : String(error)})`;
  }
}

function crossingProperties(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of entries) defineValue(kept, key, crossing(value), true);
  return kept;
}

/** @throws {MalformedError} when `data` is not what `encodeError` makes. */
export function decodeError(data: unknown): Error {
  const parsed = errorDataSchema.safeParse(data);
  if (!parsed.success) throw new MalformedError("error", z.prettifyError(parsed.error));
  return errorOf(parsed.data);
}

function errorOf(data: ErrorData): Error {
  const error = bareErrorOf(data);
  const { stack, cause, errors, properties = {} } = data;
  if (cause !== undefined) defineValue(error, "cause", causeOf(cause), false);
  if (errors !== undefined) defineValue(error, "errors", errors.map(causeOf), false);
  for (const [key, value] of Object.entries(properties)) defineValue(error, key, value, true);
  if (stack !== undefined) markStack(error, stack);
  return error;
}

/** A cause that was no error is itself again. */
const causeOf = (data: ErrorData): unknown => (data.class === "thrown" ? data.value : errorOf(data));

function bareErrorOf({ class: className, name, message, code, retryable = false, data = {}, value }: ErrorData): Error {
  if (className === "thrown") return new KarstError("AppError", message, { data: { thrown: value } });
  if (className === "KarstError") {
    const error = isErrorCode(code)
      ? new KarstError(code, message, { retryable, data })
      : new KarstError("AppError", message, { retryable, data: { ...data, code } });
    defineValue(error, "name", name, true);
    return error;
  }
  const known = isErrorClassName(className) ? className : "Error";
  const error = makeError(known, message, name);
  if (error.name !== name) defineValue(error, "name", name, false);
  return error;
}

function markStack(error: Error, remote: string): void {
  const local = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  defineValue(error, "remoteStack", remote, false);
  defineValue(error, "stack", [remote, REMOTE_MARK, ...local].join("\n"), false);
}
