import { createActor } from "xstate";
import type { Actor } from "xstate";
import { parseAddress } from "@karst/events";
import type { AgentAddress, Clock, Ids, KarstEvent, Log, NewEvent, NodeId, Random } from "@karst/events";
import type { EventStream, IncomingCall } from "@karst/cluster";
import type { Model } from "@karst/model";
import type { Runtime } from "@karst/runtime";
import { agentMachine } from "./agent.machine.ts";
import type { AgentEvent } from "./agent.machine.ts";
import { AgentBody } from "./agent-body.ts";
import type { BodyOwner } from "./agent-body.ts";
import { Answers } from "./answers.ts";
import { CancelledError, ClosedError, DeadlockError, describeError, UnauthorizedError } from "./errors.ts";
import { endpointOf } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { FieldDraft } from "./field-draft.ts";
import type { FieldState } from "./field-draft.ts";
import { giverFrom, nameOf, refusal } from "./grant.ts";
import type { GrantKey } from "./grant.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { Calls } from "./handle.ts";
import { inspectStates } from "./inspect.ts";
import { Mailbox } from "./mailbox.ts";
import { Outbox } from "./outbox.ts";
import { Turn } from "./turn.ts";
import type { Wire } from "./wire.ts";

export interface ActivationDeps {
  readonly node: NodeId;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  readonly events: EventStream;
  readonly calls: Calls;
  readonly grants: GrantKey;
  readonly wire: Wire;
  /** The model of this name. @throws {InvalidConfigError} when there is none. */
  model(name: string): Model;
  /** A class this host knows, for describing its handles. */
  classOf(name: string): ErasedClass | undefined;
  createRuntime(of: ErasedClass): Runtime;
  /** Forgets an agent that was destroyed. */
  forget(address: AgentAddress): void;
}

/** How long `close` lets an open turn come to its end once it is cancelled. */
const CLOSE_MS = 2_000;

/**
 * An agent's life in memory: its actor, its fields, its mailbox; the runtime comes with the first need.
 *
 * V1. Turns are served one at a time, in the order accepted; queries and control go beside them.
 * V2. A turn's fields, events and reply leave together, after its commit; a turn that throws leaves its fields as they were.
 * V3. Durability is `memory`: state ends with the process.
 */
export class Activation implements BodyOwner {
  readonly address: AgentAddress;
  readonly #deps: ActivationDeps;
  readonly #class: ErasedClass;
  readonly #actor: Actor<typeof agentMachine>;
  readonly #mailbox: Mailbox;
  readonly #outbox: Outbox;
  readonly #body: AgentBody;
  #answers: Answers | undefined;
  #fields: FieldState;
  #nextFields: FieldState | undefined;
  #turn: Turn | undefined;
  #committed: (() => void) | undefined;
  #unwatch: (() => void) | undefined;
  #closed = false;

  constructor(deps: ActivationDeps, of: ErasedClass, address: AgentAddress, fields: FieldState) {
    this.address = address;
    this.#deps = deps;
    this.#class = of;
    this.#fields = fields;
    this.#mailbox = new Mailbox(address);
    this.#outbox = new Outbox(address, deps.events, deps.clock);
    this.#body = new AgentBody(deps, of, this);
    this.#actor = createActor(agentMachine, { input: { effects: this.#body } });
    this.#actor.start();
    this.#outbox.publish({ type: "agent-activated", node: deps.node });
    this.#actor.send({ type: "STARTED" });
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#fields.values;
  }
  get turn(): Turn | undefined {
    return this.#turn;
  }

