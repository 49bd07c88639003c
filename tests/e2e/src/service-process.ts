import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A service as a deployment starts it: its `main`, its environment, its signals. */
export interface ServiceProcess extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the first log line whose message is this. Rejects when the process ends first. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>>;
  signal(name: NodeJS.Signals): void;
  readonly finished: Promise<{ readonly code: number | null; readonly output: string }>;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSX = import.meta.resolve("tsx");

export function startService(name: "agent-node" | "orchestrator", environment: Readonly<Record<string, string>>): ServiceProcess {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("KARST_")));
  const main = join(ROOT, `services/${name}/src/main.ts`);
  const child = spawn(process.execPath, ["--conditions=karst-source", "--import", TSX, main], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, ...environment },
  });
  let output = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const watch of [...watchers]) watch();
    });
  const finished = new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
  return {
    pid: child.pid ?? 0,
    finished,
    signal: (signal) => {
      child.kill(signal);
    },
    logged: (message) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const line of output.split("\n")) {
            if (!line.includes(`"msg":"${message}"`)) continue;
            watchers.delete(look);
            resolve(JSON.parse(line) as Readonly<Record<string, unknown>>);
            return;
          }
        };
        watchers.add(look);
        look();
        finished.then(({ code }) => {
          reject(new TypeError(`${name} ended with ${String(code)} before it logged '${message}':\n${output}`));
        }, reject);
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await finished;
    },
  };
}
