export { createOrchestrator } from "./orchestrator.ts";
export type { Orchestrator, OrchestratorDeps } from "./orchestrator.ts";
export { CONFIG_KEYS, readConfig } from "./config.ts";
export type { Config } from "./config.ts";
