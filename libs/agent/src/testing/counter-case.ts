import { scriptedModel } from "@karst/model";
import type { ModelScript, ScriptedModel } from "@karst/model";
import { z } from "zod";
import { defineAgent } from "../define-agent.ts";
import { field } from "../field.ts";
import type { Handle } from "../handle-type.ts";
import { createSystem } from "../system.ts";
import type { System, SystemOptions } from "../system.ts";
import { createGate } from "./system-case.ts";
import type { Gate } from "./system-case.ts";

/** A class that counts, waits at `gate`, and obeys its signal once it has passed there. */
function defineCounter(gate: Gate) {
  return defineAgent({
    name: "counter",
    version: 1,
    fields: { count: field(z.int(), { default: 0 }) },
    methods: (method) => ({
      add: method({ output: z.int() }, (self) => (self.state.count += 1)),
      hold: method({ output: z.string() }, async () => {
        await gate.pass();
        return "held";
      }),
      obey: method({ output: z.void() }, async (self) => {
        await new Promise((_resolve, reject) => {
          self.signal.addEventListener("abort", () => {
            reject(self.signal.reason as Error);
          });
          void gate.pass();
        });
      }),
    }),
  });
}

export type CounterClass = ReturnType<typeof defineCounter>;

export interface CounterScene extends AsyncDisposable {
  readonly system: System;
  readonly Counter: CounterClass;
  readonly counter: Handle<CounterClass>;
  readonly model: ScriptedModel;
  readonly gate: Gate;
}

/** A system with one counter, whose model plays `script`. */
export async function openCounter(script: ModelScript = [], change: Partial<SystemOptions> = {}): Promise<CounterScene> {
  const gate = createGate();
  const Counter = defineCounter(gate);
  const model = scriptedModel(script);
  const system = await createSystem({ classes: [Counter], models: { default: model }, ...change });
  return { system, Counter, model, gate, counter: system.agent(Counter, "1"), [Symbol.asyncDispose]: () => system.close() };
}
