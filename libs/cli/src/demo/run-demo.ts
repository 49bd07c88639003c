import type { System } from "@karst/agent";
import type { RunResult } from "@karst/agent";
import { estimateTokens } from "@karst/model";
import { checkFindings } from "./check.ts";
import type { FigureCheck, Findings } from "./check.ts";
import { Analyzer } from "./classes/analyzer.ts";
import { Boss } from "./classes/boss.ts";
import { Cleaner } from "./classes/cleaner.ts";
import { foldCrossing, NOTHING_CROSSED, summarizeCrossing } from "./crossing.ts";
import type { CrossingSummary } from "./crossing.ts";
import { computeExpected } from "./expected.ts";
import type { Film } from "./row.ts";
import { FIRST_TASK, SECOND_TASK } from "./tasks.ts";
import type { KarstEvent } from "@karst/events";

export interface DemoOutcome {
  readonly runs: readonly RunResult[];
  /** What the agents handed over; absent when a run failed before it was there. */
  readonly findings: Findings | undefined;
  readonly checks: readonly FigureCheck[];
  readonly crossing: CrossingSummary;
  /** Updates of the cleaner's live progress object, counted by its host. */
  readonly progressUpdates: number;
  /** Both runs completed, and every figure equals the host's own computation. */
  readonly ok: boolean;
}

export interface DemoRun {
  readonly system: System;
  readonly rows: readonly Film[];
  readonly signal: AbortSignal;
  readonly onEvent: (event: KarstEvent) => void;
  readonly onTask: (task: string) => void;
}

const ID = "demo";
const EVENTS_MS = 5_000;

/** The main job: two tasks for an orchestrator that holds a cleaner and an analyzer as handles; then the host's own check of each figure. */
export async function runDemo({ system, rows, signal, onEvent, onTask }: DemoRun): Promise<DemoOutcome> {
  const watching = new AbortController();
  const events = await system.events({ signal: watching.signal });
  let crossing = NOTHING_CROSSED;
  const seen = countdown();
  const watched = (async () => {
    for await (const event of events) {
      crossing = foldCrossing(crossing, event);
      // what the agents did for a run has been seen when the end of its call is: each event was published before the reply that follows from it
      if ((event.type === "call-ended" || event.type === "call-failed") && event.method === "run" && event.from === "operator")
        seen.count();
      onEvent(event);
    }
  })();
  try {
    const boss = system.agent(Boss, ID);
    const cleaner = system.agent(Cleaner, ID);
    const analyzer = system.agent(Analyzer, ID);
    await boss.inject("rawData", [...rows]);
    await boss.inject("cleaner", cleaner.only("clean", "retrieve"));
    await boss.inject("analyzer", analyzer.only("inject", "analyze", "compare"));
    const runs: RunResult[] = [];
    for (const task of [FIRST_TASK, SECOND_TASK]) {
      signal.throwIfAborted();
      onTask(task);
      const run = await boss.run(task, { signal });
      runs.push(run);
      if (!run.completed) break;
    }
    await seen.reached(runs.length, EVENTS_MS);
    const complete = runs.length === 2 && runs.every((run) => run.completed);
    const findings = complete ? await collectFindings(system) : undefined;
    const { progressUpdates } = await cleaner.state("progressUpdates");
    const checks = findings === undefined ? [] : checkFindings(findings, computeExpected(rows));
    const summary = summarizeCrossing(crossing, {
      orchestrator: `default/${Boss.name}/${ID}`,
      rawRows: rows,
      cleanedRows: findings?.cleaned ?? [],
      estimateTokens,
    });
    return {
      runs,
      findings,
      checks,
      crossing: summary,
      progressUpdates,
      ok: complete && checks.length > 0 && checks.every((check) => check.ok),
    };
  } finally {
    watching.abort();
    await watched;
  }
}

/** Resolves when so many were counted, or after `timeoutMs`: figures of what crossed are then short, and nothing waits for ever. */
function countdown(): { count(): void; reached(wanted: number, timeoutMs: number): Promise<void> } {
  let counted = 0;
  let wake: () => void = () => undefined;
  return {
    count() {
      counted += 1;
      wake();
    },
    reached: (wanted, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        wake = () => {
          if (counted < wanted) return;
          clearTimeout(timer);
          resolve();
        };
        wake();
      }),
  };
}

/** What the agents handed over, retrieved from their runtimes; undefined when a model left one out. */
async function collectFindings(system: System): Promise<Findings | undefined> {
  const boss = system.agent(Boss, ID);
  const cleaner = system.agent(Cleaner, ID);
  try {
    const report = await boss.retrieve("report");
    const insights = await boss.retrieve("insights");
    const cleaned = await cleaner.retrieve("cleaned");
    const comparison = insights.returnsByGenre.length > 0 ? await boss.retrieve("comparison") : undefined;
    return { report, insights, comparison, cleaned };
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "NoSuchName" || error.code === "InvalidValue")) return undefined;
    throw error;
  }
}
