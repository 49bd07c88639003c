import { z } from "zod";

/**
 * Every fact an agent publishes, one schema each; names are noun-verb.
 *
 * E1. `seq` counts the facts of one agent without a gap, from 1.
 * E2. `id` is `<tenant/class/id>:<seq>:0`, stable when a fact is published again.
 * E3. A run has exactly one `run-ended`, and it is the run's last event.
 * E4. Every event is plain JSON.
 */
const common = {
  /** Version of the event's form. */
  v: z.literal(1),
  id: z.string(),
  /** `tenant/class/id`. */
  agent: z.string(),
  seq: z.int().positive(),
  /** Wall clock, ms since 1970. */
  at: z.number(),
};

const ofRun = { ...common, runId: z.string() };
const ofStep = { ...ofRun, step: z.int().nonnegative() };
const ofCall = { ...common, callId: z.string(), method: z.string(), /** Address of the caller, or `operator`. */ from: z.string() };

export const STOP_REASONS = [
  "completed",
  "max-steps",
  "timeout",
  "budget-exhausted",
  "cancelled",
  "paused",
  "needs-human",
  "repetition",
  "model-error",
  "runtime-error",
  "internal-error",
] as const;
/** Why a run ended. Only `completed` is an answer. */
export type StopReason = (typeof STOP_REASONS)[number];

export const usageSchema = z.object({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** True when a provider left the count out and any part is our estimate. */
  estimated: z.boolean(),
});
/** Tokens. */
export type Usage = z.infer<typeof usageSchema>;

/** What happened in a run, without its value, which may not be JSON. */
export const runSummarySchema = z.object({
  runId: z.string(),
  content: z.string(),
  completed: z.boolean(),
  stopReason: z.enum(STOP_REASONS),
  steps: z.int().nonnegative(),
  elapsedMs: z.number(),
  usage: usageSchema,
  cells: z.array(z.string()),
  /** Why it failed; absent when it completed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const eventSchema = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("agent-activated"), node: z.string() }),
  z.object({ ...common, type: z.literal("agent-stopped"), reason: z.string() }),
  /** The agent's actor entered a state. */
  z.object({ ...common, type: z.literal("state-entered"), state: z.string(), runId: z.string().optional(), step: z.int().optional() }),
  z.object({
    ...ofCall,
    type: z.literal("call-started"),
    /** Encoded size of the arguments. */ argBytes: z.int(),
    /** Handles among them. */ handles: z.int(),
  }),
  z.object({ ...ofCall, type: z.literal("call-ended"), ms: z.number(), resultBytes: z.int(), handles: z.int() }),
  z.object({ ...ofCall, type: z.literal("call-failed"), ms: z.number(), code: z.string(), message: z.string() }),
  z.object({
    ...ofRun,
    type: z.literal("run-started"),
    task: z.string(),
    /** The run that caused this one, if an agent did. */ parent: z.string().optional(),
  }),
  z.object({ ...ofStep, type: z.literal("step-started") }),
  z.object({ ...ofStep, type: z.literal("reasoning-delta"), text: z.string() }),
  z.object({ ...ofStep, type: z.literal("model-delta"), text: z.string() }),
  z.object({ ...ofStep, type: z.literal("cell-started"), code: z.string() }),
  z.object({
    ...ofStep,
    type: z.literal("cell-ended"),
    ok: z.boolean(),
    output: z.string(),
    ms: z.number(),
    error: z.string().optional(),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  z.object({ ...ofStep, type: z.literal("step-ended"), usage: usageSchema }),
  z.object({ ...ofRun, type: z.literal("run-ended"), result: runSummarySchema }),
  /** A named event of the class (`emits`); on NATS its subject ends with `name`. */
  z.object({ ...common, type: z.literal("event-emitted"), name: z.string(), payload: z.json() }),
]);

/** The union of all facts. */
export type KarstEvent = z.infer<typeof eventSchema>;
export type EventType = KarstEvent["type"];
export type EventOf<T extends EventType> = Extract<KarstEvent, { type: T }>;

/** The events of one run, as a stream shows them. */
export type RunEventType =
  "run-started" | "step-started" | "reasoning-delta" | "model-delta" | "cell-started" | "cell-ended" | "step-ended" | "run-ended";
export type RunFact = EventOf<RunEventType>;

/** An event before its agent has numbered it. */
export type NewEvent = { [T in EventType]: Omit<EventOf<T>, "v" | "id" | "agent" | "seq" | "at"> }[EventType];

export const EVENT_TYPES: readonly string[] = eventSchema.options.map((option) => option.shape.type.value);

/** The last token of the event's subject. */
export function eventToken(event: NewEvent): string {
  return event.type === "event-emitted" ? event.name : event.type;
}
