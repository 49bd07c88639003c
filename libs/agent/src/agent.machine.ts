import { assign, fromPromise, setup } from "xstate";
import type { CellResult } from "@karst/runtime";
import type { AfterModel, ModelTurn, RunState } from "./step.ts";

/**
 * The control flow of one agent.
 *
 * A1. One turn at a time: `TURN` is taken in `idle` only; the mailbox in front waits for `idle`.
 * A2. Class code runs in `working`; a task given to the model goes preparing → thinking → acting → committing, step by step, and back to
 *     `working`; a turn ends through `committing` to `idle`.
 * A3. A model call and a cell are invoked once per entry of their state; their decisions are pure functions of the run (step.ts).
 * A4. No delayed events: deadlines are signals of the run (after a restore XState's timers never fire; xstate 5.33.3).
 * A5. A pause takes effect in `idle` or between two steps.
 */

/** What the machine asks for. The activation gives it; the machine only decides when. */
export interface AgentEffects {
  /** Limits at the step boundary; returns the run, ended when one is reached. */
  prepare(run: RunState): RunState;
  think(run: RunState): Promise<ModelTurn>;
  decide(run: RunState, turn: ModelTurn): AfterModel;
  /** The run after its model call; ended, repaired, or about to run `code`. */
  replied(run: RunState, turn: ModelTurn, after: AfterModel): RunState;
  act(run: RunState, code: string): Promise<CellResult>;
  acted(run: RunState, code: string, result: CellResult): Promise<RunState>;
  /** The run ended by what its effect threw. */
  broke(run: RunState, error: unknown): RunState;
  /** Commits the step or the turn; sends `COMMITTED` when it is durable. */
  commit(kind: "step" | "turn"): void;
  /** The run is over; its result goes to who asked. */
  settled(run: RunState): void;
}

interface Context {
  readonly effects: AgentEffects;
  readonly run: RunState | undefined;
  readonly code: string;
  readonly pausing: boolean;
}

export type AgentEvent =
  | { readonly type: "STARTED" | "TURN" | "TURN_ENDED" | "COMMITTED" | "PAUSE" | "RESUME" | "STOP" }
  | { readonly type: "RUN"; readonly run: RunState };

type Thinking = { readonly effects: AgentEffects; readonly run: RunState };

function running(context: Context): Thinking {
  const { effects, run } = context;
  if (run === undefined) throw new TypeError("the machine is in a step without a run"); // a defect: no path leads here
  return { effects, run };
}

export const agentMachine = setup({
  types: { context: {} as Context, events: {} as AgentEvent, input: {} as { readonly effects: AgentEffects } },
  actors: {
    think: fromPromise<{ readonly run: RunState; readonly after: AfterModel }, Thinking>(async ({ input: { effects, run } }) => {
      const turn = await effects.think(run);
      const after = effects.decide(run, turn);
      return { run: effects.replied(run, turn, after), after };
    }),
    act: fromPromise<RunState, Thinking & { readonly code: string }>(async ({ input: { effects, run, code } }) =>
      effects.acted(run, code, await effects.act(run, code)),
    ),
  },
  guards: {
    runEnded: ({ context }) => context.run?.outcome !== undefined,
    runGoesOn: ({ context }) => context.run !== undefined && context.run.outcome === undefined,
    pausing: ({ context }) => context.pausing,
  },
  actions: {
    commit: ({ context }) => {
      context.effects.commit(context.run === undefined ? "turn" : "step");
    },
    settle: ({ context }) => {
      const { effects, run } = running(context);
      effects.settled(run);
    },
    forgetRun: assign({ run: undefined }),
    pauseSoon: assign({ pausing: true }),
    dontPause: assign({ pausing: false }),
  },
}).createMachine({
  id: "agent",
  context: ({ input }) => ({ effects: input.effects, run: undefined, code: "", pausing: false }),
  initial: "recovering",
  on: { PAUSE: { actions: "pauseSoon" }, RESUME: { actions: "dontPause" }, STOP: { target: ".stopped" } },
  states: {
    recovering: { on: { STARTED: "idle" } },
    idle: { on: { TURN: "working", PAUSE: { target: "paused", actions: "pauseSoon" } } },
    working: {
      on: {
        RUN: { target: "preparing", actions: assign({ run: ({ event }) => event.run }) },
        TURN_ENDED: "committing",
      },
    },
    preparing: {
      entry: assign({
        run: ({ context }) => {
          const { effects, run } = running(context);
          return effects.prepare(run);
        },
      }),
      always: [{ guard: "runEnded", target: "committing" }, { target: "thinking" }],
    },
    thinking: {
      invoke: {
        src: "think",
        input: ({ context }) => running(context),
        onDone: [
          {
            guard: ({ event }) => event.output.after.next === "cell",
            target: "acting",
            actions: assign({
              run: ({ event }) => event.output.run,
              code: ({ event }) => (event.output.after.next === "cell" ? event.output.after.code : ""),
            }),
          },
          { target: "committing", actions: assign({ run: ({ event }) => event.output.run }) },
        ],
        onError: {
          target: "committing",
          actions: assign({
            run: ({ context, event }) => {
              const { effects, run } = running(context);
              return effects.broke(run, event.error);
            },
          }),
        },
      },
    },
    acting: {
      invoke: {
        src: "act",
        input: ({ context }) => ({ ...running(context), code: context.code }),
        onDone: { target: "committing", actions: assign({ run: ({ event }) => event.output }) },
        onError: {
          target: "committing",
          actions: assign({
            run: ({ context, event }) => {
              const { effects, run } = running(context);
              return effects.broke(run, event.error);
            },
          }),
        },
      },
    },
    committing: {
      entry: "commit",
      on: {
        COMMITTED: [
          { guard: "runEnded", target: "working", actions: ["settle", "forgetRun"] },
          { guard: ({ context }) => context.run !== undefined && context.pausing, target: "paused" },
          { guard: "runGoesOn", target: "preparing" },
          { guard: "pausing", target: "paused" },
          { target: "idle" },
        ],
      },
    },
    paused: {
      on: {
        RESUME: [
          { guard: "runGoesOn", target: "preparing", actions: "dontPause" },
          { target: "idle", actions: "dontPause" },
        ],
      },
    },
    stopped: { type: "final" },
  },
});
