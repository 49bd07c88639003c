/** What the environment says about tests that need a NATS server. */
export interface NatsTestConfig {
  /** The program to use; set by the test command, or by hand. */
  readonly serverPath: string | undefined;
  /** Where else to look. */
  readonly pathVariable: string;
  /** What the test command has found out already: there is none. */
  readonly missing?: { readonly missing: string; readonly howTo: string };
  /** A missing server is a failure, not a skip. */
  readonly required: boolean;
}

export function natsTestConfig(env: NodeJS.ProcessEnv = process.env): NatsTestConfig {
  const named = env["NATS_SERVER"];
  const missing = env["KARST_NATS_MISSING"];
  return {
    serverPath: named === undefined || named === "" ? undefined : named,
    pathVariable: env["PATH"] ?? "",
    ...(missing === undefined ? {} : { missing: { missing, howTo: env["KARST_NATS_HOW_TO"] ?? "" } }),
    required: env["CI"] === "true" || env["REQUIRE_NATS"] === "1",
  };
}
