import { parseAddress, toRef } from "@karst/events";
import type { AgentAddress, AgentRef, CallId, RunFact } from "@karst/events";
import type { Caller, Call, CallOptions } from "@karst/cluster";
import type { z } from "zod";
import { boundary, checkValue } from "./boundary-schema.ts";
import { RunFailedError, UnauthorizedError } from "./errors.ts";
import { giverFrom, nameOf, refusal } from "./grant.ts";
import type { GrantKey } from "./grant.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { Budget, RunEvent, RunOptions, RunResult } from "./run.ts";
import { schemaText } from "./schema-text.ts";
import { DEFAULT_RUN_MS } from "./step.ts";
import { streamRun } from "./stream.ts";
import type { Wire } from "./wire.ts";

/** Carries a call to the agent it names, wherever that is. */
export interface Calls {
  call(call: Call, options: CallOptions): Promise<Uint8Array>;
}

/** On whose behalf a handle calls: the operator, or an agent within its open turn. */
export interface HandleHolder {
  readonly caller: Caller;
  /** Agents whose open turns lead here, the holder included. */
  chain(): readonly AgentAddress[];
  parentRun(): string | undefined;
  /** Time left for the holder's turn, ms. */
  timeLeftMs(): number;
  /** Aborts with the holder's turn. */
  signal(): AbortSignal | undefined;
  nextCall(): CallId;
  /** A class this process knows: of its methods, those without input take their options first. */
  classOf(name: string): ErasedClass | undefined;
  /** Whether a run that did not complete throws `RunFailed` instead of returning: in cells, where any failed call throws. */
  readonly failedRunThrows: boolean;
  readonly calls: Calls;
  readonly grants: GrantKey;
  readonly wire: Wire;
}

/** Options of `run` that travel; what stays with the caller is left out. */
export interface WireRunOptions {
  readonly budget?: Budget;
  readonly model?: string;
  readonly resultType?: string;
  readonly stream?: boolean;
}

/** How one call is made; used by the verbs and the class's methods alike. */
export interface Outgoing {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly options?: RunOptions | undefined;
  readonly onFrame?: (frame: Uint8Array) => void;
}

const inspectLabel = Symbol.for("nodejs.util.inspect.custom");

/**
 * A handle: an agent's methods as a local object. Any name but its own verbs is a method of the class; the callee refuses what it has not.
 *
 * H1. It is no promise: `then` is hidden, so awaiting or returning it yields the handle itself.
 * H2. It crosses as an `AgentRef`; the receiver's copy calls on the receiver's behalf.
 * H3. A call from within a turn carries the turn's chain, what is left of its time, and its cancellation.
 */
export function createHandle(ref: AgentRef, holder: HandleHolder): object {
  const send = (outgoing: Outgoing): Promise<unknown> => sendCall(ref, holder, outgoing);
  const verbs = createVerbs(ref, holder, send);
  const methods = new Map<string, unknown>();
  const label = `[agent ${ref.address}]`;
  const target: object = {};
  const show = (): string => label;
  Object.defineProperty(target, inspectLabel, { value: show }); // on the target: inspect ignores traps
  return new Proxy(target, {
    get(_, key) {
      if (key === toRef) return () => ref;
      if (key === Symbol.toStringTag) return "Handle";
      if (key === inspectLabel || key === "toJSON") return show;
      if (key === Symbol.toPrimitive) return show;
      if ((key === "toString" || key === "valueOf") && !isMethod(ref, holder, key)) return show; // asked for by the language, not by a caller
      if (typeof key === "symbol" || key === "then" || key === "constructor") return undefined;
      const verb = verbs[key];
      if (verb !== undefined) return verb;
      let method = methods.get(key);
      if (method === undefined) {
        method = takesInput(ref, holder, key)
          ? (input?: unknown, options?: RunOptions) => send({ method: key, args: [input], options })
          : (options?: RunOptions) => send({ method: key, args: [undefined], options });
        methods.set(key, method);
      }
      return method;
    },
    has: (_, key) => typeof key === "string" && (key in verbs || (ref.only?.includes(key) ?? false)),
    set: () => false,
  });
}

function isMethod(ref: AgentRef, holder: HandleHolder, name: string): boolean {
  return Object.hasOwn(holder.classOf(parseAddress(ref.address).class)?.methods ?? {}, name);
}

/** Whatever is not known to have none is given its input. */
function takesInput(ref: AgentRef, holder: HandleHolder, name: string): boolean {
  const methods = holder.classOf(parseAddress(ref.address).class)?.methods ?? {};
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return method === undefined || (method.input !== undefined && !NOTHING.has(method.input.schema.type));
}

/** Types of schemas whose input is no input. */
const NOTHING: ReadonlySet<string> = new Set(["void", "undefined"]);

/** How much longer than the run itself its call may take: the run's own limit ends it, and the result still arrives. */
const ANSWER_MS = 5_000;

/** How long a run of this class may take: its own limit, where the class is known here. */
function classLimitMs(ref: AgentRef, holder: HandleHolder): number {
  return holder.classOf(parseAddress(ref.address).class)?.definition.limits.ms ?? DEFAULT_RUN_MS;
}

