import { createInlineRuntime } from "@karst/runtime";
import type { Runtime } from "@karst/runtime";
import { afterEach, describe, expect, test } from "vitest";
import { checkFindings } from "../check.ts";
import type { Findings } from "../check.ts";
import { computeExpected } from "../expected.ts";
import { loadMovies } from "../load-rows.ts";
import { Progress } from "../progress.ts";
import { CleaningReport, Comparison, Insights } from "../report.ts";
import { CleanFilm } from "../row.ts";
import type { Film } from "../row.ts";
import { ANALYSIS_TASK, CLEANING_TASK, COMPARISON_TASK, FIRST_TASK, SECOND_TASK } from "../tasks.ts";
import { selectReply } from "./select.ts";

/** An agent of the bare minimum: a runtime, a conversation, and the loop between the script and the cells. */
interface ScriptedAgent {
  readonly runtime: Runtime;
  /** How the cells of the last run ended: `ok`, or the name of the error. */
  readonly cells: string[];
  inject(name: string, value: unknown): Promise<void>;
  run(task: string): Promise<string>;
}

const opened: Runtime[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});

function createScriptedAgent(name: string): ScriptedAgent {
  const runtime = createInlineRuntime();
  opened.push(runtime);
  const messages: { role: "system" | "user" | "assistant"; content: string }[] = [
    { role: "system", content: `Rules.\n\nAgent: ${name}/demo.` },
  ];
  const cells: string[] = [];
  return {
    runtime,
    cells,
    inject: (variable, value) => runtime.inject({ kind: "variable", name: variable, value }),
    async run(task) {
      cells.length = 0;
      messages.push({ role: "user", content: task });
      for (;;) {
        const reply = selectReply({ messages });
        messages.push({ role: "assistant", content: reply });
        const code = /^```js\n([^]*?)\n```$/m.exec(reply)?.[1];
        if (code === undefined) return reply;
        const result = await runtime.execute(code);
        cells.push(result.error?.name ?? "ok");
        messages.push({ role: "user", content: `<result>\n${result.output}${result.error?.report ?? ""}\n</result>` });
      }
    },
  };
}

interface Demo {
  readonly agents: { readonly boss: ScriptedAgent; readonly cleaner: ScriptedAgent; readonly analyzer: ScriptedAgent };
  readonly progress: Progress;
  readonly answers: readonly string[];
  readonly findings: Findings;
}

/** Both tasks of the demo on `rows`, the agents wired by plain functions that copy what crosses. */
async function playDemo(rows: readonly Film[]): Promise<Demo> {
  const boss = createScriptedAgent("boss");
  const cleaner = createScriptedAgent("cleaner");
  const analyzer = createScriptedAgent("analyzer");
  const progress = new Progress();
  await cleaner.inject("progress", progress);
  await boss.inject("rawData", rows);
  await boss.inject("cleaner", {
    clean: async (input: { rows: Film[] }) => {
      await cleaner.inject("data", structuredClone(input.rows));
      await cleaner.run(CLEANING_TASK);
      return CleaningReport.parse(await cleaner.runtime.retrieve("cleaningReport"));
    },
    only: (...names: string[]) => ({ names, retrieve: async (name: string) => structuredClone(await cleaner.runtime.retrieve(name)) }),
  });
  await boss.inject("analyzer", {
    inject: (name: string, value: unknown) => analyzer.inject(name, value),
    analyze: async () => {
      await analyzer.run(ANALYSIS_TASK);
      return Insights.parse(await analyzer.runtime.retrieve("insights"));
    },
    compare: async ({ genre }: { genre: string }) => {
      await analyzer.inject("chosenGenre", genre);
      await analyzer.run(COMPARISON_TASK);
      return Comparison.parse(await analyzer.runtime.retrieve("comparison"));
    },
  });
  const answers = [await boss.run(FIRST_TASK), await boss.run(SECOND_TASK)];
  const comparison: unknown = await boss.runtime.retrieve("comparison");
  return {
    agents: { boss, cleaner, analyzer },
    progress,
    answers,
    findings: {
      report: CleaningReport.parse(await boss.runtime.retrieve("report")),
      insights: Insights.parse(await boss.runtime.retrieve("insights")),
      comparison: comparison === undefined ? undefined : Comparison.parse(comparison),
      cleaned: CleanFilm.array().parse(await cleaner.runtime.retrieve("cleaned")),
    },
  };
}

