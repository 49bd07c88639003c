import { formatAddress, isKarstError, KarstError, parseAddress } from "@karst/events";
import type { AgentAddress, AgentRef, Clock, Ids, Log, Random } from "@karst/events";
import type { Caller, EventStream, IncomingCall, Transport } from "@karst/cluster";
import type { Model } from "@karst/model";
import { createRuntime } from "@karst/runtime";
import { Activation } from "./activation.ts";
import type { ActivationDeps } from "./activation.ts";
import { BadArgsError, ClosedError, describeError, InvalidConfigError, OverloadedError } from "./errors.ts";
import { ExportTable } from "./export-table.ts";
import { initialState } from "./field-draft.ts";
import type { GrantKey } from "./grant.ts";
import type { ErasedClass } from "./handle-type.ts";
import { createHandle } from "./handle.ts";
import type { Calls, HandleHolder } from "./handle.ts";
import { createWire } from "./wire.ts";
import type { Wire } from "./wire.ts";

export interface HostDeps {
  readonly transport: Transport;
  readonly events: EventStream;
  readonly calls: Calls;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  readonly grants: GrantKey;
}

export interface HostOptions {
  readonly tenant: string;
  /** Classes whose agents live here. */
  readonly hosted: readonly ErasedClass[];
  /** Classes known but hosted elsewhere; for describing their handles. */
  readonly known?: readonly ErasedClass[];
  readonly models: Readonly<Record<string, Model>>;
  /** Whether live objects may pass between the agents of this process. */
  readonly liveObjects: boolean;
  /** Agents in memory; one more is refused with `Overloaded`. Default 100,000. */
  readonly agents?: number;
}

export interface Host {
  readonly wire: Wire;
  /** Begins to answer calls and to offer the hosted classes. */
  start(): Promise<void>;
  /** What a handle made here calls as, outside any agent. */
  readonly operator: HandleHolder;
  /** Takes no new calls, waits for open turns up to `graceMs` (default 10,000), then ends all agents. */
  close(o?: { readonly graceMs?: number }): Promise<void>;
}

/** Creates an agent with fields of the caller's choice; not an identifier, so no method has this name. */
export const CREATE = "karst:create";

const MOST_AGENTS = 100_000;
const GRACE_MS = 10_000;

/** Many activations in one process: an agent comes to life with the first call to it. */
export function createHost(deps: HostDeps, options: HostOptions): Host {
  return new AgentHost(deps, options);
}

class AgentHost implements Host {
  readonly wire: Wire;
  readonly operator: HandleHolder;
  readonly #deps: HostDeps;
  readonly #activationDeps: ActivationDeps;
  readonly #options: HostOptions;
  readonly #hosted: ReadonlyMap<string, ErasedClass>;
  readonly #known: ReadonlyMap<string, ErasedClass>;
  readonly #agents = new Map<AgentAddress, Activation>();
  readonly #open = new Set<Promise<unknown>>();
  #closing = false;

  constructor(deps: HostDeps, options: HostOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#hosted = byName(options.hosted);
    this.#known = byName([...options.hosted, ...(options.known ?? [])]);
    for (const of of this.#hosted.values()) this.#model(of.name, of.definition.model);
    this.wire = createWire(
      (ref: AgentRef, holder) => createHandle(ref, holder),
      options.liveObjects ? new ExportTable(deps.transport.node) : undefined,
    );
    const caller: Caller = { kind: "operator" };
    this.operator = {
      caller,
      chain: () => [],
      parentRun: () => undefined,
      timeLeftMs: () => Infinity,
      signal: () => undefined,
      nextCall: () => deps.ids.call(),
      classOf: (name) => this.#known.get(name),
      failedRunThrows: false,
      calls: deps.calls,
      grants: deps.grants,
      wire: this.wire,
    };
    const { transport, ...ports } = deps;
    this.#activationDeps = {
      ...ports,
      node: transport.node,
      wire: this.wire,
      model: (name) => this.#model("the run", name),
      classOf: (name) => this.#known.get(name),
      createRuntime: (of) => createRuntime(of.definition.runtime),
      forget: (address) => {
        this.#agents.delete(address);
      },
    };
  }