async function sendCall(ref: AgentRef, holder: HandleHolder, { method, args, options, onFrame }: Outgoing): Promise<unknown> {
  if (ref.only !== undefined && !ref.only.includes(method === "run" && onFrame !== undefined ? "stream" : method))
    throw new UnauthorizedError(nameOf(holder.caller), `${ref.address}.${method}`, `this handle grants only ${ref.only.join(", ")}`);
  const turnSignal = holder.signal();
  const signals = [turnSignal, options?.signal].filter((signal) => signal !== undefined);
  const { calls, wire } = holder;
  const message = wire.encode(args);
  const id = holder.nextCall();
  const parentRun = holder.parentRun();
  const call: Call = {
    id,
    to: ref.address,
    method,
    from: holder.caller,
    chain: holder.chain(),
    idempotencyKey: options?.idempotencyKey ?? id,
    body: message.bytes,
    ...(parentRun === undefined ? {} : { parentRun }),
    ...(ref.only === undefined || ref.grant === undefined ? {} : { grant: { only: ref.only, proof: ref.grant } }),
  };
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  try {
    const body = await calls.call(call, {
      timeoutMs: Math.min(options?.deadlineMs ?? options?.budget?.ms ?? classLimitMs(ref, holder), holder.timeLeftMs()),
      ...(signal === undefined ? {} : { signal }),
      ...(onFrame === undefined ? {} : { onFrame }),
    });
    return wire.decode(body, holder).value;
  } finally {
    message.release();
  }
}

type Verb = (...args: never[]) => unknown;

function createVerbs(ref: AgentRef, holder: HandleHolder, send: (outgoing: Outgoing) => Promise<unknown>): Readonly<Record<string, Verb>> {
  const run = async (task: string, options: RunOptions = {}, onFrame?: (frame: Uint8Array) => void): Promise<RunResult> => {
    const answer = await send({
      method: "run",
      args: [task, wireOptions(options, onFrame !== undefined)],
      options: { ...options, deadlineMs: options.deadlineMs ?? (options.budget?.ms ?? classLimitMs(ref, holder)) + ANSWER_MS },
      ...(onFrame === undefined ? {} : { onFrame }),
    });
    const result = checkedResult(answer as RunResult, options.result); // our own host made it
    if (holder.failedRunThrows && !result.completed)
      throw new RunFailedError(ref.address, result.stopReason, result.error?.message ?? "it gave no answer");
    return result;
  };
  const verb =
    (method: string) =>
    (...args: unknown[]) =>
      send({ method, args });
  return Object.assign(Object.create(null) as Record<string, Verb>, {
    run: (task: string, options?: RunOptions) => run(task, options),
    stream: (task: string, options: RunOptions & { readonly detach?: boolean } = {}): AsyncIterable<RunEvent> =>
      streamRun({
        detach: options.detach ?? false,
        signal: options.signal,
        start: (signal, onFact) =>
          run(task, { ...options, signal }, (frame) => {
            onFact(holder.wire.decode(frame, holder).value as RunFact);
          }), // our own host made it
      }),
    ask: async (question: string, options: RunOptions = {}) => {
      const answer = await send({ method: "ask", args: [question, wireOptions(options, false)], options });
      return options.result === undefined ? answer : checkValue(`the answer of ${ref.address}`, boundary("result", options.result), answer);
    },
    inject: (name: string, value: unknown, options?: { readonly description?: string }) =>
      send({ method: "inject", args: [name, value, options] }),
    retrieve: (name: string) => send({ method: "retrieve", args: [name] }),
    state: verb("state"),
    pause: verb("pause"),
    resume: verb("resume"),
    stop: verb("stop"),
    destroy: verb("destroy"),
    only: (...names: string[]) => createHandle(attenuate(ref, holder, names), holder),
  });
}

function wireOptions(options: RunOptions, stream: boolean): WireRunOptions {
  return {
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.result === undefined ? {} : { resultType: schemaText(options.result) }),
    ...(stream ? { stream } : {}),
  };
}

/** The callee checked nothing but that a value was returned; its schema is here. */
function checkedResult(result: RunResult, schema: z.ZodType | undefined): RunResult {
  if (schema === undefined || !result.completed) return result;
  const accepted = boundary("result", schema).accept(result.value);
  if (accepted.ok) return { ...result, value: accepted.value };
  const message = `the run's value does not fit its schema: ${accepted.issues.join("; ")}`;
  return { ...result, completed: false, stopReason: "model-error", error: { code: "InvalidValue", message } };
}

/** Of an attenuated handle its own giver stays the giver: a grant never grows. @throws {UnauthorizedError} for a name the holder may not pass on. */
function attenuate(ref: AgentRef, holder: HandleHolder, names: readonly string[]): AgentRef {
  const refuse = (name: string, why: string): never => {
    throw new UnauthorizedError(nameOf(holder.caller), `only(${JSON.stringify(name)}) on ${ref.address}`, why);
  };
  let giver = giverFrom(holder.caller);
  if (ref.only !== undefined) {
    if (ref.grant !== undefined) {
      const given = holder.grants.giverOf(ref.address, { only: ref.only, proof: ref.grant });
      if (given === undefined) return refuse(names[0] ?? "", "its grant does not hold");
      giver = given;
    } // without one it has its holder's own rights, and no more than it names
    const missing = names.find((name) => ref.only?.includes(name) !== true);
    if (missing !== undefined) return refuse(missing, `this handle grants only ${ref.only.join(", ")}`);
  }
  for (const name of names) {
    const why = refusal(giver, { verb: name, visibleTo: undefined }); // what narrows a class's method the callee knows, and judges by the giver
    if (why !== undefined) refuse(name, why);
  }
  return { ref: "agent", address: ref.address, only: names, grant: holder.grants.sign(ref.address, names, giver) };
}
