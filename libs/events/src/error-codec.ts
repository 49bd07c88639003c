import { KarstError } from "./error.ts";

/** An error as plain data that `encode` takes. */
export type ErrorData = Readonly<Record<string, unknown>>;

export function encodeError(error: unknown): ErrorData {
  if (error instanceof KarstError)
    return { class: "KarstError", name: error.name, message: error.message, code: error.code, retryable: error.retryable, data: error.data };
  return { class: "Error", message: error instanceof Error ? error.message : String(error) };
}

export function decodeError(data: unknown): Error {
  const fields = data as Partial<KarstError>;
  return new KarstError(fields.code ?? "AppError", String(fields.message), { data: fields.data ?? {}, retryable: fields.retryable ?? false });
}
