import { pathToFileURL } from "node:url";
import { isAbsolute, resolve } from "node:path";
import type { Model } from "@karst/model";
import { InvalidConfigError } from "./errors.ts";
import type { AnyClass } from "./handle-type.ts";

/** What class modules export: any number of classes, under any name, and the models they want, if any. */
export interface LoadedClasses {
  readonly classes: readonly AnyClass[];
  readonly models: Readonly<Record<string, Model>>;
}

/**
 * Loads agent classes from modules: paths (from `directory`), `file:` URLs or package names. A module may be TypeScript when the process
 * runs with a loader for it (`node --import tsx`). An export `models` adds to the model table.
 *
 * @throws {InvalidConfigError} naming the module: it cannot be loaded, exports no class, or defines a class that another one defines.
 */
export async function loadClasses(modules: readonly string[], directory: string): Promise<LoadedClasses> {
  const classes = new Map<string, AnyClass>();
  const models: Record<string, Model> = {};
  for (const module of modules) {
    const exported = await load(module, directory);
    let found = 0;
    for (const value of Object.values(exported)) {
      if (!isAgentClass(value)) continue;
      found += 1;
      const known = classes.get(value.name);
      if (known !== undefined && known !== value)
        throw new InvalidConfigError(module, `it defines the class '${value.name}' a second time`);
      classes.set(value.name, value);
    }
    if (found === 0) throw new InvalidConfigError(module, "it exports no agent class (see defineAgent)");
    if (isModels(exported["models"])) Object.assign(models, exported["models"]);
  }
  return { classes: [...classes.values()], models };
}

async function load(module: string, directory: string): Promise<Record<string, unknown>> {
  const isPath = module.startsWith(".") || isAbsolute(module);
  const specifier = isPath ? pathToFileURL(resolve(directory, module)).href : module;
  try {
    return (await import(specifier)) as Record<string, unknown>; // a module's namespace
  } catch (error) {
    throw new InvalidConfigError(module, `it cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

function isAgentClass(value: unknown): value is AnyClass {
  return typeof value === "object" && value !== null && "definition" in value && "methods" in value && "fields" in value && "name" in value;
}

function isModels(value: unknown): value is Readonly<Record<string, Model>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((model) => typeof model === "object" && model !== null && "stream" in model)
  );
}
