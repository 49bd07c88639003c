export { createAgentNode } from "./agent-node.ts";
export type { AgentNode, AgentNodeDeps } from "./agent-node.ts";
export { CONFIG_KEYS, readConfig } from "./config.ts";
export type { Config } from "./config.ts";
