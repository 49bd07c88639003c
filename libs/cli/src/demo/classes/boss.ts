import { defineAgent, handle, variable } from "@karst/agent";
import { z } from "zod";
import { demoModels } from "../models.ts";
import { Comparison, CleaningReport, Insights } from "../report.ts";
import { Film } from "../row.ts";
import { BOSS_INSTRUCTIONS } from "../tasks.ts";
import { Analyzer as AnalyzerClass } from "./analyzer.ts";
import { Cleaner as CleanerClass } from "./cleaner.ts";

/** Holds the other two as handles, and directs them. */
export const Boss = defineAgent({
  name: "boss",
  version: 1,
  role: "orchestrator",
  description: "Directs a cleaner and an analyzer.",
  instructions: BOSS_INSTRUCTIONS,
  variables: {
    rawData: variable(z.array(Film), { default: () => [], description: "Raw rows.", preview: false }),
    cleaner: handle(CleanerClass, { only: ["clean", "retrieve"] }),
    analyzer: handle(AnalyzerClass, { only: ["inject", "analyze", "compare"] }),
    report: variable(CleaningReport),
    insights: variable(Insights),
    comparison: variable(Comparison),
  },
});

export const models = demoModels();
