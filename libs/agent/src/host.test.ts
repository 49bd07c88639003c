import { createMemoryEventStream, createMemoryNetwork, createRemote } from "@karst/cluster";
import type { Call } from "@karst/cluster";
import { createIds, createRecordingLog, formatAddress, silentLog, systemClock, systemRandom } from "@karst/events";
import type { AgentAddress } from "@karst/events";
import { scriptedModel } from "@karst/model";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { createGrantKey } from "./grant.ts";
import { createHandle } from "./handle.ts";
import type { ErasedClass, Handle } from "./handle-type.ts";
import { createHost } from "./host.ts";
import type { Host, HostOptions } from "./host.ts";
import { js } from "./testing/system-case.ts";

const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  methods: (method) => ({
    add: method({ input: z.string(), output: z.string(), description: "Adds a book." }, (_self, title) => title),
    lend: method({ output: z.any() }, (self): unknown => self.agent(Shelf, "other")),
    live: method({ output: z.any() }, () => () => 1),
  }),
});
const Boss = defineAgent({ name: "boss", version: 1, role: "orchestrator" });
const erased = (of: unknown): ErasedClass => of as ErasedClass; // its parts without their types

/** Nodes on one network, as processes of one system are. */
function network() {
  const ids = createIds();
  const nodes = createMemoryNetwork({ ids });
  const secret = new Uint8Array(32).fill(3);
  const hosts: Host[] = [];
  return {
    async host(options: Partial<HostOptions>, key = createGrantKey(secret)): Promise<Host> {
      const transport = nodes.transport();
      const deps = {
        transport,
        events: createMemoryEventStream(),
        clock: systemClock,
        random: systemRandom,
        ids,
        log: createRecordingLog(),
        grants: key,
      };
      const remote = createRemote({ transport, log: silentLog }, { locateMs: 20 });
      const host = createHost(
        { ...deps, calls: remote },
        { tenant: "acme", hosted: [], models: { default: scriptedModel([]) }, liveObjects: false, ...options },
      );
      await host.start();
      hosts.push(host);
      return host;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((host) => host.close({ graceMs: 0 })));
      await nodes.close();
    },
  };
}
const address = (className: string, id = "1", tenant = "acme"): AgentAddress => formatAddress({ tenant, class: className, id });
const handleOf = <C>(host: Host, _of: C, className: string, id = "1"): Handle<C> =>
  createHandle({ ref: "agent", address: address(className, id) }, host.operator) as Handle<C>; // it answers to any name

