import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { UsageError } from "./errors.ts";

/** Settings of a command, from `.env` in the current directory and the environment, which wins. */
export interface Config {
  /** A real model: all three, or none. */
  readonly model: { readonly name: string; readonly baseURL: string; readonly apiKey: string | undefined } | undefined;
  readonly natsServer: string | undefined;
  /** For deciding on colours. */
  readonly terminal: { readonly NO_COLOR: string | undefined; readonly FORCE_COLOR: string | undefined; readonly TERM: string | undefined };
  /** What child processes inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @throws {UsageError} when a real model is only half named, or `.env` cannot be read. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, dotEnv: string | undefined): Config {
  const all: Readonly<Record<string, string | undefined>> = { ...(dotEnv === undefined ? {} : parseEnv(dotEnv)), ...environment };
  const set = (key: string): string | undefined => (all[key] === "" ? undefined : all[key]);
  const [name, baseURL, apiKey] = [set("KARST_MODEL"), set("KARST_MODEL_BASE_URL"), set("KARST_API_KEY")];
  if ((name === undefined) !== (baseURL === undefined))
    throw new UsageError(
      `${name === undefined ? "KARST_MODEL" : "KARST_MODEL_BASE_URL"} is not set: a real model needs KARST_MODEL and KARST_MODEL_BASE_URL (and KARST_API_KEY, if the provider wants a key)`,
    );
  if (baseURL !== undefined && !URL.canParse(baseURL)) throw new UsageError(`KARST_MODEL_BASE_URL is not a URL: ${baseURL}`);
  return {
    model: name === undefined || baseURL === undefined ? undefined : { name, baseURL, apiKey },
    natsServer: set("NATS_SERVER"),
    terminal: { NO_COLOR: all["NO_COLOR"], FORCE_COLOR: all["FORCE_COLOR"], TERM: all["TERM"] },
    environment: all,
  };
}

/** The settings of this process; the only place that reads its environment. */
export function processConfig(directory: string): Config {
  return readConfig(process.env, readDotEnv(join(directory, ".env")));
}

function readDotEnv(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
