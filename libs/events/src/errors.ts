import { KarstError } from "./error.ts";

/** A name that may not stand in an address or a subject. */
export class InvalidNameError extends KarstError {
  constructor(what: string, text: string, rule: string) {
    super("InvalidName", `${what} ${JSON.stringify(text)} is not allowed: ${rule}`, { data: { what, text, rule } });
  }
}

/** A value that may not cross a boundary; `path` says where it is, such as `rows[3].onClick`. */
export class NotSerialisableError extends KarstError {
  constructor(path: string, reason: string, cause?: unknown) {
    super("NotSerialisable", `${path} cannot cross: ${reason}`, { data: { path, reason }, cause });
  }
}

/** A value or message over a size limit. */
export class TooLargeError extends KarstError {
  constructor(what: string, sizeBytes: number, limitBytes: number) {
    super("TooLarge", `${what} is ${String(sizeBytes)} bytes; the limit is ${String(limitBytes)}`, {
      data: { what, sizeBytes, limitBytes },
    });
  }
}

/** Bytes or text from outside that are not what they should be. */
export class MalformedError extends KarstError {
  constructor(what: string, reason: string, cause?: unknown) {
    super("Malformed", `${what} is malformed: ${reason}`, { data: { what, reason }, cause });
  }
}
