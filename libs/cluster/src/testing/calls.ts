import { createIds, errorCode, formatAddress } from "@karst/events";
import type { ErrorCode } from "@karst/events";
import type { Call } from "../transport.ts";

const ids = createIds();
const nothing = new Uint8Array();

/** A call to an agent of the tenant `acme`, complete and with a new id. */
export function aCall(changes: Partial<Call> = {}): Call {
  const id = changes.id ?? ids.call();
  return {
    id,
    to: formatAddress({ tenant: "acme", class: "cleaner", id: "nightly" }),
    method: "clean",
    from: { kind: "operator" },
    chain: [],
    idempotencyKey: id,
    body: nothing,
    ...changes,
  };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The code a promise is refused with, or `resolved`. */
export const codeOf = (promise: Promise<unknown>): Promise<ErrorCode | "resolved" | undefined> =>
  promise.then(
    () => "resolved" as const,
    (error: unknown) => errorCode(error),
  );

/** A promise and what settles it. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** Resolves when the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => {
      resolve(signal.reason);
    });
  });
