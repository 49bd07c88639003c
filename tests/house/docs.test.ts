import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { pathsIn } from "./markdown-paths.ts";
import { ROOT, sourceFiles } from "./source-files.ts";

const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

async function documents(): Promise<readonly string[]> {
  const atRoot = (await readdir(ROOT)).filter((name) => name.endsWith(".md"));
  return [...atRoot, ...(await sourceFiles("docs")).filter((name) => name.endsWith(".md"))];
}

/** The names that a source file exports. */
async function exportsOf(file: string): Promise<readonly string[]> {
  const source = ts.createSourceFile(file, await read(file), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      return exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name.text) : [];
    }
    const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (exported !== true) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const named = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement);
    return (named || ts.isTypeAliasDeclaration(statement)) && statement.name !== undefined ? [statement.name.text] : [];
  });
}

interface Entry {
  readonly words: readonly string[];
  readonly home: string;
}

/** The rows of the glossary's table: words, meaning, a link to the home. */
function entriesOf(glossary: string): readonly Entry[] {
  const rows = glossary.matchAll(/^\| (?<words>[^|]+) \| [^|]+ \| \[[^\]]+\]\(\.\.\/(?<home>[^)]+)\) \|$/gm);
  return [...rows].map(({ groups }) => ({ words: (groups?.["words"] ?? "").split(", "), home: groups?.["home"] ?? "" }));
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

describe("paths in the documents", () => {
  test("links and paths in code are found; links elsewhere, patterns and text in fences are none", () => {
    const text = "[a](../x.ts#part) [b](https://x.y) [c](#here) `libs/a/b.ts` `libs/*/c.ts` `a/b`\n```sh\n[d](e.ts)\n```\n";
    expect(pathsIn(text, "docs/page.md").map(({ target }) => target)).toEqual(["x.ts", "libs/a/b.ts"]);
  });

  test("every file that a document names exists", async () => {
    const all = await documents();
    expect(all).toEqual(expect.arrayContaining(["README.md", "AGENTS.md", "docs/style.md", "docs/architecture.md"]));
    const dead: string[] = [];
    for (const document of all) {
      for (const { text, target } of pathsIn(await read(document), document)) {
        if (!existsSync(path.join(ROOT, target))) dead.push(`${document}: ${text}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("every decision has a number of its own, and the numbers have no gap", async () => {
    const names = (await readdir(path.join(ROOT, "docs/decisions"))).sort();
    expect(names.map((name) => Number(/^(?<number>\d{4})-[a-z0-9-]+\.md$/.exec(name)?.groups?.["number"]))).toEqual(
      names.map((_, index) => index),
    );
  });
});

describe("the glossary", () => {
  test("has a home for each of its words, which exports it", async () => {
    const glossary = await read("docs/glossary.md");
    const entries = entriesOf(glossary);
    expect(entries.length).toBe(glossary.split("\n").filter((line) => line.startsWith("| ")).length - 2);
    const homeless: string[] = [];
    for (const { words, home } of entries) {
      const names = existsSync(path.join(ROOT, home)) ? (await exportsOf(home)).map(letters) : [];
      for (const word of words) if (!names.some((name) => name.includes(letters(word)))) homeless.push(`${word}: ${home}`);
    }
    expect(homeless).toEqual([]);
  });

  test("has each word once", async () => {
    const words = entriesOf(await read("docs/glossary.md")).flatMap((entry) => entry.words);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });
});

test("AGENTS.md has at most 20 lines", async () => {
  expect((await read("AGENTS.md")).trimEnd().split("\n").length).toBeLessThanOrEqual(20);
});
