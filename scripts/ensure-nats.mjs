/**
 * Finds a nats-server to test and run with, or fetches one: `$NATS_SERVER`, PATH, the project's cache, the distribution's package.
 *
 * The steps are those of docs/architecture.md; the first that yields a working server wins. Servers from 2.9 on work, 2.10 or newer is preferred:
 * one on PATH below 2.10 is taken only when the cache has none. Fetching needs no root and installs nothing (see toolbox.mjs).
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ToolError, TOOLS_FOLDER, debianRelease, fetchFromPackage, isExecutable, run } from "./toolbox.mjs";

const PACKAGE = "nats-server";
const FILE = "usr/sbin/nats-server";
/** The first Debian release whose package is 2.10 or newer. */
const PREFERRED = { release: "trixie", version: 13 };

const HELP = `Usage: node scripts/ensure-nats.mjs [--release NAME] [--json]

Prints the path of a nats-server (2.9 or newer). Looks at $NATS_SERVER, PATH and the project's .cache/tools; else, on Debian and Ubuntu,
takes the distribution's package into .cache/tools (no root, nothing installed).

  --release NAME   the package of that Debian release (bookworm, trixie, forky), whatever else is there
  --json           prints {"path","version"} or {"missing","howTo"}
  --help           this text

NATS_SERVER=PATH names the server to use; NO_FETCH=1 turns fetching off. Exit 0 found, 3 none.
`;

/**
 * @typedef {{ readonly path: string, readonly version: string }} Found
 * @typedef {{ readonly missing: string, readonly howTo: string }} Missing Why there is none, and the one thing that would mend it.
 */

/** @param {string} version @param {number} major @param {number} minor */
function isAtLeast(version, major, minor) {
  const [first = 0, second = 0] = version.split(".").map(Number);
  return first > major || (first === major && second >= minor);
}

/**
 * @param {string} file
 * @returns {Promise<Found | undefined>} Undefined when `file` is no nats-server that runs here, or older than 2.9.
 */
async function tryServer(file) {
  if (!(await isExecutable(file))) return undefined;
  const said = await run(file, ["--version"], { timeoutMs: 10_000 }).catch(() => "");
  const version = /nats-server: v(\d+\.\d+\.\d+\S*)/.exec(said)?.[1];
  return version !== undefined && isAtLeast(version, 2, 9) ? { path: file, version } : undefined;
}

/** @param {string} pathVariable */
async function onPath(pathVariable) {
  for (const folder of pathVariable.split(path.delimiter)) {
    const found = folder === "" ? undefined : await tryServer(path.join(folder, PACKAGE));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * @param {object} [options]
 * @param {(line: string) => void} [options.log] Gets what is being done, a line each. Default: nothing is said.
 * @param {string} [options.release] Only the package of this Debian release.
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.toolsFolder]
 * @returns {Promise<Found | Missing>}
 * @throws {ToolError} When $NATS_SERVER is set and does not work: it was asked for, so nothing else will do.
 */
export async function ensureNats({ log = () => undefined, release: only, env = process.env, toolsFolder = TOOLS_FOLDER } = {}) {
  const named = env["NATS_SERVER"];
  if (only === undefined && named !== undefined && named !== "") {
    const found = await tryServer(path.resolve(named));
    if (found === undefined) throw new ToolError(`NATS_SERVER=${named} is no nats-server of version 2.9 or newer that runs here`);
    return found;
  }
  const installed = only === undefined ? await onPath(env["PATH"] ?? "") : undefined;
  if (installed !== undefined && isAtLeast(installed.version, 2, 10)) return installed;

  const own = await debianRelease();
  const prefersNewer = own?.distribution === "debian" && own.version < PREFERRED.version;
  const releases = only !== undefined ? [only] : own === undefined ? [] : prefersNewer ? [PREFERRED.release, own.release] : [own.release];
  // What was asked for by release lies apart, so that it does not change what others find.
  const folder = only === undefined ? toolsFolder : path.join(toolsFolder, "by-release");
  for (const release of releases) {
    const found = await tryServer(path.join(folder, PACKAGE, release, path.basename(FILE)));
    if (found !== undefined) return found;
  }
  if (installed !== undefined) return installed;

  if (process.platform === "darwin") return { missing: "no nats-server on PATH", howTo: "brew install nats-server" };
  if (own === undefined)
    return {
      missing: "no nats-server on PATH",
      howTo: "install nats-server 2.10 or newer with your system's packages, or set NATS_SERVER=/path/to/nats-server",
    };
  if (env["NO_FETCH"] === "1")
    return {
      missing: "no nats-server on PATH or in .cache/tools, and NO_FETCH=1",
      howTo: "node scripts/ensure-nats.mjs (without NO_FETCH)",
    };
  const failures = [];
  for (const release of releases) {
    try {
      const file = await fetchFromPackage({ packageName: PACKAGE, file: FILE, release, ownRelease: own.release, log, toolsFolder: folder });
      const found = await tryServer(file);
      if (found !== undefined) return found;
      failures.push(`${release}: the program does not run here`);
    } catch (error) {
      failures.push(`${release}: ${error instanceof Error ? error.message : String(error)}`);
    }
    log(`not from ${failures.at(-1) ?? release}`);
  }
  return {
    missing: `no package of nats-server could be fetched (${failures.join("; ")})`,
    howTo: "apt-get install nats-server, or set NATS_SERVER=/path/to/nats-server",
  };
}

/** @param {readonly string[]} args @returns {Promise<number>} The exit code. */
async function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(HELP);
    return 0;
  }
  const at = args.indexOf("--release");
  const release = at === -1 ? undefined : args[at + 1];
  const known = args.every((arg, index) => arg === "--json" || index === at || (at !== -1 && index === at + 1));
  if (!known || (at !== -1 && !/^[a-z]+$/.test(release ?? ""))) {
    process.stderr.write(HELP);
    return 2;
  }
  const result = await ensureNats({
    log: (line) => process.stderr.write(`ensure-nats: ${line}\n`),
    ...(release === undefined ? {} : { release }),
  });
  if (args.includes("--json")) process.stdout.write(`${JSON.stringify(result)}\n`);
  else if ("path" in result) process.stdout.write(`${result.path}\n`);
  if ("path" in result) return 0;
  process.stderr.write(`ensure-nats: ${result.missing}\n  try: ${result.howTo}\n`);
  return 3;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`ensure-nats: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 3;
  }
}
