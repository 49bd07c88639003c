import type { Caller } from "@karst/cluster";
import { handleTypeText } from "./bindings.ts";
import { checkValue } from "./boundary-schema.ts";
import { BadArgsError, InvalidValueError, NoSuchMethodError } from "./errors.ts";
import { giverFrom, refusal } from "./grant.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { MethodKind } from "./method.ts";
import type { RunOptions, RunResult } from "./run.ts";
import type { Turn } from "./turn.ts";

/** Options of a task from inside, or as they came with a call: then the schema itself stayed with the caller. */
export type TaskOptions = RunOptions & { readonly resultType?: string; readonly stream?: boolean };

/** What can be called on an agent: the verbs every agent has, and its class's methods. */
export interface Endpoint {
  /** `control` acts at once, beside any turn. */
  readonly kind: MethodKind | "control";
  readonly visibleTo: readonly string[] | undefined;
  run(agent: AgentInside, args: readonly unknown[], turn: Turn): unknown;
}

/** An agent as its endpoints see it. */
export interface AgentInside {
  readonly class: ErasedClass;
  /** Committed fields. */
  readonly values: Readonly<Record<string, unknown>>;
  runTask(turn: Turn, task: string, options: TaskOptions): Promise<RunResult>;
  ask(turn: Turn, question: string, options: TaskOptions): Promise<unknown>;
  inject(name: string, value: unknown, description?: string): Promise<void>;
  retrieve(name: string): Promise<unknown>;
  /** What a method's `self` is in this turn. */
  self(turn: Turn): unknown;
  pause(): void;
  resume(): void;
  stop(): void;
  destroy(): Promise<void>;
}

/** Not an identifier, so no class can have a method of this name. */
export const DESCRIBE = "karst:describe";

function text(method: string, name: string, value: unknown): string {
  if (typeof value !== "string") throw new BadArgsError(method, [`${name} is ${typeof value}, not a string`]);
  return value;
}

const control = (act: (agent: AgentInside) => void | Promise<void>): Endpoint => ({ kind: "control", visibleTo: undefined, run: act });

const VERBS: Readonly<Record<string, Endpoint>> = {
  run: {
    kind: "run",
    visibleTo: undefined,
    run: (agent, [task, options], turn) => agent.runTask(turn, text("run", "task", task), options ?? {}), // made by our own handle
  },
  ask: {
    kind: "query",
    visibleTo: undefined,
    run: (agent, [question, options], turn) => agent.ask(turn, text("ask", "question", question), options ?? {}), // made by our own handle
  },
  inject: {
    kind: "command",
    visibleTo: undefined,
    run: (agent, [name, value, options]) => {
      const { description } = (options ?? {}) as { readonly description?: string }; // made by our own handle
      return agent.inject(text("inject", "name", name), value, description);
    },
  },
  retrieve: { kind: "command", visibleTo: undefined, run: (agent, [name]) => agent.retrieve(text("retrieve", "name", name)) },
  state: {
    kind: "query",
    visibleTo: undefined,
    run: (agent, names, turn) =>
      readState(
        agent,
        names.map((name) => text("state", "name", name)),
        turn.call.from,
      ),
  },
  pause: control((agent) => {
    agent.pause();
  }),
  resume: control((agent) => {
    agent.resume();
  }),
  stop: control((agent) => {
    agent.stop();
  }),
  destroy: control((agent) => agent.destroy()),
  [DESCRIBE]: {
    kind: "query",
    visibleTo: undefined,
    run: (agent, [only]) => handleTypeText(agent.class, Array.isArray(only) ? (only as string[]) : undefined),
  }, // made by our own host
};

/** Only fields visible to the caller's roles can be named (G8). */
function readState(agent: AgentInside, names: readonly string[], caller: Caller): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const name of names) {
    const field = Object.hasOwn(agent.class.fields, name) ? agent.class.fields[name] : undefined;
    const hidden =
      field === undefined || refusal(giverFrom(caller), { verb: "state", visibleTo: field.options.visibleTo ?? [] }) !== undefined;
    if (hidden) throw new InvalidValueError(`${agent.class.name}.${name}`, ["there is no field of that name that the caller may see"]);
    read[name] = agent.values[name];
  }
  return read;
}

/** @throws {NoSuchMethodError} naming the methods there are. */
export function endpointOf(of: ErasedClass, name: string): Endpoint {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb !== undefined) return verb;
  const method = Object.hasOwn(of.methods, name) ? of.methods[name] : undefined;
  if (method === undefined) throw new NoSuchMethodError(of.name, name, Object.keys(of.methods));
  const place = `${of.name}.${name}`;
  return {
    kind: method.kind,
    visibleTo: method.visibleTo,
    async run(agent, [input], turn) {
      let checked: unknown;
      if (method.input !== undefined) {
        const accepted = method.input.accept(input);
        if (!accepted.ok) throw new BadArgsError(place, accepted.issues);
        checked = accepted.value;
      }
      return checkValue(`the result of ${place}`, method.output, await method.run(agent.self(turn), checked));
    },
  };
}
