import { fileURLToPath } from "node:url";
import { createSystem } from "@karst/agent";
import { describeWithNats, startNatsServer } from "@karst/cluster/testing";
import { connect, StringCodec } from "nats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Greeter } from "./greeter.classes.ts";
import { startService } from "./service-process.ts";

const SECRET = "a secret of at least 16 bytes";
const CLASSES = fileURLToPath(new URL("./greeter.classes.ts", import.meta.url));

describe("a service with bad settings", () => {
  test("ends with code 2 and names the keys", async () => {
    await using service = startService("agent-node", { KARST_NATS: "nats://127.0.0.1:1" });
    const { code, output } = await service.finished;
    expect(code).toBe(2);
    expect(output).toContain("KARST_CLASSES: it is not set");
    expect(output).toContain("KARST_GRANT_SECRET: it is not set");
    expect(output).not.toMatch(/^\s+at /m);
  });

  test("ends with code 2 and names a module that cannot be loaded", async () => {
    await using service = startService("agent-node", {
      KARST_NATS: "nats://127.0.0.1:1",
      KARST_CLASSES: "./none.ts",
      KARST_GRANT_SECRET: SECRET,
    });
    const { code, output } = await service.finished;
    expect(code).toBe(2);
    expect(output).toContain("./none.ts");
  });

  test("ends with code 3 and names the server that cannot be reached", async () => {
    await using service = startService("orchestrator", {
      KARST_NATS: "nats://127.0.0.1:1",
      KARST_CLASSES: CLASSES,
      KARST_GRANT_SECRET: SECRET,
    });
    const { code, output } = await service.finished;
    expect(code).toBe(3);
    expect(output).toContain("127.0.0.1:1");
  });
});

await describeWithNats("services around NATS", () => {
  let nats: Awaited<ReturnType<typeof startNatsServer>>;
  beforeAll(async () => {
    nats = await startNatsServer();
  });
  afterAll(async () => {
    await nats[Symbol.asyncDispose]();
  });
  const settings = (): Record<string, string> => ({
    KARST_NATS: nats.url,
    KARST_CLASSES: CLASSES,
    KARST_GRANT_SECRET: SECRET,
    KARST_HEALTH_PORT: "0",
  });
  const client = (): ReturnType<typeof createSystem> =>
    createSystem({ classes: [Greeter], models: {}, nats: nats.url, grantSecret: new TextEncoder().encode(SECRET) });

  test("a worker class answers calls from another process, and any NATS client sees its events as JSON", async () => {
    await using node = startService("agent-node", settings());
    await node.logged("ready");
    const plain = await connect({ servers: nats.url });
    const subscription = plain.subscribe("karst.e.default.greeter.*.greeted", { max: 1 });
    await plain.flush();
    await using system = await client();
    const greeter = system.agent(Greeter, "one.two");
    expect(await greeter.greet({ name: "Ada" })).toBe("Hello, Ada");
    expect(await greeter.state("greeted")).toEqual({ greeted: 1 });
    for await (const message of subscription) {
      expect(message.subject).toBe("karst.e.default.greeter.one=2Etwo.greeted");
      expect(JSON.parse(StringCodec().decode(message.data))).toMatchObject({
        agent: "default/greeter/one.two",
        type: "event-emitted",
        name: "greeted",
        payload: { name: "Ada" },
      });
    }
    await plain.close();
  });

  test("a second process that would answer for the same class is refused", async () => {
    await using node = startService("agent-node", settings());
    await node.logged("ready");
    await using second = startService("agent-node", settings());
    const { code, output } = await second.finished;
    expect(code).toBe(2);
    expect(output).toContain("greeter");
  });

  test("SIGTERM lets an open call end, then the process ends with code 0", async () => {
    await using node = startService("agent-node", settings());
    await node.logged("ready");
    await using system = await client();
    const events = await system.events({ type: "call-started" });
    const call = system.agent(Greeter, "slow").slow({ ms: 500 });
    await events.next(); // the call is being carried out
    node.signal("SIGTERM");
    expect(await call).toBe("done");
    const { code, output } = await node.finished;
    expect(code).toBe(0);
    expect(output).toContain('"msg":"closed"');
  });

  test("a call to a class that nobody hosts says so", async () => {
    await using system = await client();
    await expect(system.agent(Greeter, "none").greet({ name: "x" })).rejects.toMatchObject({ code: "Unavailable" });
  });

  test("health answers while it is ready", async () => {
    await using node = startService("agent-node", settings());
    const { healthPort } = await node.logged("ready");
    expect(typeof healthPort).toBe("number");
    const answer = await fetch(`http://127.0.0.1:${String(healthPort)}/readyz`);
    expect(answer.status).toBe(200);
  });
});
