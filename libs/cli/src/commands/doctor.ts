import { versions } from "node:process";
import { findNatsServer } from "@karst/cluster";
import { findOnPath, versionOf } from "../find-tool.ts";
import { ndjsonLine } from "../output.ts";

/** What the machine has, and what needs it. */
export interface Check {
  readonly tool: string;
  readonly found: boolean;
  /** Version, or why it does not do. */
  readonly detail: string;
  readonly neededFor: string;
  readonly required: boolean;
}

export interface DoctorOptions {
  readonly json: boolean;
  readonly path: string;
  readonly natsServer: string | undefined;
  readonly write: (text: string) => void;
}

const OLDEST_NODE = [20, 19] as const;

/** Prints each tool; resolves with exit code 0, or 3 when a required one is missing. */
export async function doctor({ json, path, natsServer, write }: DoctorOptions): Promise<number> {
  const checks = [nodeCheck(), await toolCheck("npm", path, "installing", true), await natsCheck(natsServer, path)];
  if (json) for (const check of checks) write(ndjsonLine(check));
  else {
    for (const { tool, found, detail, neededFor } of checks)
      write(`${found ? "✓" : "✗"} ${tool.padEnd(12)} ${detail.padEnd(28)} for ${neededFor}\n`);
  }
  return checks.some(({ found, required }) => required && !found) ? 3 : 0;
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  const found = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return {
    tool: "node",
    found,
    detail: found ? versions.node : `${versions.node}; 20.19 or newer is needed`,
    neededFor: "everything",
    required: true,
  };
}

async function toolCheck(tool: string, path: string, neededFor: string, required: boolean): Promise<Check> {
  const file = await findOnPath(tool, path);
  const version = file === undefined ? undefined : await versionOf(file);
  return { tool, found: version !== undefined, detail: version ?? "not found", neededFor, required };
}

async function natsCheck(natsServer: string | undefined, path: string): Promise<Check> {
  const about = { tool: "nats-server", neededFor: "--nats, and the NATS tests", required: false };
  const found = await findNatsServer({ serverPath: natsServer, pathVariable: path });
  if ("missing" in found) return { ...about, found: false, detail: `${found.missing}; try: ${found.howTo}` };
  const version = await versionOf(found.path);
  return { ...about, found: version !== undefined, detail: version ?? `${found.path} does not run` };
}
