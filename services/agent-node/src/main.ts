import { createPinoLog } from "@karst/cluster";
import { createAgentNode } from "./agent-node.ts";
import { environmentConfig } from "./config.ts";

/** Wires the process: environment, log, signals. Exit codes: 0 after SIGTERM or SIGINT, 1 when NATS is lost for good, 2 for bad settings, 3 when it cannot start. */
async function main(): Promise<void> {
  const config = environmentConfig();
  const log = createPinoLog({ level: config.KARST_LOG_LEVEL, fields: { service: "agent-node", pid: process.pid } });
  const agentNode = await createAgentNode(config, {
    log,
    onLost: (reason) => {
      log.error("the NATS connection is lost for good", { reason });
      process.exitCode = 1;
      void agentNode.close().finally(() => process.exit());
    },
  });
  const stop = (signal: NodeJS.Signals): void => {
    log.info("stopping", { signal });
    agentNode.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("closing failed", { error });
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

main().catch((error: unknown) => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(code === "InvalidConfig" || code === "InvalidDefinition" ? 2 : 3);
});
