import { formatAddress, KarstError, parseAddress } from "@karst/events";
import type { AgentAddress, KarstEvent, NewEvent } from "@karst/events";
import type { IncomingCall } from "@karst/cluster";
import type { CellResult } from "@karst/runtime";
import { inspectValue } from "@karst/runtime";
import type { AgentEffects, AgentEvent } from "./agent.machine.ts";
import type { ActivationDeps } from "./activation.ts";
import { AgentRuntime } from "./agent-runtime.ts";
import { ask } from "./ask.ts";
import { boundary, checkValue } from "./boundary-schema.ts";
import { closeRun } from "./context/history.ts";
import type { ConversationEntry } from "./context/history.ts";
import { view } from "./context/view.ts";
import { rolesOf } from "./define-agent.ts";
import type { AgentInside, TaskOptions } from "./endpoint.ts";
import { InvalidDefinitionError, InvalidValueError } from "./errors.ts";
import { eventPayload } from "./event-payload.ts";
import type { FnContext } from "./function.ts";
import { createHandle } from "./handle.ts";
import type { HandleHolder } from "./handle.ts";
import type { ErasedClass } from "./handle-type.ts";
import { Loop, summary } from "./loop.ts";
import { OpenRun } from "./open-run.ts";
import type { RunResult } from "./run.ts";
import { schemaText } from "./schema-text.ts";
import { afterModel, startRun } from "./step.ts";
import type { AfterModel, ModelTurn, RunState } from "./step.ts";
import { chainOf } from "./turn.ts";
import type { Turn } from "./turn.ts";
import { TurnSelf } from "./turn-self.ts";
import type { SelfOwner } from "./turn-self.ts";

/** The life that a body belongs to. */
export interface BodyOwner {
  readonly address: AgentAddress;
  /** Committed fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The open turn, if one is. */
  readonly turn: Turn | undefined;
  /** `wanted`: the event is needed here even if nobody else would see it. */
  publish(fact: NewEvent, wanted: boolean): KarstEvent | undefined;
  /** Publishes when the turn has been committed. */
  hold(fact: NewEvent): void;
  begin(event: AgentEvent): void;
  commit(kind: "step" | "turn"): void;
  pause(): void;
  resume(): void;
  stop(): void;
  destroy(): Promise<void>;
}

/**
 * What an agent can do inside its turns: its runs, its runtime, its conversation.
 *
 * Y1. At most one run is open, inside the open turn; the turn does not end before it.
 * Y2. The conversation holds what the model was told and said, in order; a run that stopped without an answer leaves a notice.
 */
export class AgentBody implements AgentInside, AgentEffects, SelfOwner {
  readonly class: ErasedClass;
  readonly #deps: ActivationDeps;
  readonly #owner: BodyOwner;
  #loop: Loop | undefined;
  #agentRuntime: AgentRuntime | undefined;
  #turnHolder: HandleHolder | undefined;
  #cellHolder: HandleHolder | undefined;
  #conversation: readonly ConversationEntry[] = [];
  #run: OpenRun | undefined;
  #functionCalls = 0;

