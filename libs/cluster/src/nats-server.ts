import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { access, constants, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { UnavailableError } from "./errors.ts";

/** A server found on this machine, or why there is none. */
export type NatsProgram = { readonly path: string } | { readonly missing: string; readonly howTo: string };

const SCRIPT = path.join("scripts", "ensure-nats.mjs");
const HOW_TO = "node scripts/ensure-nats.mjs, or NATS_SERVER=/path/to/nats-server (2.9 or newer)";
/** Fetching a package takes this long at most. */
const FIND_MS = 300_000;

const isProgram = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The project's script, when this file lies in the project and not in an installed package. */
async function findScript(from = import.meta.dirname): Promise<string | undefined> {
  const file = path.join(from, SCRIPT);
  if (await isReadable(file)) return file;
  const parent = path.dirname(from);
  return parent === from ? undefined : findScript(parent);
}

const isReadable = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );

export interface FindNatsOptions {
  /** The program to use, when one was named. */
  readonly serverPath?: string | undefined;
  /** The PATH variable. */
  readonly pathVariable: string;
}

/** Takes the program named, else what the project's script finds or fetches, or PATH when there is no script: in an installed package. */
export async function findNatsServer(options: FindNatsOptions): Promise<NatsProgram> {
  if (options.serverPath !== undefined) {
    if (await isProgram(options.serverPath)) return { path: options.serverPath };
    return { missing: `NATS_SERVER=${options.serverPath} is no program`, howTo: HOW_TO };
  }
  const script = await findScript();
  if (script === undefined) {
    for (const folder of options.pathVariable.split(path.delimiter)) {
      const file = path.join(folder, "nats-server");
      if (folder !== "" && (await isProgram(file))) return { path: file };
    }
    return { missing: "no nats-server on PATH", howTo: HOW_TO };
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: FIND_MS });
    return { path: stdout.trim() };
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    return { missing: `no nats-server: ${said}`, howTo: HOW_TO };
  }
}

export interface NatsServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Base of the server's own monitoring, such as `http://127.0.0.1:1234`. */
  readonly monitorUrl: string;
  readonly version: string;
  /** Ends the process at once, as a crash would; its files stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port. Only after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  close(): Promise<void>;
}

export interface NatsServerOptions {
  /** Further arguments, such as `["--user", "a", "--pass", "b"]`. */
  readonly args?: readonly string[];
  /** Path of the server, as `findNatsServer` gives it. */
  readonly program: string;
}

const START_MS = 10_000;

interface Ports {
  readonly nats: readonly string[];
  readonly monitoring: readonly string[];
}

/**
 * Starts a real server on a free port of the loopback interface, with its files in a folder of its own.
 *
 * @throws {UnavailableError} when it does not start within 10 s; the message holds what it wrote.
 */
export async function startNatsServer({ args = [], program }: NatsServerOptions): Promise<NatsServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "karst-nats-"));
  let running: ChildProcess | undefined;

  const start = async (port: number, monitorPort: number): Promise<Ports> => {
    const common = ["--addr", "127.0.0.1", "--ports_file_dir", folder, "--store_dir", path.join(folder, "store")];
    const child = spawn(program, [...common, "--port", String(port), "--http_port", String(monitorPort), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true, // a ctrl-C is for whoever started it: it ends the server last
    });
    running = child;
    // A process that ends without closing it must not leave it behind.
    const endWithUs = (): void => {
      child.kill("SIGKILL");
    };
    process.once("exit", endWithUs);
    child.once("exit", () => process.off("exit", endWithUs));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    });
    const exited = new Promise<string>((resolve) => {
      child.once("error", (error) => {
        resolve(error.message);
      });
      child.once("exit", (code, signal) => {
        resolve(`ended with ${String(code ?? signal)}`);
      });
    });
    const deadline = new AbortController();
    const ended = await Promise.race([
      readPorts(folder, child.pid, deadline.signal),
      exited,
      new Promise<string>((resolve) => {
        setTimeout(resolve, START_MS, "took too long").unref();
      }),
    ]);
    deadline.abort();
    if (typeof ended !== "string") return ended;
    await stop(child);
    await rm(folder, { recursive: true, force: true });
    throw new UnavailableError(`nats-server did not start: ${ended}\n${said}`, { started: "no" });
  };

  const kill = async (): Promise<void> => {
    if (running !== undefined) await stop(running);
    running = undefined;
  };

  const ports = await start(-1, -1);
  const url = ports.nats[0] ?? "";
  const monitorUrl = ports.monitoring[0] ?? "";
  const port = Number(new URL(url).port);
  const { version } = (await (await fetch(`${monitorUrl}/varz`)).json()) as { version: string }; // the server's own monitoring page
  const close = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url,
    port,
    monitorUrl,
    version,
    kill,
    async restart() {
      await start(port, Number(new URL(monitorUrl).port));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Waits for the file in which a server with a port of -1 writes the ones it got. */
async function readPorts(folder: string, pid: number | undefined, signal: AbortSignal): Promise<Ports> {
  for (;;) {
    const name = (await readdir(folder)).find((file) => file.endsWith(`_${String(pid)}.ports`));
    const text = name === undefined ? "" : await readFile(path.join(folder, name), "utf8");
    if (text.endsWith("}") || text.endsWith("}\n")) return JSON.parse(text) as Ports; // written by the server, as its documentation says
    if (signal.aborted) return { nats: [], monitoring: [] };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}
