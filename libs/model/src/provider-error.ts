import { z } from "zod";

/** What a provider said about a failure, wherever it said it: status line, headers, body or an object in the stream. */
export interface ProviderError {
  readonly status?: number;
  readonly code?: string;
  readonly type?: string;
  readonly message?: string;
  readonly retryAfterMs?: number;
}

const text = z.string().optional().catch(undefined);
const word = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const facts = z.object({ message: text, detail: text, code: word, type: text, status: word });
const envelope = z.object({ error: z.unknown().optional() });

/**
 * Reads the error objects that providers send: `{error: {message, type, code}}`, `{error: "text"}`, the same in a list,
 * `{object: "error", message}`, `{detail}`, `{message}`. A number from 400 to 599 as code or status counts as an HTTP status.
 * Undefined when there is nothing of these.
 */
export function readProviderError(value: unknown): ProviderError | undefined {
  if (typeof value === "string") return value === "" ? undefined : { message: value };
  const outer: unknown = Array.isArray(value) ? value[0] : value;
  const inner = envelope.safeParse(outer).data?.error ?? outer;
  if (typeof inner === "string") return { message: inner };
  const { success, data } = facts.safeParse(inner);
  if (!success) return undefined;
  const status = httpStatus(data.code) ?? httpStatus(data.status);
  const code = httpStatus(data.code) === undefined ? data.code : undefined;
  const type = data.type ?? (httpStatus(data.status) === undefined ? data.status : undefined);
  const message = data.message ?? data.detail;
  if (status === undefined && code === undefined && type === undefined && message === undefined) return undefined;
  return {
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(message === undefined ? {} : { message }),
  };
}

function httpStatus(word: string | undefined): number | undefined {
  return word !== undefined && /^[45]\d\d$/.test(word) ? Number(word) : undefined;
}

/** As `readProviderError`, of a body as text. A short plain text is the message; HTML and other long texts say nothing. */
export function readProviderErrorText(body: string): ProviderError | undefined {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    const plain = body.trim();
    return plain === "" || plain.length > LONGEST_PLAIN_TEXT || plain.startsWith("<") ? undefined : { message: plain };
  }
}

const LONGEST_PLAIN_TEXT = 300;