  constructor(deps: ActivationDeps, of: ErasedClass, owner: BodyOwner) {
    this.class = of;
    this.#deps = deps;
    this.#owner = owner;
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#owner.values;
  }
  get id(): string {
    return parseAddress(this.#owner.address).id;
  }

  /** The arguments of a call; handles among them act for this agent, in whatever turn is open then. */
  readArgs(call: IncomingCall, turn: Turn): { readonly args: readonly unknown[]; readonly handles: number } {
    const { value, handles } = this.#deps.wire.decode(call.body, this.#holderIn(turn));
    if (!Array.isArray(value)) throw new KarstError("Malformed", `the arguments of ${call.method} are not a list`);
    return { args: value as readonly unknown[], handles };
  }

  async runTask(turn: Turn, task: string, options: TaskOptions): Promise<RunResult> {
    if (turn.kind === "query") throw new InvalidDefinitionError(`${this.class.name}.${turn.call.method}`, "a query cannot run a task");
    if (this.#run !== undefined) throw new KarstError("Interrupted", `${this.#owner.address} has a run open already; await it first`);
    const { clock, ids, wire } = this.#deps;
    const runId = ids.run();
    const budget = { ...this.class.definition.limits, ...options.budget };
    const resultType = options.resultType ?? (options.result === undefined ? undefined : schemaText(options.result));
    const check = options.result === undefined ? undefined : boundary("result", options.result);
    const model = this.#deps.model(options.model ?? this.class.definition.model);
    let catalogue: string | undefined;
    const run = new OpenRun({
      runId,
      model,
      check,
      agent: this.#owner.address,
      clock,
      budget,
      signals: [turn.signal, options.signal],
      messages: async () => {
        catalogue ??= await this.#runtime.describe(); // once a run, so that its prompts begin alike
        return view(this.#prompt(catalogue, turn, resultType), this.#conversation);
      },
      onFact:
        options.stream === true
          ? (fact) => {
              turn.call.frame(wire.encode(fact).bytes);
            }
          : undefined,
    });
    this.#run = run;
    turn.runId = runId;
    this.#remember({ kind: "task", runId, text: task });
    const { parentRun } = turn.call;
    this.#publish({ type: "run-started", runId, task, ...(parentRun === undefined ? {} : { parent: parentRun }) });
    this.#owner.begin({
      type: "RUN",
      run: startRun({ runId, task, budget, mayReturn: resultType !== undefined, startedAtMs: clock.monotonic() }),
    });
    return run.settled;
  }

  /** Ends a run that the turn's code did not wait for. */
  async finishRun(turn: Turn): Promise<void> {
    const run = this.#run;
    if (run === undefined || turn.kind === "query") return;
    run.cancel(new KarstError("Cancelled", "the turn ended before its run"));
    await run.settled;
  }

  async ask(turn: Turn, question: string, options: TaskOptions): Promise<unknown> {
    const check = options.result === undefined ? undefined : boundary("result", options.result);
    const asked = {
      agent: this.#owner.address,
      instructions: this.class.definition.instructions,
      question,
      resultType: options.resultType ?? (options.result === undefined ? undefined : schemaText(options.result)),
      refused: (value: unknown) => {
        const accepted = check?.accept(value);
        return accepted === undefined || accepted.ok ? undefined : accepted.issues;
      },
    };
    const signal = options.signal === undefined ? turn.signal : AbortSignal.any([turn.signal, options.signal]);
    const answer = await ask(this.#deps.model(options.model ?? this.class.definition.model), asked, signal);
    return check === undefined ? answer : checkValue("the answer", check, answer); // with its defaults filled in
  }

  inject(name: string, value: unknown, description?: string): Promise<void> {
    return this.#runtime.inject(name, value, description);
  }
  retrieve(name: string): Promise<unknown> {
    return this.#runtime.retrieve(name);
  }
  self(turn: Turn): TurnSelf {
    return new TurnSelf(this, turn);
  }
  pause(): void {
    this.#owner.pause();
  }
  resume(): void {
    this.#owner.resume();
  }
  stop(): void {
    this.#owner.stop();
  }
  destroy(): Promise<void> {
    return this.#owner.destroy();
  }
  async close(): Promise<void> {
    await this.#agentRuntime?.close();
  }
  now(): Date {
    return new Date(this.#deps.clock.now());
  }
  random(): number {
    return this.#deps.random.next();
  }

  handleTo(turn: Turn, of: ErasedClass, id: string): object {
    const { tenant } = parseAddress(this.#owner.address);
    return createHandle({ ref: "agent", address: formatAddress({ tenant, class: of.name, id }) }, this.#holderIn(turn));
  }

  emit(name: string, payload: unknown): void {
    const { emits } = this.class.definition;
    const place = `${this.class.name}.emits.${name}`;
    const check = Object.hasOwn(emits, name) ? emits[name] : undefined;
    if (check === undefined)
      throw new InvalidValueError(place, [`it is not declared; there are ${Object.keys(emits).join(", ") || "none"}`]);
    this.#owner.hold({ type: "event-emitted", name, payload: eventPayload(place, checkValue(place, check, payload)) });
  }

  prepare(run: RunState): RunState {
    return this.#loopOf.prepare(run, this.#open);
  }
  think(run: RunState): Promise<ModelTurn> {
    return this.#loopOf.think(run, this.#open);
  }
  decide(run: RunState, turn: ModelTurn): AfterModel {
    return afterModel(run, turn);
  }
  replied(run: RunState, turn: ModelTurn, after: AfterModel): RunState {
    return this.#loopOf.replied(run, turn, after);
  }
  act(run: RunState, code: string): Promise<CellResult> {
    return this.#loopOf.act(run, code, this.#open);
  }
  acted(run: RunState, code: string, result: CellResult): Promise<RunState> {
    return this.#loopOf.acted(run, code, result, this.#open);
  }
  commit(kind: "step" | "turn"): void {
    this.#owner.commit(kind);
  }

  broke(run: RunState, error: unknown): RunState {
    this.#deps.log.warn("a step broke", { agent: this.#owner.address, runId: run.runId, error });
    return this.#loopOf.broke(run, error, this.#open);
  }

  settled(run: RunState): void {
    const open = this.#open;
    const result = summary(run, this.#deps.clock.monotonic());
    if (!result.completed) this.#conversation = closeRun(this.#conversation, run.runId, run.steps, result.stopReason);
    this.#publish({ type: "run-ended", runId: run.runId, result });
    this.#run = undefined;
    if (this.#owner.turn !== undefined) this.#owner.turn.runId = undefined;
    open.settle({ ...result, value: run.outcome !== undefined && "value" in run.outcome ? open.accepted(run.outcome.value) : undefined });
  }

  get #open(): OpenRun {
    if (this.#run === undefined) throw new KarstError("Interrupted", "no run is open"); // a defect: the machine is in a run
    return this.#run;
  }

  get #loopOf(): Loop {
    this.#loop ??= new Loop({
      clock: this.#deps.clock,
      publish: (fact) => {
        this.#publish(fact);
      },
      runtime: () => this.#runtime.open(),
      remember: (entry) => {
        this.#remember(entry);
      },
    });
    return this.#loop;
  }

  get #runtime(): AgentRuntime {
    this.#agentRuntime ??= new AgentRuntime(this.class, {
      create: () => this.#deps.createRuntime(this.class),
      context: () => this.#fnContext(),
      classOf: (name) => this.#deps.classOf(name),
      holder: () => (this.#cellHolder ??= { ...this.#holder(), failedRunThrows: true }),
    });
    return this.#agentRuntime;
  }

  #remember(entry: ConversationEntry): void {
    this.#conversation = [...this.#conversation, entry];
  }

  #publish(fact: NewEvent): void {
    const event = this.#owner.publish(fact, this.#run?.watched ?? false);
    if (event !== undefined) this.#run?.show(event);
  }