  async start(): Promise<void> {
    const { transport } = this.#deps;
    const { tenant } = this.#options;
    await transport.serve(tenant, (call) => this.#track(this.#handle(call)));
    for (const name of this.#hosted.keys()) await transport.offer(tenant, name);
  }

  async close({ graceMs = GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closing = true;
    if (this.#open.size > 0) {
      this.#deps.log.info("waiting for open calls", { calls: this.#open.size, graceMs });
      await this.#openCallsEnd(graceMs);
    }
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
    this.#agents.clear();
  }

  #openCallsEnd(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(graceMs, resolve);
      void Promise.allSettled([...this.#open]).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#open.add(call);
    const forget = (): void => {
      this.#open.delete(call);
    };
    call.then(forget, forget);
    return call;
  }

  async #handle(call: IncomingCall): Promise<Uint8Array> {
    if (this.#closing) throw new ClosedError(`node ${this.#deps.transport.node}`);
    try {
      if (call.method === CREATE) return this.#create(call);
      return await (this.#agents.get(call.to) ?? this.#activate(call.to, {})).call(call);
    } catch (error) {
      // what class code throws crosses as it is; whatever is no error at all gets a code here
      throw error instanceof Error
        ? error
        : new KarstError("AppError", describeError(error).message, { cause: isKarstError(error) ? undefined : error });
    }
  }

  #create(call: IncomingCall): Uint8Array {
    if (call.from.kind !== "operator" && !call.from.roles.includes("orchestrator"))
      throw new KarstError("Unauthorized", `${call.from.address} may not create agents: that needs the role 'orchestrator'`);
    if (this.#agents.has(call.to)) throw new KarstError("NameTaken", `${call.to} exists already`);
    const { value: args } = this.wire.decode(call.body, this.operator);
    const fields: unknown = Array.isArray(args) ? args[0] : undefined;
    if (typeof fields !== "object" || fields === null) throw new BadArgsError(CREATE, ["fields is not an object"]);
    this.#activate(call.to, fields as Readonly<Record<string, unknown>>); // checked field by field on the way
    return this.wire.encode(undefined).bytes;
  }

  #activate(address: AgentAddress, fields: Readonly<Record<string, unknown>>): Activation {
    const { class: className, tenant } = parseAddress(address);
    const of = this.#hosted.get(className);
    if (of === undefined)
      throw new KarstError(
        "NotFound",
        `no class '${className}' is hosted here; there are ${[...this.#hosted.keys()].join(", ") || "none"}`,
      );
    if (tenant !== this.#options.tenant) throw new KarstError("NotFound", `tenant '${tenant}' is not served here`);
    const most = this.#options.agents ?? MOST_AGENTS;
    if (this.#agents.size >= most) throw new OverloadedError(`this node (${String(most)} agents in memory)`, this.#agents.size, 0);
    const agent = new Activation(this.#activationDeps, of, address, initialState(className, of.fields, fields));
    this.#agents.set(address, agent);
    return agent;
  }

  #model(place: string, name: string): Model {
    const { models } = this.#options;
    const model = Object.hasOwn(models, name) ? models[name] : undefined;
    if (model === undefined)
      throw new InvalidConfigError(`models.${name}`, `${place} asks for it; there are ${Object.keys(models).join(", ") || "none"}`);
    return model;
  }
}

function byName(classes: readonly ErasedClass[]): ReadonlyMap<string, ErasedClass> {
  const map = new Map<string, ErasedClass>();
  for (const of of classes) {
    const known = map.get(of.name);
    if (known !== undefined && known !== of) throw new InvalidConfigError(`classes.${of.name}`, "two classes have this name");
    map.set(of.name, of);
  }
  return map;
}

export function addressOf(tenant: string, className: string, id: string): AgentAddress {
  return formatAddress({ tenant, class: className, id });
}
