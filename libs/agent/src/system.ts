import { createIds, silentLog, systemClock, systemRandom } from "@karst/events";
import type { Clock, EventFilter, Ids, KarstEvent, Log, Random } from "@karst/events";
import {
  connectNats,
  createMemoryEventStream,
  createMemoryNetwork,
  createNatsEventStream,
  createRemote,
  openNatsTransport,
} from "@karst/cluster";
import type { EventStream, Transport } from "@karst/cluster";
import type { Model } from "@karst/model";
import { defineAgent } from "./define-agent.ts";
import type { AgentDefinition } from "./define-agent.ts";
import { ClosedError } from "./errors.ts";
import type { Field, FieldTypes } from "./field.ts";
import { createGrantKey } from "./grant.ts";
import { createHandle } from "./handle.ts";
import type { Calls } from "./handle.ts";
import type { AgentClass, AnyClass, ErasedClass, Handle } from "./handle-type.ts";
import { addressOf, CREATE, createHost } from "./host.ts";
import type { Host } from "./host.ts";
import type { Method } from "./method.ts";
import type { Variable } from "./variable.ts";

export interface SystemOptions {
  readonly classes: readonly AnyClass[];
  /** By name; a class names the one it uses, `default` unless it says otherwise. */
  readonly models: Readonly<Record<string, Model>>;
  /** Default `default`. */
  readonly tenant?: string;
  /** Around a NATS server instead of inside this process: its URL. */
  readonly nats?: string;
  /** With `nats`: the classes whose agents live in this process. Default none: other processes host them. */
  readonly hosts?: readonly AnyClass[];
  /** With `nats`: the secret that proves grants, the same for all processes of the system; at least 16 bytes. */
  readonly grantSecret?: Uint8Array;
  /** With `nats`: called once when the connection is lost for good, as when the server refuses who we are. */
  readonly onLost?: (reason: string) => void;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A running system: agents are reached by handles, what happens by events. Durability: `memory`. */
export interface System extends AsyncDisposable {
  agent<C extends AnyClass>(of: C, id: string): Handle<C>;
  /** A new agent with fields of its own. @throws {KarstError} `NameTaken` when the id is in use. */
  create<C extends AnyClass>(of: C, o?: { readonly id?: string; readonly fields?: Partial<FieldTypes<C["fields"]>> }): Promise<Handle<C>>;
  /** Facts as they happen; resolves when what happens from now on will be seen. */
  events(filter?: Omit<EventFilter, "tenant"> & { readonly signal?: AbortSignal }): Promise<AsyncIterableIterator<KarstEvent>>;
  /** Waits for open calls (`graceMs`, default 10,000, at most), ends the agents hosted here, and lets go of everything. */
  close(o?: { readonly graceMs?: number }): Promise<void>;
}

interface Parts {
  readonly transport: Transport;
  readonly events: EventStream;
  readonly calls: Calls;
  readonly disconnect: () => Promise<void>;
}

/**
 * Starts a system: embedded in this process, or around a NATS server.
 *
 * @throws {InvalidConfigError} for a model that a class names and the table lacks, or two classes of one name.
 * @throws {KarstError} `Unavailable` when the NATS server cannot be reached.
 */
export async function createSystem(options: SystemOptions): Promise<System> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const ids = createIds(random);
  const log = options.log ?? silentLog;
  const tenant = options.tenant ?? "default";
  const parts =
    options.nats === undefined
      ? embeddedParts(clock, ids)
      : await natsParts(options.nats, clock, ids, log, options.onLost ?? (() => undefined));
  const classes = options.classes as readonly ErasedClass[]; // AnyClass with its types let go
  const hosted = (options.nats === undefined ? options.classes : (options.hosts ?? [])) as readonly ErasedClass[]; // the same
  let host: Host;
  try {
    host = createHost(
      { ...parts, clock, random, ids, log, grants: createGrantKey(options.grantSecret) },
      {
        tenant,
        hosted,
        known: classes.filter((of) => !hosted.includes(of)),
        models: options.models,
        liveObjects: options.nats === undefined,
      },
    );
    await host.start();
  } catch (error) {
    await parts.disconnect();
    throw error;
  }
  return new RunningSystem(host, parts, tenant, ids);
}

