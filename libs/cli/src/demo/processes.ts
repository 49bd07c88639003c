import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { KarstError } from "@karst/events";

/** The demo's own processes around NATS: one orchestrator, two agent-nodes; they end with `stop`. */
export interface DemoProcess {
  readonly name: string;
  readonly pid: number;
  /** Names of the classes that it hosts. */
  readonly classes: string;
}

export interface DemoProcesses {
  readonly list: readonly DemoProcess[];
  /** Proves grants; shared with the system that calls them. */
  readonly grantSecret: string;
  /** SIGTERM to each, SIGKILL to what is still there after 15 s. */
  stop(): Promise<void>;
}

export interface DemoProcessOptions {
  readonly natsUrl: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Lines of their logs, warnings and above. */
  readonly onLog: (process: string, line: string) => void;
}

const READY_MS = 30_000;
const STOP_MS = 15_000;

const PROCESSES = [
  { name: "orchestrator", service: "@karst/orchestrator/main", classes: ["boss"] },
  { name: "agent-node-1", service: "@karst/agent-node/main", classes: ["cleaner"] },
  { name: "agent-node-2", service: "@karst/agent-node/main", classes: ["analyzer"] },
] as const;

/** Starts the three and waits until each is ready. @throws {KarstError} `Unavailable` naming the process that did not come up, and its last line. */
export async function startDemoProcesses({ natsUrl, environment, onLog }: DemoProcessOptions): Promise<DemoProcesses> {
  const grantSecret = randomBytes(32).toString("hex");
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(ended));
  };
  try {
    const list = await Promise.all(
      PROCESSES.map(async ({ name, service, classes }) => {
        const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.resolve(service))], {
          stdio: ["ignore", "pipe", "pipe"],
          detached: true, // a ctrl-C is for this process, which ends them in order
          env: {
            ...environment,
            KARST_NATS: natsUrl,
            KARST_GRANT_SECRET: grantSecret,
            KARST_TENANT: "default",
            KARST_CLASSES: classes.map((each) => classModule(each)).join(","),
          },
        });
        children.push(child);
        const endWithUs = (): void => {
          child.kill("SIGKILL");
        };
        process.once("exit", endWithUs);
        child.once("exit", () => process.off("exit", endWithUs));
        await ready(name, child, onLog);
        return { name, pid: child.pid ?? 0, classes: classes.join(", ") };
      }),
    );
    return { list, grantSecret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The class module beside this file, TypeScript from source and JavaScript when built. */
function classModule(name: string): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./classes/${name}.${extension}`, import.meta.url));
}

function ready(name: string, child: ChildProcess, onLog: DemoProcessOptions["onLog"]): Promise<void> {
  return new Promise((resolve, reject) => {
    let last = "it printed nothing";
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new KarstError("Unavailable", `the process ${name} ${why}: ${last}`));
    };
    const timer = setTimeout(() => {
      fail(`was not ready within ${String(READY_MS)} ms`);
    }, READY_MS);
    const take = (line: string): void => {
      last = line;
      const log = parseLog(line);
      if (log === undefined || log.level === "warn" || log.level === "error" || log.level === "fatal") onLog(name, line);
      if (log?.msg === "ready") {
        clearTimeout(timer);
        resolve();
      }
    };
    for (const stream of [child.stdout, child.stderr]) if (stream !== null) createInterface({ input: stream }).on("line", take);
    child.once("error", (error) => {
      fail(`could not start (${error.message})`);
    });
    child.once("exit", (code, signal) => {
      fail(`ended with ${signal ?? `code ${String(code)}`}`);
    });
  });
}

function parseLog(line: string): { readonly level?: unknown; readonly msg?: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined; // not a log line
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const harder = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.once("exit", () => {
      clearTimeout(harder);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
