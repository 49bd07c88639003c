import { MissingToolError } from "../errors.ts";
import * as server from "../nats-server.ts";
import { natsTestConfig } from "./config.ts";

export type { NatsServer } from "../nats-server.ts";

/** The server that tests use: what the test command found, else what `findNatsServer` finds. */
export async function findTestServer(config = natsTestConfig()): Promise<server.NatsProgram> {
  return config.missing ?? server.findNatsServer(config);
}

/** Starts a real server for a test. @throws {MissingToolError} when there is none on this machine. */
export async function startNatsServer(
  o: { readonly args?: readonly string[]; readonly program?: string } = {},
): Promise<server.NatsServer> {
  const found = o.program === undefined ? await findTestServer() : { path: o.program };
  if ("missing" in found) throw new MissingToolError(found.missing, found.howTo);
  return server.startNatsServer({ ...o, program: found.path });
}