function embeddedParts(clock: Clock, ids: Ids): Parts {
  const network = createMemoryNetwork({ clock, ids });
  const transport = network.transport();
  const events = createMemoryEventStream();
  return {
    transport,
    events,
    calls: { call: (call, o) => transport.call(transport.node, call, o) },
    disconnect: async () => {
      await network.close();
      await events.close();
    },
  };
}

async function natsParts(url: string, clock: Clock, ids: Ids, log: Log, onLost: (reason: string) => void): Promise<Parts> {
  const connection = await connectNats({ url, clock, log });
  const forget = connection.on((event) => {
    if (event.type === "closed") onLost("the NATS connection is closed for good");
  });
  try {
    const transport = await openNatsTransport({ connection, clock, ids, log });
    const events = createNatsEventStream({ connection, clock, log });
    return {
      transport,
      events,
      calls: createRemote({ transport, clock, log }),
      disconnect: async () => {
        forget();
        await transport.close();
        await events.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class RunningSystem implements System {
  readonly #host: Host;
  readonly #parts: Parts;
  readonly #tenant: string;
  readonly #ids: Ids;
  #closing: Promise<void> | undefined;

  constructor(host: Host, parts: Parts, tenant: string, ids: Ids) {
    this.#host = host;
    this.#parts = parts;
    this.#tenant = tenant;
    this.#ids = ids;
  }

  agent<C extends AnyClass>(of: C, id: string): Handle<C> {
    if (this.#closing !== undefined) throw new ClosedError("the system");
    return createHandle({ ref: "agent", address: addressOf(this.#tenant, of.name, id) }, this.#host.operator) as Handle<C>; // the proxy answers to the class's names
  }

  async create<C extends AnyClass>(
    of: C,
    o: { readonly id?: string; readonly fields?: Partial<FieldTypes<C["fields"]>> } = {},
  ): Promise<Handle<C>> {
    const handle = this.agent(of, o.id ?? this.#ids.run().slice("run_".length));
    await (handle as unknown as Record<string, (fields: unknown) => Promise<void>>)[CREATE]?.(o.fields ?? {}); // any name is a method of a handle
    return handle;
  }

  events({ signal, ...filter }: Omit<EventFilter, "tenant"> & { readonly signal?: AbortSignal } = {}): Promise<
    AsyncIterableIterator<KarstEvent>
  > {
    return this.#parts.events.subscribe({ ...filter, tenant: this.#tenant }, signal === undefined ? {} : { signal });
  }

  close(o: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closing ??= (async () => {
      try {
        await this.#host.close(o);
        await this.#parts.events.flush();
      } finally {
        await this.#parts.disconnect(); // also when the server is gone
      }
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/* eslint-disable @typescript-eslint/no-explicit-any -- upper bounds that let the parts' own types infer */
/* eslint-disable @typescript-eslint/no-generated-empty-object-type -- the class has no such parts */
/** A class without a name, and the model itself. */
export type LoneDefinition<
  F extends Record<string, Field<any>>,
  V extends Record<string, Variable<any>>,
  M extends Record<string, Method<any, any, any, any>>,
> = Omit<AgentDefinition<"agent", F, V, M>, "name" | "version" | "model"> & { readonly model: Model };

/** One agent in a system of its own; disposing it ends the system. */
export async function createAgent<
  F extends Record<string, Field<any>> = Record<never, never>,
  V extends Record<string, Variable<any>> = Record<never, never>,
  M extends Record<string, Method<any, any, any, any>> = Record<never, never>,
>(definition: LoneDefinition<F, V, M>): Promise<Handle<AgentClass<"agent", F, V, M>> & AsyncDisposable> {
  const { model, ...rest } = definition;
  const Lone = defineAgent<"agent", F, V, M>({ ...rest, name: "agent", version: 1 });
  const system = await createSystem({ classes: [Lone], models: { default: model } });
  const handle = system.agent(Lone, "main");
  return disposable(handle, () => system.close()) as Handle<AgentClass<"agent", F, V, M>> & AsyncDisposable; // the same handle, with an end
}

function disposable(handle: object, close: () => Promise<void>): object {
  return new Proxy(handle, { get: (target, key) => (key === Symbol.asyncDispose ? close : (Reflect.get(target, key) as unknown)) });
}