describe("hosts of one system, each in its process", () => {
  test("call each other's agents, and pass handles on, attenuated ones too", async () => {
    await using net = network();
    await net.host({ hosted: [erased(Shelf)] });
    const model = scriptedModel([
      js('const title = await shelf.add("Caves"); const refused = await shelf.lend().catch((error) => error.code);'),
      "Done.",
    ]);
    const bossHost = await net.host({ hosted: [erased(Boss)], known: [erased(Shelf)], models: { default: model } });
    const [boss, shelf] = [handleOf(bossHost, Boss, "boss"), handleOf(bossHost, Shelf, "shelf")];
    await boss.inject("shelf" as string, shelf.only("add"));
    await boss.run("add one");
    expect(await boss.retrieve("title")).toBe("Caves");
    expect(await boss.retrieve("refused")).toBe("Unauthorized");
    expect(await ((await shelf.lend()) as Handle<typeof Shelf>).add("More")).toBe("More");
  });

  test("show handles of classes that they do not know as the agent itself describes them", async () => {
    await using net = network();
    await net.host({ hosted: [erased(Shelf)] });
    const model = scriptedModel(["seen"]);
    const bossHost = await net.host({ hosted: [erased(Boss)], models: { default: model } });
    const [boss, shelf] = [handleOf(bossHost, Boss, "boss"), handleOf(bossHost, Shelf, "shelf")];
    await boss.inject("shelf" as string, shelf);
    await boss.inject("part" as string, shelf.only("add"));
    await boss.run("look");
    const prompt = model.requests[0]?.messages[0]?.content ?? "";
    expect(prompt).toMatch(/const shelf: \{ .*Adds a book\. .*add\(input: string\).*retrieve\(/);
    expect(prompt).toMatch(/const part: \{ .*add\(input: string\): Promise<string>; only\(/);
  });

  test("do not pass live objects: they are refused with their path, either way", async () => {
    await using net = network();
    await net.host({ hosted: [erased(Shelf)] });
    const other = await net.host({});
    const shelf = handleOf(other, Shelf, "shelf");
    await expect(shelf.live()).rejects.toMatchObject({ code: "NotSerialisable" });
    await expect(shelf.inject("f" as string, { deep: () => 1 })).rejects.toMatchObject({
      code: "NotSerialisable",
      data: { path: "[1].deep" },
    });
  });

  test("of another secret do not believe each other's grants", async () => {
    await using net = network();
    await net.host({ hosted: [erased(Shelf)] });
    const stranger = await net.host({}, createGrantKey(new Uint8Array(32).fill(9)));
    await expect(handleOf(stranger, Shelf, "shelf").only("add").add("x")).rejects.toMatchObject({ code: "Unauthorized" });
  });

  test("answer nothing for what they do not host", async () => {
    await using net = network();
    await net.host({ hosted: [erased(Shelf)] });
    const other = await net.host({});
    const lost = createHandle({ ref: "agent", address: address("boss") }, other.operator) as Handle<typeof Boss>; // nobody hosts it
    await expect(lost.run("a")).rejects.toMatchObject({ code: "Unavailable" });
  });
});

/** A host that nobody else can reach. */
function loneHost(options: Partial<HostOptions> = {}) {
  const ids = createIds();
  const nodes = createMemoryNetwork({ ids });
  const transport = nodes.transport();
  const calls = { call: () => Promise.reject(new TypeError("nobody is called here")) };
  const ports = {
    events: createMemoryEventStream(),
    clock: systemClock,
    random: systemRandom,
    ids,
    log: silentLog,
    grants: createGrantKey(),
  };
  const host = createHost(
    { transport, calls, ...ports },
    { tenant: "acme", hosted: [erased(Shelf)], models: { default: scriptedModel([]) }, liveObjects: false, ...options },
  );
  return { host, transport, ids, [Symbol.asyncDispose]: () => nodes.close() };
}

describe("a host by itself", () => {
  const body = (value: unknown): Uint8Array => loneHost().host.wire.encode(value).bytes;

  /** Makes a call as a faulty or foreign process could send it. */
  async function send(change: Partial<Call>): Promise<unknown> {
    await using lone = loneHost();
    const { host, transport, ids } = lone;
    await host.start();
    const call: Call = {
      id: ids.call(),
      to: address("shelf"),
      method: "add",
      from: { kind: "operator" },
      chain: [],
      idempotencyKey: "k",
      body: body(["x"]),
      ...change,
    };
    try {
      return host.wire.decode(await transport.call(transport.node, call, { timeoutMs: 5_000 }), host.operator).value;
    } finally {
      await host.close();
    }
  }

  test("answers a call, and describes itself with all names when asked for none", async () => {
    expect(await send({})).toBe("x");
    expect(await send({ method: "karst:describe", body: body([7]) })).toContain("add(input: string)");
  });

  test.each<[string, () => Partial<Call>, string]>([
    ["arguments that are no list", () => ({ body: body({ 0: "x" }) }), "Malformed"],
    ["arguments that are no message of ours", () => ({ body: new Uint8Array([0xc1, 1, 2]) }), "Malformed"],
    [
      "a caller of another tenant",
      () => ({ from: { kind: "agent", address: address("boss", "1", "evil"), roles: ["orchestrator"] } }),
      "Unauthorized",
    ],
    ["a class that is not hosted", () => ({ to: address("boss") }), "NotFound"],
    ["a grant that does not hold", () => ({ grant: { only: ["add"], proof: "x.y" } }), "Unauthorized"],
    ["a new agent whose fields are none", () => ({ method: "karst:create", body: body([7]) }), "BadArgs"],
    ["a new agent without fields", () => ({ method: "karst:create", body: body({}) }), "BadArgs"],
  ])("refuses %s", async (_name, change, code) => {
    await expect(send(change())).rejects.toMatchObject({ code });
  });

  test("refuses by a grant all names but those that it grants", async () => {
    await using lone = loneHost();
    const { host, transport, ids } = lone;
    await host.start();
    const proof = host.operator.grants.sign(address("shelf"), ["lend"], "operator");
    const call = {
      id: ids.call(),
      to: address("shelf"),
      method: "add",
      from: host.operator.caller,
      chain: [],
      idempotencyKey: "k",
      body: body(["x"]),
    };
    const sent = transport.call(transport.node, { ...call, grant: { only: ["lend"], proof } }, { timeoutMs: 5_000 });
    await expect(sent).rejects.toMatchObject({ code: "Unauthorized", message: expect.stringContaining("grants only lend") as unknown });
    await host.close();
  });

  test("holds no more agents in memory than it may", async () => {
    await using net = network();
    const host = await net.host({ hosted: [erased(Shelf)], agents: 2 });
    const shelfOf = (id: string): Handle<typeof Shelf> => handleOf(host, Shelf, "shelf", id);
    await shelfOf("1").add("x");
    await shelfOf("2").add("x");
    await expect(shelfOf("3").add("x")).rejects.toMatchObject({ code: "Overloaded", retryable: true });
    await shelfOf("1").destroy();
    expect(await shelfOf("3").add("x")).toBe("x");
  });

  test("is not made with a class whose model it lacks, nor with two classes of one name", () => {
    const refused = (place: string): Error =>
      expect.objectContaining({ code: "InvalidConfig", data: expect.objectContaining({ place }) as unknown }) as Error;
    expect(() => loneHost({ models: {} })).toThrow(refused("models.default"));
    const Twin = defineAgent({ name: "shelf", version: 1 });
    expect(() => loneHost({ known: [erased(Twin)] })).toThrow(refused("classes.shelf"));
  });
});
