/**
 * Fetches single programs out of Debian and Ubuntu packages into the project's cache, without root and without installing anything.
 *
 * How: a private apt directory under the cache holds a copy of the machine's own package sources (another release's name put in where asked),
 * `apt-get update` and `apt-get download` work on that directory alone, with the machine's own signature check, and `dpkg -x` unpacks.
 *
 * B1. Nothing outside the cache folder is written; the machine's package state is only read.
 * B2. A program appears in the cache by one rename, whole or not at all; two runs at once are both right, the slower one drops its copy.
 * B3. Each step has a time limit, and what a killed run left is removed by a later one.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, chmod, constants, cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The project's own folder for fetched programs. */
export const TOOLS_FOLDER = fileURLToPath(new URL("../.cache/tools/", import.meta.url));

/** A tool cannot be had; the message says why. */
export class ToolError extends Error {
  /** @param {string} message @param {unknown} [cause] */
  constructor(message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ToolError";
    this.code = "MissingTool";
  }
}

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ timeoutMs: number, cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} What it wrote to its output.
 * @throws {ToolError} When it cannot start, fails, or takes longer than `timeoutMs`.
 */
export function run(program, args, { timeoutMs, cwd, env }) {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { timeout: timeoutMs, killSignal: "SIGKILL", cwd, env, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const said = `${stderr}`.trim().split("\n").slice(-3).join(" | ");
        const why = error.killed ? `took longer than ${String(timeoutMs)} ms` : said === "" ? error.message : said;
        const verb = args.find((arg) => /^[a-z]+$/.test(arg)) ?? args[0] ?? "";
        reject(new ToolError(`${program} ${verb}: ${why}`, error));
      },
    );
  });
}

