import { readdir } from "node:fs/promises";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");

const MADE = /(?:^|\/)(?:dist|node_modules|coverage)\//;

/** Every file under these folders that is not made by a tool, as a path from the root with `/`. */
export async function sourceFiles(...folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
    }),
  );
  return found
    .flat()
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => !MADE.test(file))
    .sort();
}