  /** Carries out one call. Resolves with the reply's body; throws what travels back. */
  async call(call: IncomingCall): Promise<Uint8Array> {
    if (this.#closed) throw new ClosedError(this.address);
    const endpoint = endpointOf(this.#class, call.method);
    this.#authorize(call, endpoint);
    if (endpoint.kind === "query" || endpoint.kind === "control") return this.#beside(call, endpoint);
    if (endpoint.kind !== "tell" && call.chain.includes(this.address)) throw new DeadlockError([...call.chain, this.address]);
    const answer =
      call.idempotencyKey === call.id
        ? this.#accept(call, endpoint) // the transport knows ids; only a key of the caller's own is kept here
        : (this.#answers ??= new Answers()).once(JSON.stringify([nameOf(call.from), call.method, call.idempotencyKey]), () =>
            this.#accept(call, endpoint),
          );
    return endpoint.kind === "tell" ? this.#told(answer) : answer;
  }

  publish(fact: NewEvent, wanted: boolean): KarstEvent | undefined {
    return this.#outbox.publish(fact, wanted);
  }
  hold(fact: NewEvent): void {
    this.#outbox.hold(fact);
  }

  /** Sends to the machine, its states shown as events until the turn ends. */
  begin(event: AgentEvent): void {
    this.#watch();
    this.#actor.send(event);
  }

  pause(): void {
    this.#watch();
    this.#actor.send({ type: "PAUSE" });
  }

  resume(): void {
    if (this.#actor.getSnapshot().value === "paused") this.#watch(); // whoever saw the pause sees its end
    this.#actor.send({ type: "RESUME" });
    if (this.#turn === undefined) this.#stopWatching();
    this.#pump();
  }

  stop(): void {
    this.#cancel(new CancelledError(`${this.address}, by stop()`));
    if (this.#actor.getSnapshot().value === "paused") this.resume();
  }

  async destroy(): Promise<void> {
    await this.close(); // until then the address is its own: no second life beside an open turn
    this.#deps.forget(this.address);
  }

  /** Ends it: open turn and waiting calls are cancelled, the runtime is closed. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel(new ClosedError(this.address));
    if (this.#actor.getSnapshot().value === "paused") this.#actor.send({ type: "RESUME" }); // a paused run ends only when it goes on
    if (this.#turn !== undefined) await this.#turnEnds();
    await this.#body.close();
    this.#outbox.publish({ type: "agent-stopped", reason: "closed" });
    this.#actor.stop();
  }

  commit(kind: "step" | "turn"): void {
    if (kind === "turn") {
      this.#fields = this.#nextFields ?? this.#fields;
      this.#nextFields = undefined;
      this.#outbox.release();
    }
    this.#actor.send({ type: "COMMITTED" }); // in memory a commit is done when it is asked for
    if (kind === "turn") this.#committed?.();
  }

  #watch(): void {
    if (this.#unwatch !== undefined) return;
    const watching = this.#actor.system.inspect(
      inspectStates((fact) => {
        this.#outbox.publish(fact);
      }),
    );
    this.#unwatch = () => {
      watching.unsubscribe();
    };
  }

  #stopWatching(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #pump(): void {
    if (this.#turn === undefined && !this.#closed && this.#actor.getSnapshot().value === "idle") this.#mailbox.take()?.start();
  }

  #cancel(reason: Error): void {
    this.#mailbox.clear(reason);
    this.#turn?.abort(reason);
  }

  #turnEnds(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(CLOSE_MS, resolve);
      this.#committed = () => {
        cancel();
        resolve();
      };
    });
  }

  #authorize(call: IncomingCall, endpoint: Endpoint): void {
    const refuse = (why: string): never => {
      throw new UnauthorizedError(nameOf(call.from), `${this.address}.${call.method}`, why);
    };
    if (call.from.kind === "agent" && parseAddress(call.from.address).tenant !== parseAddress(this.address).tenant)
      refuse("it is of another tenant");
    let giver = giverFrom(call.from);
    if (call.grant !== undefined) {
      const given = this.#deps.grants.giverOf(this.address, call.grant);
      const granted = call.grant.only.includes(call.method) || (call.method === "run" && call.grant.only.includes("stream"));
      if (given === undefined) return refuse("the handle's grant does not hold");
      if (!granted) refuse(`this handle grants only ${call.grant.only.join(", ")}`);
      giver = given;
    }
    const why = refusal(giver, { verb: call.method, visibleTo: endpoint.visibleTo });
    if (why !== undefined) refuse(why);
  }

  async #beside(call: IncomingCall, endpoint: Endpoint): Promise<Uint8Array> {
    const turn = new Turn("query", call, new FieldDraft(this.#class.name, this.#class.fields, this.#fields, true), this.#deps.clock);
    try {
      const { args } = this.#body.readArgs(call, turn);
      const reply = this.#deps.wire.encode(await endpoint.run(this.#body, args, turn));
      if (call.stopped) reply.release();
      return reply.bytes;
    } finally {
      turn.close();
    }
  }

  /** @throws {OverloadedError} at once when there is no room; what it resolves to is the call's own end. */
  #accept(call: IncomingCall, endpoint: Endpoint): Promise<Uint8Array> {
    const arrivedAtMs = this.#deps.clock.monotonic();
    if (this.#turn === undefined && this.#mailbox.size === 0 && this.#actor.getSnapshot().value === "idle")
      return this.#serve(call, endpoint, arrivedAtMs);
    let refuse: (error: unknown) => void = () => undefined;
    let start: () => void = () => undefined;
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      refuse = reject;
      start = () => {
        this.#serve(call, endpoint, arrivedAtMs).then(resolve, reject);
      };
    });
    this.#mailbox.put({ bytes: call.body.byteLength, call, start, refuse });
    return answer;
  }

  /** A caller that only tells learns that it was accepted; how it ends is in the agent's events. */
  #told(answer: Promise<Uint8Array>): Uint8Array {
    answer.catch((error: unknown) => {
      this.#deps.log.warn("a told call failed", { agent: this.address, error });
    });
    return this.#deps.wire.encode(undefined).bytes;
  }

  async #serve(call: IncomingCall, endpoint: Endpoint, arrivedAtMs: number): Promise<Uint8Array> {
    const { clock, wire } = this.#deps;
    const startedMs = clock.monotonic();
    const isTold = endpoint.kind === "tell";
    const draft = new FieldDraft(this.#class.name, this.#class.fields, this.#fields);
    const turn = new Turn(isTold ? "told" : "turn", call, draft, clock, arrivedAtMs);
    this.#turn = turn;
    this.#actor.send({ type: "TURN" });
    const about = { callId: call.id, method: call.method, from: nameOf(call.from) };
    try {
      const { args, handles } = this.#body.readArgs(call, turn);
      this.#outbox.publish({ type: "call-started", ...about, argBytes: call.body.byteLength, handles });
      const output = await endpoint.run(this.#body, args, turn);
      turn.seal();
      await this.#body.finishRun(turn);
      this.#nextFields = turn.draft.finish();
      const reply = wire.encode(isTold ? undefined : output);
      this.#outbox.hold({
        type: "call-ended",
        ...about,
        ms: clock.monotonic() - startedMs,
        resultBytes: reply.bytes.byteLength,
        handles: reply.handles,
      });
      await this.#endTurn();
      if (call.stopped) reply.release();
      return reply.bytes;
    } catch (error) {
      turn.seal();
      await this.#body.finishRun(turn);
      this.#nextFields = undefined;
      this.#outbox.drop();
      this.#outbox.hold({ type: "call-failed", ...about, ms: clock.monotonic() - startedMs, ...describeError(error) });
      await this.#endTurn();
      throw error;
    } finally {
      turn.close();
      this.#turn = undefined;
      this.#stopWatching();
      this.#pump();
    }
  }

  /** Through the machine's commit to idle. The machine of an agent that was closed meanwhile commits nothing more. */
  #endTurn(): Promise<void> {
    if (this.#actor.getSnapshot().status !== "active") return Promise.resolve();
    return new Promise((resolve) => {
      const closing = this.#committed;
      this.#committed = () => {
        this.#committed = undefined;
        closing?.();
        resolve();
      };
      this.#actor.send({ type: "TURN_ENDED" });
    });
  }
}
