// The suite that every kind of runtime passes.
export { runtimeContract } from "./runtime.contract.ts";
export type { ContractOptions, ContractRuntimeOptions, MakeRuntime } from "./contract-case.ts";