  #requireTurn(what: string): Turn {
    const { turn, address } = this.#owner;
    if (turn === undefined)
      throw new KarstError("Interrupted", `${address} has no open turn: ${what} made after its cell has ended is refused`);
    return turn;
  }

  #holderIn(turn: Turn): HandleHolder {
    return turn.kind === "query" ? this.#holderOf(() => turn) : this.#holder();
  }

  /** Calls of this agent's handles, in whatever turn is open then. */
  #holder(): HandleHolder {
    this.#turnHolder ??= this.#holderOf(() => this.#requireTurn("a call"));
    return this.#turnHolder;
  }

  #holderOf(turnOf: () => Turn): HandleHolder {
    const { ids, calls, grants, wire } = this.#deps;
    const { address } = this.#owner;
    return {
      caller: { kind: "agent", address, roles: rolesOf(this.class) },
      chain: () => chainOf(turnOf(), address),
      parentRun: () => turnOf().runId,
      timeLeftMs: () => this.#timeLeftMs(turnOf()),
      signal: () => this.#signalOf(turnOf()),
      nextCall: () => ids.call(),
      classOf: (name) => this.#deps.classOf(name),
      failedRunThrows: false,
      calls,
      grants,
      wire,
    };
  }

  /** The run that is open in this turn; a query beside it has none. */
  #runOf(turn: Turn): OpenRun | undefined {
    return turn.runId === undefined ? undefined : this.#run;
  }

  #signalOf(turn: Turn): AbortSignal {
    return this.#runOf(turn)?.signal ?? turn.signal;
  }

  #timeLeftMs(turn: Turn): number {
    return Math.min(turn.timeLeftMs(), this.#runOf(turn)?.timeLeftMs() ?? Infinity);
  }

  #fnContext(): FnContext {
    const turn = this.#requireTurn("a function call");
    this.#functionCalls += 1;
    return {
      signal: this.#signalOf(turn),
      idempotencyKey: `${turn.call.id}:${String(this.#functionCalls)}`,
      deadlineMs: this.#timeLeftMs(turn),
      caller: this.#owner.address,
    };
  }

  #prompt(catalogue: string, turn: Turn, resultType: string | undefined): Parameters<typeof view>[0] {
    const { class: className, id } = parseAddress(this.#owner.address);
    const { description, instructions } = this.class.definition;
    const shown = Object.entries(this.class.fields).filter(([, { options }]) => options.show === "always");
    const fields = shown.map(([name]) => ({ name, text: inspectValue(turn.draft.state[name]) }));
    return { agent: `${className}/${id}`, description, instructions, catalogue, resultType, fields };
  }
}
