import { createInlineRuntime } from "./runtime.inline.ts";
import type { InlineRuntimeOptions } from "./runtime.inline.ts";
import type { Runtime } from "./runtime.ts";

/** What each kind takes. `inline` is the only kind so far. */
export type RuntimeOptions = { readonly kind: "inline" } & InlineRuntimeOptions;

/** Makes a runtime of the kind asked for. No I/O. @throws {InvalidRuntimeOptionError} for an option that the kind cannot keep. */
export function createRuntime(options: RuntimeOptions): Runtime {
  return createInlineRuntime(options);
}
