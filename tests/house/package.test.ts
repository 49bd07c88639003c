import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fencesOf, sectionOf } from "./readme.ts";
import { ROOT } from "./source-files.ts";

/**
 * The packages as somebody gets them: built, packed, and installed from their tarballs into an empty folder by npm alone.
 */

const require = createRequire(import.meta.url);
const TSC = require.resolve("typescript/bin/tsc");
const MINUTE = 60_000;

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let home: string;
let packed: readonly Packed[];

/** Runs a command to its end without what this run of tests has put into the environment. @throws with its output when it fails. */
function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env, timeout: 3 * MINUTE, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

const node = (args: readonly string[], cwd: string) => run(process.execPath, args, cwd);

async function packages(): Promise<readonly string[]> {
  const folders = await Promise.all(
    ["libs", "services"].map(async (folder) => (await readdir(path.join(ROOT, folder))).map((name) => `${folder}/${name}`)),
  );
  return folders.flat();
}

/** The version that the repository itself is tested with. */
async function pinOf(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }; // npm wrote it
  return `${name}@${version}`;
}

async function quickStart(): Promise<{ readonly code: string; readonly output: string }> {
  const section = sectionOf(await readFile(path.join(ROOT, "README.md"), "utf8"), "Quick start");
  expect(section, 'README.md has a heading "Quick start"').toBeDefined();
  const fences = fencesOf(section ?? "");
  const at = fences.findIndex(({ language }) => language === "ts");
  const output = fences.slice(at + 1).find(({ language }) => language === "text");
  expect(fences[at], "the quick start has a block ```ts").toBeDefined();
  expect(output, "the quick start has a block ```text with its output after the code").toBeDefined();
  return { code: fences[at]?.text ?? "", output: output?.text ?? "" };
}

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "karst-package-"));
  const folders = await packages();
  await node([TSC, "-b", ...folders.map((folder) => `${folder}/tsconfig.lib.json`)], ROOT);
  const workspaces = folders.flatMap((folder) => ["-w", folder]);
  packed = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", home, ...workspaces], ROOT)) as readonly Packed[]; // npm's own format
  await writeFile(path.join(home, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  const tarballs = packed.map(({ filename }) => `./${filename}`);
  const others = await Promise.all(["zod", "tsx", "@types/node"].map(pinOf));
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs, ...others], home);
}, 6 * MINUTE);

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

test("every lib and service is packed, and holds what was built and nothing else", async () => {
  expect(packed).toHaveLength((await packages()).length);
  for (const { name, files } of packed) {
    const paths = files.map((file) => file.path);
    expect(paths, name).toContain("dist/index.js");
    expect(paths, name).toContain("dist/index.d.ts");
    // Data and its notices may lie where the source has them; source itself, tests and what the compiler keeps for itself may not.
    const odd = paths.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|\.test-d\.|tsbuildinfo|^dist\/spec\//.test(file));
    expect(odd, `${name} holds what no user needs`).toEqual([]);
  }
});

test("every package can be imported outside of the repository", async () => {
  const lines = packed.map(
    ({ name }) => `console.log(Object.keys(await import(${JSON.stringify(name)})).length > 0 ? "ok" : "empty", "${name}");`,
  );
  await writeFile(path.join(home, "imports.mjs"), lines.join("\n"));
  expect(await node(["imports.mjs"], home)).toBe(packed.map(({ name }) => `ok ${name}\n`).join(""));
});

test("the quick start of the README runs outside of the repository and prints what stands beside it", async () => {
  const { code, output } = await quickStart();
  await writeFile(path.join(home, "quick-start.ts"), code);
  expect(await node(["--import", "tsx", "quick-start.ts"], home)).toBe(output);
});

test("the quick start of the README has no type error for one who has only the packages", async () => {
  const { code } = await quickStart();
  await writeFile(path.join(home, "typed.ts"), code);
  const compilerOptions = { strict: true, noEmit: true, target: "es2023", module: "nodenext", types: ["node"], skipLibCheck: true };
  await writeFile(path.join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
  await expect(node([TSC, "-p", home], home)).resolves.toBe("");
});
