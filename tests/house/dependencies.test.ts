import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./source-files.ts";

const MOST = 6;
const CORE_LIBS = ["events", "runtime", "model", "cluster", "agent"];

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(ROOT, folder, "package.json"), "utf8")) as Manifest; // npm's own format
}

test.each(CORE_LIBS)("libs/%s depends on at most 6 packages at run time", async (name) => {
  const { dependencies, optionalDependencies } = await manifestOf(`libs/${name}`);
  expect(Object.keys({ ...dependencies, ...optionalDependencies }).length).toBeLessThanOrEqual(MOST);
});

test("every dependency is pinned to one version", async () => {
  const folders = ["libs", "services", "tests"].map(async (folder) =>
    (await readdir(path.join(ROOT, folder))).map((name) => `${folder}/${name}`),
  );
  const loose: string[] = [];
  for (const folder of [".", "examples", ...(await Promise.all(folders)).flat()]) {
    const { dependencies, devDependencies, optionalDependencies } = await manifestOf(folder);
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      if (!/^\d+\.\d+\.\d+$/.test(range)) loose.push(`${folder}: ${name} ${range}`);
    }
  }
  expect(loose).toEqual([]);
});
