/**
 * Child processes of the commands: they share our terminal and end with us.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Where an asked-for end is not reached by itself. */
const GRACE_MS = 10_000;

/** What no tool of ours may do behind our back: leave a daemon, ask a cloud. */
const QUIET = { NX_DAEMON: "false", NX_NO_CLOUD: "true", NX_TUI: "false" };

const require = createRequire(import.meta.url);

/** @param {string} name Path of a package's program, where the package shows it to nobody. */
const hidden = (name) => path.join(ROOT, "node_modules", name);

export const PROGRAMS = {
  eslint: hidden("eslint/bin/eslint.js"),
  knip: hidden("knip/bin/knip.js"),
  nx: require.resolve("nx/bin/nx.js"),
  prettier: require.resolve("prettier/bin/prettier.cjs"),
  tsc: require.resolve("typescript/bin/tsc"),
  vitest: hidden("vitest/vitest.mjs"),
};

/**
 * Runs a program of Node's to its end.
 *
 * A ctrl-C or a SIGTERM ends it and every process it started; a second one, or 10 s, kills them.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, nodeArgs?: readonly string[] }} [options]
 * @returns {Promise<number>} Its exit code; 128 and the number of the signal when one ended it or us.
 */
export function runNode(file, args, { env = {}, nodeArgs = [] } = {}) {
  return runProgram(process.execPath, [...nodeArgs, file, ...args], { env });
}

const SIGNALS = /** @type {const} */ ({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15, SIGKILL: 9 });

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string> }} [options]
 * @returns {Promise<number>}
 */
export function runProgram(file, args, { env = {} } = {}) {
  return new Promise((resolve, reject) => {
    // In a group of its own, so that a signal reaches all of it and nothing else.
    const child = spawn(file, args, { cwd: ROOT, stdio: "inherit", detached: true, env: { ...process.env, ...QUIET, ...env } });
    /** @type {number | undefined} */
    let asked;
    /** @param {NodeJS.Signals} signal */
    const toGroup = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // The group has ended.
      }
    };
    /** @param {keyof typeof SIGNALS} signal */
    const end = (signal) => {
      toGroup(asked === undefined ? signal : "SIGKILL");
      if (asked === undefined) setTimeout(toGroup, GRACE_MS, "SIGKILL").unref();
      asked ??= 128 + SIGNALS[signal];
    };
    const handlers = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]).map((signal) => ({
      signal,
      handler: () => {
        end(signal);
      },
    }));
    for (const { signal, handler } of handlers) process.on(signal, handler);
    const release = () => {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    };
    child.once("error", (error) => {
      release();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      release();
      // What the program left behind, ends with it.
      if (asked !== undefined) toGroup("SIGKILL");
      resolve(asked ?? code ?? 128 + (signal !== null && signal in SIGNALS ? SIGNALS[/** @type {keyof typeof SIGNALS} */ (signal)] : 0));
    });
  });
}
