import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The `karst` command as a person starts it: its own process, in an empty folder. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KarstProcess extends AsyncDisposable {
  readonly pid: number;
  /** The folder it runs in; gone when disposed. */
  readonly directory: string;
  /** Resolves when a line of stdout matches. Rejects when the process ends first. */
  seen(pattern: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MAIN = join(ROOT, "libs/cli/src/main.ts");
const TSX = import.meta.resolve("tsx");

export async function startKarst(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<KarstProcess> {
  const directory = await mkdtemp(join(tmpdir(), "karst-e2e-"));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("KARST_") && key !== "FORCE_COLOR"));
  const child = spawn(process.execPath, ["--conditions=karst-source", "--import", TSX, MAIN, ...args], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, ...environment },
  });
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  const told = (): void => {
    for (const watch of [...watchers]) watch();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    told();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
  const seen = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stdout);
        if (match === null) return;
        watchers.delete(look);
        resolve(match[0]);
      };
      watchers.add(look);
      look();
      finished.then(() => {
        reject(new TypeError(`it ended before ${String(pattern)} was seen:\n${stdout}\n${stderr}`));
      }, reject);
    });
  return {
    pid: child.pid ?? 0,
    directory,
    seen,
    finished,
    signal: (name) => {
      child.kill(name);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await finished;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
