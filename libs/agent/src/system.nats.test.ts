import { describeWithNats, startNatsServer } from "@karst/cluster/testing";
import type { NatsServer } from "@karst/cluster/testing";
import { scriptedModel } from "@karst/model";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { createSystem } from "./system.ts";
import { js, watch } from "./testing/system-case.ts";
import { handle } from "./variable.ts";

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  methods: (method) => ({
    add: method({ input: z.string(), output: z.int() }, (self, title) => {
      self.emit("added", { title });
      return title.length;
    }),
  }),
  emits: { added: z.object({ title: z.string() }) },
});
const Boss = defineAgent({ name: "boss", version: 1, role: "orchestrator", model: "boss", variables: { shelf: handle(Shelf) } });
const classes = [Shelf, Boss];
const grantSecret = new Uint8Array(32).fill(5);

await describeWithNats("a system around NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await server.close();
  });

  test("runs agents in several processes: cells of the one call methods of the other, by a granted handle, and a third watches", async () => {
    const common = { classes, nats: server.url, grantSecret };
    const boss = scriptedModel([
      js('const length = await shelf.add("Caves"); const refused = await shelf.retrieve("x").catch((error) => error.code);'),
      "Done.",
    ]);
    await using shelves = await createSystem({ ...common, models: { default: scriptedModel([]) }, hosts: [Shelf] });
    await using bosses = await createSystem({ ...common, models: { boss }, hosts: [Boss] });
    await using user = await createSystem({ ...common, models: {} });
    expect(shelves).not.toBe(bosses);
    const events = await watch(user);
    const agent = user.agent(Boss, "1");
    await agent.inject("shelf", user.agent(Shelf, "1").only("add") as never); // granted less than the variable says
    expect(await agent.run("add one")).toMatchObject({ completed: true, content: "Done." });
    expect(await agent.retrieve("length")).toBe(5);
    expect(await agent.retrieve("refused")).toBe("Unauthorized");
    expect(await events.until(({ type }) => type === "event-emitted")).toMatchObject({
      agent: "default/shelf/1",
      name: "added",
      payload: { title: "Caves" },
    });
    const streamed: string[] = [];
    for await (const event of agent.stream("again")) streamed.push(event.type);
    expect(streamed.at(-1)).toBe("run-ended");
  });

  test("fails calls to a class that nothing hosts", async () => {
    await using user = await createSystem({ classes, nats: server.url, models: {} });
    await expect(user.agent(Shelf, "1").add("x")).rejects.toMatchObject({ code: "Unavailable" });
  });

  test("lets go of its connection when it cannot start, so that nothing is left behind", async () => {
    await expect(createSystem({ classes, nats: server.url, hosts: [Boss], models: {} })).rejects.toMatchObject({ code: "InvalidConfig" });
  });
});
