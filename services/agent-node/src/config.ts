import { z } from "zod";
import { InvalidConfigError } from "@karst/agent";

const port = z.coerce.number().int().min(0).max(65_535);

/** Settings of this process, by environment key. */
const settings = z.object({
  /** URL of the NATS server. */
  KARST_NATS: z.string().regex(/^(nats|tls):\/\//, "not a nats:// or tls:// URL"),
  /** Modules with agent classes: paths or package names, with commas between. */
  KARST_CLASSES: z.string().min(1),
  KARST_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "not 1 to 64 characters out of A-Za-z0-9_-")
    .default("default"),
  /** The secret that proves grants, the same on every process of the system. */
  KARST_GRANT_SECRET: z.string().min(16),
  /** Health over HTTP; 0 takes any free port, absent: none. */
  KARST_HEALTH_PORT: port.optional(),
  /** Address that health listens on; 0.0.0.0 in a pod. */
  KARST_HEALTH_HOST: z.string().default("127.0.0.1"),
  KARST_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  /** How long open calls may take to end after SIGTERM, ms. */
  KARST_GRACE_MS: z.coerce.number().int().nonnegative().default(10_000),
  /** A real model in place of the modules' own: name, base URL of an OpenAI-compatible API, key. */
  KARST_MODEL: z.string().optional(),
  KARST_MODEL_BASE_URL: z.url().optional(),
  KARST_API_KEY: z.string().optional(),
});

export type Config = z.infer<typeof settings>;

/** The keys this process reads; manifests name the same. */
export const CONFIG_KEYS: readonly string[] = Object.keys(settings.shape);

/** @throws {InvalidConfigError} naming each key that is missing or wrong; values are not shown, as some are secret. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(
    CONFIG_KEYS.flatMap((key) => (environment[key] === undefined || environment[key] === "" ? [] : [[key, environment[key]]])),
  );
  const parsed = settings.safeParse(present);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) =>
      `${issue.path.join(".")}: ${issue.code === "invalid_type" && present[String(issue.path[0])] === undefined ? "it is not set" : issue.message}`,
  );
  throw new InvalidConfigError("environment", problems.join("; "));
}

/** This process's environment; the only place that reads it. */
export function environmentConfig(): Config {
  return readConfig(process.env);
}
