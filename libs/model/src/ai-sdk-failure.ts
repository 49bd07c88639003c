import { z } from "zod";
import { NotAnEventStreamError } from "./errors.ts";
import { failureOf } from "./failure.ts";
import type { ModelFailure } from "./model.ts";
import { readProviderError, readProviderErrorText } from "./provider-error.ts";
import { readRetryAfterMs } from "./retry-after.ts";

/** An error of the AI SDK, judged by shape: its classes may come from another copy of the package. */
const thrownSchema = z.object({
  name: z.string(),
  message: z.string(),
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  cause: z.unknown().optional(),
  data: z.unknown().optional(),
});
type Thrown = z.infer<typeof thrownSchema>;

/**
 * What the AI SDK threw, or put into an `error` part, as our failure.
 *
 * `nowMs`: wall clock, for a Retry-After that is a date. Messages are the provider's own; nothing of the request is in them.
 */
export function failureOfAiSdk(error: unknown, nowMs: number): ModelFailure {
  if (error instanceof NotAnEventStreamError) return ofBody(error);
  const thrown = error instanceof Error ? thrownSchema.safeParse(error).data : undefined;
  if (thrown === undefined) return failureOf(readProviderError(error) ?? {});
  if (thrown.name === "AI_APICallError") return ofApiCall(thrown, nowMs);
  // the SDK's only one without data: the stream ended and no finish reason had come
  if (thrown.name === "AI_InvalidResponseDataError" && thrown.data === undefined)
    return { ...failureOf({ message: thrown.message }), kind: "cut" };
  if (thrown.name === "AbortError" || thrown.name === "TimeoutError")
    return { ...failureOf({ message: thrown.message }), kind: "transient" }; // a fetch of the user's own with a time limit
  return { ...failureOf({ message: thrown.message }), kind: "malformed" };
}

function ofApiCall(thrown: Thrown, nowMs: number): ModelFailure {
  const { statusCode: status, message, cause } = thrown;
  if (status === undefined) return { ...failureOf({ message }), kind: "transient" }; // no connection
  if (status < 300) {
    const reason = cause instanceof Error ? cause.message : message;
    const kind =
      cause instanceof Error && (cause.name.startsWith("AI_") || ("code" in cause && cause.code === "TooLarge")) ? "malformed" : "cut";
    return { kind, message: `the reply broke off: ${reason}`, status };
  }
  const said = readProviderErrorText(thrown.responseBody ?? "");
  const retryAfterMs = readRetryAfterMs(thrown.responseHeaders ?? {}, nowMs);
  return failureOf({ message, ...said, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** A 200 whose body is the error: what it says decides; a body that is no error is a broken format. */
function ofBody({ message, body }: NotAnEventStreamError): ModelFailure {
  const said = /^\s*[[{]/.test(body) && body.includes("error") ? readProviderErrorText(body) : undefined;
  return said === undefined ? { kind: "malformed", message } : failureOf(said);
}
