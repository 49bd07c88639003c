import { createRuntime } from "./create-runtime.ts";
import type { Runtime } from "./runtime.ts";

createRuntime({ kind: "inline" }) satisfies Runtime;
createRuntime({
  kind: "inline",
  limits: { outputChars: 1 },
  modules: { a: "node:path", b: {} },
  imports: () => undefined,
}) satisfies Runtime;

// @ts-expect-error -- a kind that is not there yet
createRuntime({ kind: "sandbox" });
// @ts-expect-error -- the kind must be said
createRuntime({});
// @ts-expect-error -- the guard comes later
createRuntime({ kind: "inline", guard: true });
// @ts-expect-error -- no such limit
createRuntime({ kind: "inline", limits: { outputBytes: 1 } });
