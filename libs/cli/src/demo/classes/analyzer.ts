import { defineAgent, handle, variable } from "@karst/agent";
import { z } from "zod";
import { requireCompleted } from "../require-completed.ts";
import { demoModels } from "../models.ts";
import { Comparison, Insights } from "../report.ts";
import { CleanFilm } from "../row.ts";
import { ANALYSIS_TASK, ANALYZER_INSTRUCTIONS, COMPARISON_TASK } from "../tasks.ts";
import { Cleaner } from "./cleaner.ts";

/** Analyses films that it fetches from whatever agent its `source` names. */
export const Analyzer = defineAgent({
  name: "analyzer",
  version: 1,
  description: "Analyses films.",
  instructions: ANALYZER_INSTRUCTIONS,
  variables: {
    source: handle(Cleaner, { only: ["retrieve"], description: "The agent that has the cleaned films." }),
    chosenGenre: variable(z.string(), { default: "" }),
    insights: variable(Insights),
    comparison: variable(Comparison),
  },
  types: { CleanFilm, Insights, Comparison },
  methods: (method) => ({
    analyze: method({ kind: "run", output: Insights, description: "Analyses the films of `source`." }, async (self) => {
      requireCompleted("analyzer", await self.run(ANALYSIS_TASK));
      return self.retrieve("insights");
    }),
    compare: method(
      { kind: "run", input: z.object({ genre: z.string() }), output: Comparison, description: "What one genre does to the median return." },
      async (self, { genre }) => {
        await self.inject("chosenGenre", genre);
        requireCompleted("analyzer", await self.run(COMPARISON_TASK));
        return self.retrieve("comparison");
      },
    ),
  }),
});

export const models = demoModels();
