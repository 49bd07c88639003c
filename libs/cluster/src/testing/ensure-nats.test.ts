import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, beforeAll, describe, expect, test } from "vitest";

// The script that finds servers for these tests is plain JavaScript, outside of this project's types: its functions as their comments have them.
interface Script {
  readonly ensureNats: (o: { readonly env: NodeJS.ProcessEnv; readonly toolsFolder: string }) => Promise<Record<string, string>>;
}
interface Toolbox {
  readonly renameRelease: (file: { readonly name: string; readonly text: string }, from: string, to: string) => string;
  readonly debianRelease: () => Promise<{ readonly release: string } | undefined>;
}
const scripts = new URL("../../../../scripts/", import.meta.url);
const { ensureNats } = (await import(new URL("ensure-nats.mjs", scripts).href)) as Script; // as above
const { renameRelease, debianRelease } = (await import(new URL("toolbox.mjs", scripts).href)) as Toolbox; // as above

describe("ensure-nats", () => {
  let folder: string;
  let bin: string;
  let toolsFolder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "karst-ensure-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    const each = await mkdtemp(path.join(folder, "case-"));
    bin = path.join(each, "bin");
    toolsFolder = path.join(each, "tools");
    await mkdir(bin);
  });
  /** A program that says it is a nats-server of that version. */
  const install = async (where: string, version: string): Promise<string> => {
    await mkdir(where, { recursive: true });
    const file = path.join(where, "nats-server");
    await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
    await chmod(file, 0o755);
    return file;
  };
  const cached = async (version: string): Promise<string> => {
    const own = await debianRelease();
    const homes = [...new Set(["trixie", own?.release ?? "trixie"])].map((release) => path.join(toolsFolder, "nats-server", release));
    const files = await Promise.all(homes.map((home) => install(home, version)));
    return files[0] ?? "";
  };
  const ensure = (env: NodeJS.ProcessEnv): Promise<Record<string, string>> =>
    ensureNats({ env: { PATH: bin, NO_FETCH: "1", ...env }, toolsFolder });

  test("the server that NATS_SERVER names is taken before any other", async () => {
    await install(bin, "2.11.0");
    const named = await install(path.join(folder, "named"), "2.9.10");
    expect(await ensure({ NATS_SERVER: named })).toEqual({ path: named, version: "2.9.10" });
  });
  test.each([
    ["is not there", undefined],
    ["is too old", "2.8.4"],
  ])("when the server that NATS_SERVER names %s nothing else will do", async (_, version) => {
    await install(bin, "2.11.0");
    const named = version === undefined ? path.join(folder, "none") : await install(path.join(folder, "old"), version);
    await expect(ensure({ NATS_SERVER: named })).rejects.toMatchObject({
      code: "MissingTool",
      message: expect.stringContaining(named) as string,
    });
  });
  test("one of 2.10 or newer on PATH goes before the cache, one of 2.9 after it, an older one not at all", async () => {
    const file = await install(bin, "2.10.1");
    expect(await ensure({})).toEqual({ path: file, version: "2.10.1" });
    await install(bin, "2.9.25");
    expect(await ensure({})).toEqual({ path: file, version: "2.9.25" });
    await install(bin, "2.8.4");
    expect(await ensure({})).toMatchObject({ missing: expect.any(String) as string, howTo: expect.any(String) as string });
  });
  test("what is in the cache is taken without fetching", async () => {
    if ((await debianRelease()) === undefined) return; // elsewhere nothing is fetched, so there is no cache
    await install(bin, "2.9.25");
    expect(await ensure({})).toMatchObject({ version: "2.9.25" });
    const file = await cached("2.10.27");
    expect(await ensure({})).toEqual({ path: file, version: "2.10.27" });
  });
  test("as a command it explains itself, and refuses what it does not know", async () => {
    const run = (...args: string[]): Promise<readonly [number, string]> =>
      new Promise((resolve) => {
        execFile(process.execPath, [fileURLToPath(new URL("ensure-nats.mjs", scripts)), ...args], (error, stdout, stderr) => {
          resolve([typeof error?.code === "number" ? error.code : 0, stdout + stderr]);
        });
      });
    const [code, text] = await run("--help");
    expect(code).toBe(0);
    expect(text).toContain("NO_FETCH=1");
    expect((await run("--bogus"))[0]).toBe(2);
    expect((await run("--release", "../etc"))[0]).toBe(2);
  });
});

describe("another release's package sources", () => {
  test("of one line each: the machine's own release, its updates and its security, with the name replaced", () => {
    const text = [
      "# deb http://commented/debian bookworm main",
      "deb [arch=amd64 signed-by=/k.gpg] http://mirror/debian bookworm main contrib",
      "deb-src http://mirror/debian bookworm main",
      "deb http://mirror/security bookworm-security main",
      "deb http://mirror/debian bookworm-backports main",
      "deb http://third/party stable main",
    ].join("\n");
    expect(renameRelease({ name: "sources.list", text }, "bookworm", "trixie")).toBe(
      "deb [arch=amd64 signed-by=/k.gpg] http://mirror/debian trixie main contrib\ndeb http://mirror/security trixie-security main\n",
    );
  });
  test("in stanzas: the same, disabled and foreign ones left out", () => {
    const text = `# a comment
Types: deb deb-src
# another
URIs: http://mirror/debian
Suites: bookworm bookworm-updates bookworm-backports
Components: main
Signed-By: /k.gpg

Types: deb
URIs: http://third/party
Suites: nodistro
Components: main

Enabled: no
Types: deb
URIs: http://mirror/debian
Suites: bookworm
Components: main

Types: deb-src
URIs: http://mirror/debian
Suites: bookworm
Components: main
`;
    expect(renameRelease({ name: "debian.sources", text }, "bookworm", "trixie")).toBe(
      "Types: deb\nURIs: http://mirror/debian\nSuites: trixie trixie-updates\nComponents: main\nSigned-By: /k.gpg\n",
    );
  });
  test("sources without the release give nothing", () => {
    expect(renameRelease({ name: "x.list", text: "deb http://third/party stable main\n" }, "bookworm", "trixie")).toBe("");
    expect(renameRelease({ name: "x.sources", text: "Types: deb\nURIs: http://x\nSuites: stable\n" }, "bookworm", "trixie")).toBe("");
  });
});
