import { describe, expect, test } from "vitest";
import { natsTestConfig } from "./config.ts";
import { findTestServer } from "./nats-server.ts";

/**
 * A group of tests that need a NATS server. Without one they are skipped, loudly and counted one by one; where a server is required (`CI=true` or
 * `REQUIRE_NATS=1`) its absence is a failure that says how to get one.
 */
export async function describeWithNats(name: string, body: () => void): Promise<void> {
  const config = natsTestConfig();
  const found = await findTestServer(config);
  if (!("missing" in found)) {
    describe(name, body);
    return;
  }
  const banner = `\n!!! SKIPPED, no NATS server: ${name}\n!!! ${found.missing}\n!!! to run them: ${found.howTo}\n`;
  if (!config.required) {
    process.stderr.write(banner);
    describe.skip(name, body);
    return;
  }
  describe(name, () => {
    test("a NATS server is there, as CI requires", () => {
      expect.fail(`${found.missing}; try: ${found.howTo}`);
    });
  });
}
