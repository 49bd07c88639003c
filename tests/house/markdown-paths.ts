import path from "node:path";

/** A link, or a name of a file in code, and where it leads from the root. */
export interface NamedPath {
  readonly text: string;
  readonly target: string;
}

const LINK = /\]\((?<link>[^)\s]+)\)/g;
const CODE = /`(?<code>[^`\n]+)`/g;
/** What stands in code and looks like a path from the root; one with a placeholder or a pattern is none. */
const PATH_IN_CODE = /^(?:libs|services|tests|examples|docs|scripts|bench|api)\/[\w./-]+$/;

/** The files of the project that a Markdown text names; `file` is its own path from the root. Links elsewhere, and text in fences, are left out. */
export function pathsIn(markdown: string, file: string): readonly NamedPath[] {
  const prose = markdown.replaceAll(/^```.*?^```$/gms, "");
  const links = [...prose.matchAll(LINK)].flatMap(({ groups }) => {
    const link = groups?.["link"] ?? "";
    const target = link.replace(/#.*$/, "");
    return /^[a-z]+:/.test(link) || target === "" ? [] : [{ text: link, target: path.posix.join(path.posix.dirname(file), target) }];
  });
  const inCode = [...prose.matchAll(CODE)].flatMap(({ groups }) => {
    const code = groups?.["code"] ?? "";
    return PATH_IN_CODE.test(code) ? [{ text: code, target: path.posix.normalize(code) }] : [];
  });
  return [...links, ...inCode];
}
