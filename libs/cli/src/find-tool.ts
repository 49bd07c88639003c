import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The first executable of that name in `path` (the PATH variable), or undefined. */
export async function findOnPath(name: string, path: string): Promise<string | undefined> {
  for (const directory of path.split(delimiter)) {
    if (directory === "") continue;
    const file = join(directory, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      continue; // not there, or not ours to run
    }
  }
  return undefined;
}

/** What `file --version` says first; undefined when it does not run within 5 s. */
export async function versionOf(file: string, flag = "--version"): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(file, [flag], { timeout: 5_000 });
    return (stdout === "" ? stderr : stdout).split("\n")[0]?.trim();
  } catch {
    return undefined;
  }
}