/** @param {string} file */
export async function isExecutable(file) {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * The release this machine runs.
 *
 * @returns {Promise<{ distribution: string, release: string, version: number } | undefined>} Undefined on anything but Debian and Ubuntu.
 */
export async function debianRelease() {
  if (process.platform !== "linux" || !(await isExecutable("/usr/bin/apt-get")) || !(await isExecutable("/usr/bin/dpkg"))) return undefined;
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  /** @param {string} key */
  const value = (key) => new RegExp(`^${key}="?([^"\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  const distribution = value("ID");
  const release = value("VERSION_CODENAME");
  if ((distribution !== "debian" && distribution !== "ubuntu") || release === "") return undefined;
  return { distribution, release, version: Number(value("VERSION_ID")) };
}

/**
 * The machine's own package sources, reduced to what names its release, with that name replaced.
 *
 * Keeps one-line entries and deb822 stanzas whose suites begin with `from` (`bookworm`, `bookworm-updates`, `bookworm-security`): third parties'
 * sources have no other release to offer. Comments, source packages and disabled stanzas are dropped.
 *
 * @param {{ name: string, text: string }} file Its name decides the form: `.sources` is deb822, else one line an entry.
 * @param {string} from
 * @param {string} to
 * @returns {string} Text in the same form; empty when nothing fits.
 */
export function renameRelease({ name, text }, from, to) {
  /** @param {string} suite */
  const fits = (suite) => suite === from || [`${from}-updates`, `${from}-security`, `${from}/updates`].includes(suite);
  /** @param {string} suite */
  const renamed = (suite) => `${to}${suite.slice(from.length).replace("/updates", "-security")}`;
  if (name.endsWith(".sources")) {
    const stanzas = text
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .join("\n")
      .split(/\n\s*\n/);
    return stanzas
      .filter((stanza) => /^URIs:/im.test(stanza) && !/^Enabled:\s*(no|false)\s*$/im.test(stanza))
      .flatMap((stanza) => {
        const suites = (/^Suites:(.*(?:\n[ \t].*)*)/im.exec(stanza)?.[1] ?? "").split(/\s+/).filter(fits);
        if (suites.length === 0 || !/^Types:.*\bdeb\b(?!-)/im.test(stanza)) return [];
        return stanza
          .trim()
          .replace(/^Types:.*(?:\n[ \t].*)*/im, "Types: deb")
          .replace(/^Suites:.*(?:\n[ \t].*)*/im, `Suites: ${suites.map(renamed).join(" ")}`);
      })
      .map((stanza) => `${stanza}\n`)
      .join("\n");
  }
  return text
    .split("\n")
    .flatMap((line) => {
      const match = /^\s*deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.+)$/.exec(line);
      if (match === null) return [];
      const [, options = "", uri, suite = "", components] = match;
      return fits(suite) ? [`deb ${options}${uri} ${renamed(suite)} ${components}\n`] : [];
    })
    .join("");
}

/** @param {string} folder @param {string} from @param {string} to Where the copies go, and how many were made. */
async function copySources(folder, from, to) {
  const names = (await readdir("/etc/apt/sources.list.d").catch(() => [])).filter((name) => /\.(list|sources)$/.test(name));
  let copies = 0;
  for (const file of ["/etc/apt/sources.list", ...names.map((name) => `/etc/apt/sources.list.d/${name}`)]) {
    const text = await readFile(file, "utf8").catch(() => "");
    const copy = renameRelease({ name: file, text }, from, to);
    if (copy === "") continue;
    copies++;
    await writeFile(path.join(folder, file.endsWith("sources.list") ? "main.list" : path.basename(file)), copy);
  }
  return copies;
}

/** Removes the working folders of runs that were killed. @param {string} folder */
async function removeLeftovers(folder) {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(".fetch-")) continue;
    const file = path.join(folder, name);
    const made = await stat(file).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > 3_600_000) await rm(file, { recursive: true, force: true });
  }
}

/**
 * Brings one program of a package into `<cache>/<name>/<release>/<program>`.
 *
 * @param {object} request
 * @param {string} request.packageName
 * @param {string} request.file Where the program lies in the package, without the leading slash.
 * @param {string} request.release The release to take it from.
 * @param {string} request.ownRelease The machine's own, whose name in the sources gives way.
 * @param {(line: string) => void} request.log
 * @param {string} [request.toolsFolder]
 * @param {number} [request.timeoutMs] For each of the three steps. Default 120,000.
 * @returns {Promise<string>} The program's path.
 * @throws {ToolError} When a step fails; nothing is left behind.
 */
export async function fetchFromPackage({ packageName, file, release, ownRelease, log, toolsFolder = TOOLS_FOLDER, timeoutMs = 120_000 }) {
  const home = path.join(toolsFolder, packageName, release);
  const target = path.join(home, path.basename(file));
  await mkdir(toolsFolder, { recursive: true });
  await removeLeftovers(toolsFolder);
  const work = path.join(toolsFolder, `.fetch-${packageName}-${String(process.pid)}-${randomBytes(4).toString("hex")}`);
  try {
    for (const part of ["sources", "lists/partial", "archives/partial", "unpacked", "whole"])
      await mkdir(path.join(work, part), { recursive: true });
    await writeFile(path.join(work, "empty"), "");
    if ((await copySources(path.join(work, "sources"), ownRelease, release)) === 0)
      throw new ToolError(`no package source of this machine names the release ${ownRelease}`);
    /** @type {Record<string, string>} */
    const settings = {
      "Dir::Etc::sourcelist": path.join(work, "empty"),
      "Dir::Etc::sourceparts": path.join(work, "sources"),
      "Dir::Etc::preferences": path.join(work, "empty"),
      "Dir::Etc::preferencesparts": path.join(work, "archives/partial"),
      "Dir::State::lists": path.join(work, "lists"),
      "Dir::Cache": path.join(work),
      "Dir::Cache::archives": path.join(work, "archives"),
      "APT::Default-Release": "",
      "APT::Sandbox::User": "root", // the cache need not be readable to apt's own user
      "Acquire::Languages": "none",
      "Acquire::Retries": "2",
      "APT::Update::Error-Mode": "any",
    };
    const options = Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
    const env = { ...process.env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };
    log(`reading the package lists of ${release} into a private folder (nothing is installed)`);
    await run("apt-get", [...options, "-qq", "update"], { timeoutMs, env });
    log(`downloading ${packageName}`);
    await run("apt-get", [...options, "-qq", "download", packageName], { timeoutMs, cwd: path.join(work, "unpacked"), env });
    const archive = (await readdir(path.join(work, "unpacked"))).find((name) => name.endsWith(".deb"));
    if (archive === undefined) throw new ToolError(`apt-get download ${packageName} left no package`);
    await run("dpkg", ["-x", path.join(work, "unpacked", archive), path.join(work, "unpacked")], { timeoutMs });
    const unpacked = path.join(work, "unpacked", file);
    if (!(await isExecutable(unpacked))) throw new ToolError(`${archive} has no program ${file}`);
    await cp(unpacked, path.join(work, "whole", path.basename(file)));
    await chmod(path.join(work, "whole", path.basename(file)), 0o755);
    await mkdir(path.dirname(home), { recursive: true });
    try {
      await rename(path.join(work, "whole"), home);
    } catch (error) {
      // Another run was faster, or left a folder without the program in it.
      if (!(await isExecutable(target))) {
        await rm(home, { recursive: true, force: true });
        await rename(path.join(work, "whole"), home).catch((again) => {
          throw new ToolError(`${home} cannot be made`, again ?? error);
        });
      }
    }
    log(`unpacked ${archive} to ${path.relative(process.cwd(), target)}`);
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
