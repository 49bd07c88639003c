import { ModuleRefusedError } from "./errors.ts";

export interface ModuleOptions {
  /**
   * What cells may import: the specifier they write, and either what it stands for in the host's `import()`, or the module itself.
   * `{ "node:path": "node:path", lodash: await import("lodash") }`. A name given as a text is resolved from this library.
   */
  readonly modules?: Readonly<Record<string, string | object>>;
  /** Asked for what is not in `modules`; returns the module, or undefined to refuse it. */
  readonly imports?: (specifier: string) => Promise<object | undefined> | object | undefined;
}

/** `import` of cells. @throws {ModuleRefusedError} listing what there is, at the import in the cell. */
export function createImporter({ modules = {}, imports }: ModuleOptions): (specifier: string) => Promise<unknown> {
  return async (specifier) => {
    const key = [specifier, `node:${specifier}`, specifier.replace(/^node:/, "")].find((each) => Object.hasOwn(modules, each));
    // No await before a refusal without hook: the error's stack then shows the import in the cell.
    const known = key !== undefined ? modules[key] : imports === undefined ? undefined : await imports(specifier);
    if (known === undefined) throw new ModuleRefusedError(specifier, Object.keys(modules));
    return typeof known === "string" ? ((await import(known)) as unknown) : known;
  };
}
