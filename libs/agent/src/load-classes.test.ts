import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadClasses } from "./load-classes.ts";

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
let directory: string;

/** A module of classes, as one who uses Karst writes it. */
async function write(name: string, text: string): Promise<void> {
  await writeFile(
    join(directory, name),
    `import { defineAgent } from ${here("./define-agent.ts")};\nconst define = (name) => defineAgent({ name, version: 1 });\n${text}`,
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "karst-classes-"));
  await write(
    "shelf.mjs",
    'export const Shelf = define("shelf"), Reader = define("reader");\nexport const models = { own: { id: "own", stream() {} } };\nexport const more = 1;',
  );
  await write("again.mjs", 'export { Shelf as Same } from "./shelf.mjs";\nexport const models = { other: { id: "other", stream() {} } };');
  await write("twin.mjs", 'export const Twin = define("shelf");');
  await write("none.mjs", "export const models = {}, text = 'no class', nothing = null;");
  await write("odd.mjs", 'export const Odd = define("odd");\nexport const models = { bad: 1 };');
  await write("broken.mjs", 'throw new TypeError("boom");');
  await write("thrower.mjs", 'throw "a string";');
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

const refused = (place: string, problem: RegExp): object =>
  expect.objectContaining({ code: "InvalidConfig", data: { place, problem: expect.stringMatching(problem) as unknown } }) as object;
const namesOf = ({ classes }: { readonly classes: readonly { readonly name: string }[] }): string[] => classes.map(({ name }) => name);

describe("modules are found", () => {
  test("by a path from the directory, by an absolute one, and by URL", async () => {
    for (const module of ["./shelf.mjs", join(directory, "shelf.mjs"), pathToFileURL(join(directory, "shelf.mjs")).href])
      expect(namesOf(await loadClasses([module], directory))).toEqual(["shelf", "reader"]);
  });

  test("by the name of a package, which then has to hold classes", async () => {
    await expect(loadClasses(["zod"], directory)).rejects.toEqual(refused("zod", /exports no agent class/));
  });
});

test("all classes of all modules come, each once, and the models that they bring", async () => {
  const loaded = await loadClasses(["./shelf.mjs", "./again.mjs"], directory);
  expect(namesOf(loaded)).toEqual(["shelf", "reader"]);
  expect(Object.keys(loaded.models)).toEqual(["own", "other"]);
});

test("an export `models` that holds no models is left alone", async () => {
  expect((await loadClasses(["./odd.mjs"], directory)).models).toEqual({});
});

describe("a module is refused by name", () => {
  test.each([
    ["./missing.mjs", /cannot be loaded/],
    ["./broken.mjs", /cannot be loaded: .*boom/],
    ["./thrower.mjs", /cannot be loaded: .*a string/],
    ["./none.mjs", /exports no agent class/],
  ])("%s", async (module, problem) => {
    await expect(loadClasses([module], directory)).rejects.toEqual(refused(module, problem));
  });

  test("when it defines a class of a name that another one defines", async () => {
    await expect(loadClasses(["./shelf.mjs", "./twin.mjs"], directory)).rejects.toEqual(refused("./twin.mjs", /'shelf' a second time/));
  });
});
