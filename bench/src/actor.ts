import { createSystem, defineAgent, field } from "@karst/agent";
import { scriptedModel } from "@karst/model";
import { assign, createActor, setup } from "xstate";
import { z } from "zod";
import { atLeast, figure } from "./figure.ts";
import type { Figure, Suite } from "./figure.ts";
import { heapBytes, median, sideBySide } from "./measure.ts";

const Counter = defineAgent({
  name: "counter",
  version: 1,
  fields: { total: field(z.int(), { default: 0 }) },
  methods: (method) => ({
    add: method({ input: z.object({ by: z.int(), note: z.string() }), output: z.int() }, (self, { by }) => {
      self.state.total += by;
      return self.state.total;
    }),
    size: method(
      { kind: "query", input: z.object({ by: z.int(), note: z.string() }), output: z.int() },
      (self, { by }) => self.state.total + by,
    ),
  }),
});

/** The same counting as a bare machine: idle → working → idle, no codec, no checks, no reply. */
const bareMachine = setup({
  types: { context: {} as { total: number }, events: {} as { type: "ADD"; by: number; note: string } | { type: "DONE" } },
}).createMachine({
  context: { total: 0 },
  initial: "idle",
  states: {
    idle: { on: { ADD: { target: "working", actions: assign({ total: ({ context, event }) => context.total + event.by }) } } },
    working: { on: { DONE: "idle" } },
  },
});

const NOTE = "x".repeat(480);
const AGENTS = 2_000;
const CALLS = 20_000;
const IN_FLIGHT = 64;

async function callsPerSecond(call: () => Promise<unknown>): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= 5; round++) {
    const startMs = performance.now();
    let left = CALLS;
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (left-- > 0) await call();
      }),
    );
    if (round > 0) rates.push((CALLS / (performance.now() - startMs)) * 1_000);
  }
  return median(rates);
}

async function run(progress: (text: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await using system = await createSystem({ classes: [Counter], models: { default: scriptedModel([]) } });

  progress("create and start");
  let made = 0;
  const starts = await sideBySide(500, {
    karst: () => system.create(Counter, { id: `s${String(made++)}` }),
    xstate: () => {
      createActor(bareMachine).start();
    },
  });
  figures.push(
    figure({
      figure: "actor.create+start",
      value: (starts["karst"] ?? NaN) * 1_000,
      unit: "us",
      peer: { name: "bare XState actor", value: (starts["xstate"] ?? NaN) * 1_000 },
    }),
  );

  progress("memory");
  const before = heapBytes();
  const bare = Array.from({ length: AGENTS }, () => createActor(bareMachine).start());
  const bareBytes = (heapBytes() - before) / bare.length;
  const again = heapBytes();
  for (let index = 0; index < AGENTS; index++) await system.create(Counter, { id: `m${String(index)}` });
  const bytes = (heapBytes() - again) / AGENTS;
  figures.push(figure({ figure: "actor.idle-bytes", value: bytes, unit: "bytes", peer: { name: "bare XState actor", value: bareBytes } }));

  progress("calls");
  const agent = system.agent(Counter, "calls");
  const argument = { by: 1, note: NOTE };
  const bareActor = createActor(bareMachine).start();
  const bareRate = await callsPerSecond(() => {
    bareActor.send({ type: "ADD", ...argument });
    bareActor.send({ type: "DONE" });
    return Promise.resolve(bareActor.getSnapshot().context.total);
  });
  const rate = await callsPerSecond(() => agent.add(argument));
  figures.push(
    figure({
      figure: "actor.call.command.500B",
      value: rate,
      unit: "calls/s",
      peer: { name: "bare XState actor, 2 events", value: bareRate },
      bar: atLeast(rate, 20_000, "calls/s"),
    }),
  );
  const queries = await callsPerSecond(() => agent.size(argument));
  figures.push(
    figure({
      figure: "actor.call.query.500B",
      value: queries,
      unit: "calls/s",
      peer: { name: "bare XState actor, 2 events", value: bareRate },
      bar: atLeast(queries, 20_000, "calls/s"),
    }),
  );
  return figures;
}

export const actorSuite: Suite = { name: "actor", about: "agents: creation, memory, local method calls through the codec", run };
