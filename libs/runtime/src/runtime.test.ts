import { createRuntime } from "./create-runtime.ts";
import { runtimeContract } from "./runtime.contract.ts";

runtimeContract("inline", (options) => createRuntime({ kind: "inline", ...options }), { kind: "inline" });
