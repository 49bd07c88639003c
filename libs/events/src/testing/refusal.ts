import { encode } from "../codec.ts";
import type { EncodeOptions } from "../codec.ts";
import { NotSerialisableError } from "../errors.ts";

/** Where and why a value is refused. @throws {NotSerialisableError} when it crosses. */
export function refusalOf(value: unknown, options?: EncodeOptions): { readonly path: unknown; readonly reason: unknown } {
  try {
    encode(value, options);
  } catch (error) {
    if (error instanceof NotSerialisableError) return { path: error.data["path"], reason: error.data["reason"] };
    throw error;
  }
  throw new NotSerialisableError("value", "it crossed, and should have been refused");
}