const wrong = (rows: readonly Film[], findings: Findings): unknown[] =>
  checkFindings(findings, computeExpected(rows)).filter(({ ok }) => !ok);

describe("the script, run cell by cell on the movies", () => {
  test("finds every figure that the host finds", async () => {
    const rows = await loadMovies();
    const { findings, answers } = await playDemo(rows);
    expect(wrong(rows, findings)).toEqual([]);
    expect(answers[0]).toContain("3200 of 3201 rows are films; 22 dates were a century late, 47 worldwide grosses of 0 were unknown.");
    expect(answers[1]).toBe(
      "Documentary has the highest median return, 2.699. Without its 40 films the median of all goes from 1.858 to 1.853.",
    );
  });

  test("has one early cell fail on the real titles and mends it", async () => {
    const { agents, progress } = await playDemo(await loadMovies());
    expect(agents.cleaner.cells).toEqual(["ok", "TypeError", "ok", "ok", "ok", "ok"]);
    expect(agents.analyzer.cells).toEqual(["ok"]);
    expect(agents.boss.cells).toEqual(["ok"]);
    expect(progress).toMatchObject({ rule: "repeated titles", done: 3_201, total: 3_201 });
    expect(progress.updates).toBeGreaterThan(10);
  });

  test("leaves the variables of the first task to the second", async () => {
    const { agents } = await playDemo(await loadMovies());
    for (const name of ["rawData", "report", "insights", "comparison"]) expect(agents.boss.runtime.has(name)).toBe(true);
    for (const name of ["films", "median", "returnOf", "known", "insights", "comparison"])
      expect(agents.analyzer.runtime.has(name)).toBe(true);
  });
});

describe("the script on a user's rows", () => {
  const row: Film = {
    Title: "A",
    "US Gross": 10,
    "Worldwide Gross": 20,
    "US DVD Sales": null,
    "Production Budget": 10,
    "Release Date": "Jun 12 1998",
    "MPAA Rating": null,
    "Running Time min": null,
    Distributor: null,
    Source: null,
    "Major Genre": "Drama",
    "Creative Type": null,
    Director: null,
    "Rotten Tomatoes Rating": 50,
    "IMDB Rating": 5,
    "IMDB Votes": 7,
  };

  test("works where all titles are text, so that nothing fails", async () => {
    const rows = (await loadMovies()).map((film) => ({ ...film, Title: String(film.Title) }));
    const { agents, findings } = await playDemo(rows);
    expect(agents.cleaner.cells).toEqual(["ok", "ok", "ok", "ok", "ok", "ok"]);
    expect(wrong(rows, findings)).toEqual([]);
  });

  test("works with duplicates, blank titles, one row, and nothing known", async () => {
    const empty: Film = {
      ...row,
      "Worldwide Gross": null,
      "Production Budget": null,
      "IMDB Rating": null,
      "Rotten Tomatoes Rating": null,
      "Major Genre": null,
    };
    for (const rows of [
      [row],
      [empty],
      [{ ...row, Title: null }],
      [
        row,
        { ...row, "US Gross": 0 },
        { ...row, "Release Date": "Jun 12 2098" },
        { ...row, Title: " A " },
        { ...row, Title: "  " },
        { ...row, "Production Budget": 0 },
      ],
    ]) {
      const { answers, findings } = await playDemo(rows);
      expect(wrong(rows, findings)).toEqual([]);
      expect(answers[1]).toBe("No genre has 20 films of known return, so there is nothing to compare.");
      expect(findings.comparison).toBeUndefined();
    }
  });

  test("breaks ties as the host does", async () => {
    const rows = Array.from({ length: 90 }, (_, index) => ({
      ...row,
      Title: `T${String(index)}`,
      "Major Genre": `G${String(index % 3)}`,
      "Worldwide Gross": 10 * (1 + (index % 5)),
    }));
    expect(wrong(rows, (await playDemo(rows)).findings)).toEqual([]);
  });
});
