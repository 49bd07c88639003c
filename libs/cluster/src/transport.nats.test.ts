import { afterAll, beforeAll } from "vitest";
import { describeWithNats } from "./testing/describe-nats.ts";
import { createNatsFixture } from "./testing/nats-fixture.ts";
import { startNatsServer } from "./testing/nats-server.ts";
import type { NatsServer } from "./testing/nats-server.ts";
import { transportContract } from "./transport.contract.ts";
import { openNatsTransport } from "./transport.nats.ts";
import type { Transport } from "./transport.ts";

await describeWithNats("calls over NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });

  // eslint-disable-next-line @typescript-eslint/require-await -- other fixtures wait
  transportContract("NATS", async () => {
    const fixture = createNatsFixture(server);
    const nodes: Transport[] = [];
    return {
      async node(limits = {}) {
        const transport = await openNatsTransport({ connection: await fixture.connect(), clock: fixture.clock }, limits);
        nodes.push(transport);
        return transport;
      },
      leftovers: () => fixture.leftovers(),
      async [Symbol.asyncDispose]() {
        await Promise.all(nodes.map((node) => node.close()));
        await fixture[Symbol.asyncDispose]();
      },
    };
  });
});
