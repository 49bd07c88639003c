import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MissingToolError } from "./errors.ts";
import { findOnPath, versionOf } from "./find-tool.ts";
import type { FoundTool } from "./find-tool.ts";

/** A nats-server of our own, on a free loopback port, gone with `stop`. */
export interface NatsProcess {
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
}

const START_MS = 10_000;
const HOW_TO = "Install nats-server 2.9 or newer (https://nats.io), or name one with NATS_SERVER=/path/to/nats-server.";

/** `$NATS_SERVER`, PATH, or, inside the repository, what its script finds or fetches. @throws {MissingToolError} */
export async function findNatsServer(named: string | undefined, path: string): Promise<FoundTool> {
  const direct = named ?? (await findOnPath("nats-server", path));
  if (direct !== undefined) {
    const version = await versionOf(direct);
    if (version === undefined) throw new MissingToolError("nats-server", `${direct} does not run. ${HOW_TO}`);
    return { path: direct, version };
  }
  const script = repositoryScript();
  if (script === undefined) throw new MissingToolError("nats-server", HOW_TO);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 120_000 });
    const found = stdout.trim().split("\n").at(-1) ?? "";
    return { path: found, version: (await versionOf(found)) ?? "unknown version" };
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new MissingToolError("nats-server", said === "" ? HOW_TO : said);
  }
}

function repositoryScript(): string | undefined {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 6; up++) {
    const script = join(directory, "scripts", "ensure-nats.mjs");
    if (existsSync(script)) return script;
    directory = dirname(directory);
  }
  return undefined;
}

/** Starts `server` on a port of its own choice. @throws {MissingToolError} when it does not come up within 10 s. */
export async function startNats(server: FoundTool): Promise<NatsProcess> {
  const directory = await mkdtemp(join(tmpdir(), "karst-nats-"));
  const child = spawn(server.path, ["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", directory], { stdio: "ignore" });
  const stop = async (): Promise<void> => {
    await ended(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    return { url: await portsFile(directory, child), version: server.version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const harder = setTimeout(() => child.kill("SIGKILL"), 5_000);
    child.once("exit", () => {
      clearTimeout(harder);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

/** The URL that the server writes into its ports file once it listens. */
function portsFile(directory: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const watcher = watch(directory, () => {
      void look();
    });
    const timer = setTimeout(() => {
      fail(`it did not listen within ${String(START_MS)} ms`);
    }, START_MS);
    const done = (): void => {
      clearTimeout(timer);
      watcher.close();
    };
    const fail = (why: string): void => {
      done();
      reject(new MissingToolError("a working nats-server", why));
    };
    const look = async (): Promise<void> => {
      for (const name of await readdir(directory).catch(() => [])) {
        const text = await readFile(join(directory, name), "utf8").catch(() => "");
        const url = /"nats":\s*\[\s*"(nats:\/\/[^"]+)"/.exec(text)?.[1];
        if (url !== undefined) {
          done();
          resolve(url);
          return;
        }
      }
    };
    child.once("error", (error) => {
      fail(error.message);
    });
    child.once("exit", (code) => {
      fail(`it ended with code ${String(code)}`);
    });
    void look();
  });
}
