/** What the environment says about tests that need a NATS server. */
export interface NatsTestConfig {
  /** The program to use; set by the test command, or by hand. */
  readonly serverPath: string | undefined;
  /** Where else to look. */
  readonly pathVariable: string;
  /** A missing server is a failure, not a skip. */
  readonly required: boolean;
}

export function natsTestConfig(env: NodeJS.ProcessEnv = process.env): NatsTestConfig {
  const named = env["NATS_SERVER"];
  return {
    serverPath: named === undefined || named === "" ? undefined : named,
    pathVariable: env["PATH"] ?? "",
    required: env["CI"] === "true" || env["REQUIRE_NATS"] === "1",
  };
}
