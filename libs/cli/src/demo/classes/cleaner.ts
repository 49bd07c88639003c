import { defineAgent, field, type, variable } from "@karst/agent";
import { z } from "zod";
import { requireCompleted } from "../require-completed.ts";
import { demoModels } from "../models.ts";
import { Progress } from "../progress.ts";
import { CleaningReport } from "../report.ts";
import { CleanFilm, Film } from "../row.ts";
import { CLEANER_INSTRUCTIONS, CLEANING_TASK } from "../tasks.ts";

/** Cleans films; the cleaned rows stay in its runtime until someone who may retrieves them. */
export const Cleaner = defineAgent({
  name: "cleaner",
  version: 1,
  description: "Cleans tabular data about films.",
  instructions: CLEANER_INSTRUCTIONS,
  fields: {
    rowsIn: field(z.int().nonnegative(), { default: 0, visibleTo: ["orchestrator"], show: "always" }),
    /** How often cells updated the live progress object. */
    progressUpdates: field(z.int().nonnegative(), { default: 0, visibleTo: ["orchestrator"] }),
  },
  variables: {
    data: variable(z.array(Film), { default: () => [], description: "Raw rows." }),
    progress: variable(z.instanceof(Progress), {
      default: () => new Progress(),
      description: "Lives in the host process.",
      preview: false,
    }),
    cleaned: variable(z.array(CleanFilm)),
    cleaningReport: variable(CleaningReport),
  },
  types: { Progress: type(Progress, { doc: "signatures" }), CleanFilm, CleaningReport },
  methods: (method) => ({
    clean: method(
      {
        kind: "run",
        input: z.object({ rows: z.array(Film) }),
        output: CleaningReport,
        description: "Cleans the rows; they stay here as `cleaned`.",
      },
      async (self, { rows }) => {
        const progress = new Progress();
        await self.inject("data", rows);
        await self.inject("progress", progress);
        requireCompleted("cleaner", await self.run(CLEANING_TASK));
        self.state.rowsIn = rows.length;
        self.state.progressUpdates = progress.updates;
        const cleaned = await self.retrieve("cleaned");
        self.emit("cleaned", { rows: cleaned.length });
        return self.retrieve("cleaningReport");
      },
    ),
  }),
  emits: { cleaned: z.object({ rows: z.int() }) },
});

export const models = demoModels();
