import { FIRST_TASK, SECOND_TASK } from "../tasks.ts";
import { printedLines, withCell } from "./reply.ts";
import type { Script } from "./reply.ts";

/** The orchestrator's two runs: clean and analyse, then a question that reuses what the first left behind. */

const CLEAN = withCell(
  "I give the raw rows to the cleaner and keep its report.",
  String.raw`
const report = await cleaner.clean({ rows: rawData });
console.log(report.rowsIn, "rows in,", report.rowsOut, "films out");
console.log(report.numericTitles, "numeric titles,", report.lateDates, "late dates,", report.zeroWorldwideGross, "unknown grosses,",
  report.repeatedTitles, "repeated titles kept");
`,
);

const ANALYSE = withCell(
  "The analyzer gets a handle that can only retrieve, so the films go to it directly.",
  String.raw`
await analyzer.inject("source", cleaner.only("retrieve"));
const insights = await analyzer.analyze();
const say = (line) => console.log("ANSWER " + line);
const top = insights.returnsByGenre[0];
const best = insights.bestReturns[0];
const busiest = [...insights.perDecade].sort((a, b) => b.films - a.films)[0];
say("- " + report.rowsOut + " of " + report.rowsIn + " rows are films; " + report.lateDates + " dates were a century late, "
  + report.zeroWorldwideGross + " worldwide grosses of 0 were unknown.");
if (busiest) say("- The " + busiest.decade + "s have the most films, " + busiest.films + ".");
if (top) say("- " + top.genre + " earns best: a median return of " + top.medianReturn.toFixed(2) + " times the budget over " + top.films + " films.");
if (insights.ratingsCorrelation.pearson !== null)
  say("- The two ratings correlate with " + insights.ratingsCorrelation.pearson.toFixed(3) + " over " + insights.ratingsCorrelation.films + " films.");
if (best) say("- The best return of all: " + best.title + " (" + best.year + "), " + Math.round(best.return) + " times its budget.");
`,
);

const COMPARE = withCell(
  "`insights` is still here; its first genre is the one.",
  String.raw`
const winner = insights.returnsByGenre[0];
let comparison;
if (winner) {
  comparison = await analyzer.compare({ genre: winner.genre });
  const text = (value) => (value === null ? "unknown" : value.toFixed(3));
  console.log("ANSWER " + comparison.genre + " has the highest median return, " + text(comparison.medianReturn) + ". Without its " + comparison.films
    + " films the median of all goes from " + text(comparison.medianOfAll) + " to " + text(comparison.medianWithout) + ".");
} else console.log("ANSWER No genre has 20 films of known return, so there is nothing to compare.");
`,
);

export const FIRST_SCRIPT: Script = {
  agent: "boss",
  task: FIRST_TASK,
  replies: [
    { text: CLEAN },
    { after: /rows in, \d+ films out$/m, text: ANALYSE },
    { after: /^ANSWER /m, text: (last) => ["The films are cleaned and analysed:", "", ...printedLines(last, "ANSWER")].join("\n") },
  ],
};

export const SECOND_SCRIPT: Script = {
  agent: "boss",
  task: SECOND_TASK,
  replies: [{ text: COMPARE }, { after: /^ANSWER /m, text: (last) => printedLines(last, "ANSWER").join("\n") }],
};
