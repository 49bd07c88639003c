import { createSystem, loadClasses } from "@karst/agent";
import type { System } from "@karst/agent";
import { openHealthServer } from "@karst/cluster";
import type { Log } from "@karst/events";
import { openaiCompatible, withRetry } from "@karst/model";
import type { Config } from "./config.ts";

export interface OrchestratorDeps {
  readonly log: Log;
  /** Called once when the NATS connection is lost for good. */
  readonly onLost: (reason: string) => void;
}

export interface Orchestrator extends AsyncDisposable {
  /** Names of the classes whose agents live here. */
  readonly hosted: readonly string[];
  readonly system: System;
  /** Where health answers, or undefined. */
  readonly healthPort: number | undefined;
  /** Takes no new calls, waits for open ones, lets go of everything. */
  close(): Promise<void>;
}

/**
 * Starts a process that hosts the agents of orchestrator classes.
 *
 * @throws {KarstError} `InvalidConfig` for modules without a class of that role, `Unavailable` when NATS cannot be reached.
 */
export async function createOrchestrator(config: Config, { log, onLost }: OrchestratorDeps): Promise<Orchestrator> {
  const { classes, models } = await loadClasses(
    config.KARST_CLASSES.split(",").map((module) => module.trim()),
    process.cwd(),
  );
  const hosts = classes.filter((of) => of.definition.role === "orchestrator");
  let ready = false;
  const health =
    config.KARST_HEALTH_PORT === undefined
      ? undefined
      : await openHealthServer(
          { ready: () => (ready ? undefined : "not connected, or closing") },
          { port: config.KARST_HEALTH_PORT, host: config.KARST_HEALTH_HOST },
        );
  try {
    const system = await createSystem({
      classes,
      hosts,
      models: { ...models, ...realModel(config) },
      nats: config.KARST_NATS,
      tenant: config.KARST_TENANT,
      grantSecret: new TextEncoder().encode(config.KARST_GRANT_SECRET),
      log,
      onLost: (reason) => {
        ready = false;
        onLost(reason);
      },
    });
    ready = true;
    const hosted = hosts.map((of) => of.name);
    log.info("ready", { hosted, tenant: config.KARST_TENANT, healthPort: health?.port });
    const close = async (): Promise<void> => {
      ready = false;
      await system.close({ graceMs: config.KARST_GRACE_MS });
      await health?.close();
      log.info("closed");
    };
    return { hosted, system, healthPort: health?.port, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await health?.close();
    throw error;
  }
}

function realModel(config: Config): Parameters<typeof createSystem>[0]["models"] {
  const { KARST_MODEL: model, KARST_MODEL_BASE_URL: baseURL, KARST_API_KEY: apiKey } = config;
  if (model === undefined || baseURL === undefined) return {};
  return { default: withRetry(openaiCompatible({ model, baseURL, ...(apiKey === undefined ? {} : { apiKey }) })) };
}
