import type { NewEvent } from "@karst/events";
import { createActor, waitFor } from "xstate";
import { expect, test } from "vitest";
import { agentMachine } from "./agent.machine.ts";
import type { AgentEffects } from "./agent.machine.ts";
import { inspectStates } from "./inspect.ts";
import { ReplyParser } from "./reply.ts";
import { NO_USAGE, startRun } from "./step.ts";
import type { RunState } from "./step.ts";

const idle: RunState = startRun({ runId: "run_1", task: "t", budget: {}, mayReturn: false, startedAtMs: 0 });

/** An agent whose model answers at once. */
function start() {
  const shown: NewEvent[] = [];
  const effects: AgentEffects = {
    prepare: (run) => ({ ...run, steps: run.steps + 1 }),
    think: () =>
      Promise.resolve({ reply: new ReplyParser().end().reply, reasoning: "", usage: NO_USAGE, finish: "stop", failure: undefined }),
    decide: () => ({ next: "end", outcome: { stopReason: "completed", content: "" } }),
    replied: (run, _turn, after) => (after.next === "end" ? { ...run, outcome: after.outcome } : run),
    act: () => Promise.reject(new TypeError("there is no cell")),
    acted: (run) => Promise.resolve(run),
    broke: (run) => run,
    commit: () => {
      actor.send({ type: "COMMITTED" });
    },
    settled: () => {
      actor.send({ type: "TURN_ENDED" });
    },
  };
  const actor = createActor(agentMachine, {
    input: { effects },
    inspect: inspectStates((fact) => {
      shown.push(fact);
    }),
  });
  actor.start();
  return { actor, shown };
}

test("states of a run are shown with run and step, each once; those of a plain call are not", async () => {
  const { actor, shown } = start();
  actor.send({ type: "STARTED" });
  actor.send({ type: "TURN" });
  actor.send({ type: "TURN_ENDED" });
  expect(shown).toEqual([{ type: "state-entered", state: "idle" }]);
  actor.send({ type: "TURN" });
  actor.send({ type: "RUN", run: idle });
  await waitFor(actor, ({ value }) => value === "idle", { timeout: 2_000 });
  expect(shown.slice(1)).toEqual([
    { type: "state-entered", state: "thinking", runId: "run_1", step: 1 },
    { type: "state-entered", state: "committing", runId: "run_1", step: 1 },
    { type: "state-entered", state: "idle" },
  ]);
});

test("a pause is shown, and its end", () => {
  const { actor, shown } = start();
  actor.send({ type: "STARTED" });
  actor.send({ type: "PAUSE" });
  actor.send({ type: "PAUSE" });
  actor.send({ type: "RESUME" });
  expect(shown).toEqual([
    { type: "state-entered", state: "idle" },
    { type: "state-entered", state: "paused" },
    { type: "state-entered", state: "idle" },
  ]);
});
