import { ANALYSIS_TASK, COMPARISON_TASK } from "../tasks.ts";
import { printedLines, withCell } from "./reply.ts";
import type { Script } from "./reply.ts";

/** The analyzer's runs: the analysis, whose helpers stay, and a comparison that uses them. */

const FETCH = withCell(
  "I fetch the cleaned films straight from the cleaner.",
  String.raw`
const films = await source.retrieve("cleaned");
console.log(films.length, "films are here; the first is", films[0]?.title, "of", films[0]?.released.getUTCFullYear());
`,
);

const HELPERS = withCell(
  "A few helpers that every question needs:",
  String.raw`
function median(values) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
function groups(items, keyOf) {
  const found = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(item);
  }
  return found;
}
const returnOf = (film) => film.worldwideGross / film.productionBudget;
const known = films.filter((film) => film.worldwideGross !== null && film.productionBudget !== null && film.productionBudget > 0);
const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
console.log(known.length, "films have a known return; their median is", median(known.map(returnOf)));
`,
);

const BY_GROUP = withCell(
  "Decades and genres:",
  String.raw`
const perDecade = [];
for (const [decade, members] of groups(films, (film) => Math.floor(film.released.getUTCFullYear() / 10) * 10)) {
  const budgets = members.map((film) => film.productionBudget).filter((budget) => budget !== null);
  perDecade.push({ decade, films: members.length, medianBudget: median(budgets) });
}
perDecade.sort((a, b) => a.decade - b.decade);

const returnsByGenre = [];
for (const [genre, members] of groups(known, (film) => film.genre)) {
  if (genre === null || members.length < 20) continue;
  let gross = 0, budget = 0;
  for (const film of members) { gross += film.worldwideGross; budget += film.productionBudget; }
  returnsByGenre.push({ genre, films: members.length, medianReturn: median(members.map(returnOf)), totalReturn: gross / budget });
}
returnsByGenre.sort((a, b) => b.medianReturn - a.medianReturn || inOrder(a.genre, b.genre));
console.log(perDecade.length, "decades,", returnsByGenre.length, "genres with at least 20 films");
`,
);

const RATINGS = withCell(
  "The two ratings, and the ten best returns:",
  String.raw`
function pearson(pairs) {
  const n = pairs.length;
  let sx = 0, sy = 0;
  for (const [x, y] of pairs) { sx += x; sy += y; }
  let xy = 0, xx = 0, yy = 0;
  for (const [x, y] of pairs) {
    const dx = x - sx / n, dy = y - sy / n;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}
const rated = films.filter((film) => film.imdbRating !== null && film.rottenTomatoesRating !== null);
const ratingsCorrelation = { films: rated.length, pearson: pearson(rated.map((film) => [film.imdbRating, film.rottenTomatoesRating])) };
const bestReturns = [...known]
  .sort((a, b) => returnOf(b) - returnOf(a) || inOrder(a.title, b.title))
  .slice(0, 10)
  .map((film) => ({
    title: film.title, year: film.released.getUTCFullYear(), genre: film.genre,
    productionBudget: film.productionBudget, worldwideGross: film.worldwideGross, return: returnOf(film),
  }));
console.log("correlation", ratingsCorrelation.pearson, "over", rated.length, "films; best return:", bestReturns[0]?.title);
`,
);

const TOGETHER = withCell(
  "The chart, and everything together:",
  String.raw`
const chartSpec = {
  title: "Median return on budget by genre",
  labelAxis: "genre",
  valueAxis: "worldwide gross / production budget",
  countUnit: "films",
  bars: returnsByGenre.map(({ genre, medianReturn, films: count }) => ({ label: genre, value: medianReturn, count })),
};
const insights = { perDecade, returnsByGenre, ratingsCorrelation, bestReturns, chartSpec };
console.log("DONE " + perDecade.length + " decades, " + returnsByGenre.length + " genres, " + bestReturns.length + " best returns and a chart of "
  + chartSpec.bars.length + " bars.");
`,
);

const COMPARE = withCell(
  "The films of known return and the helpers are still here.",
  String.raw`
const inside = known.filter((film) => film.genre === chosenGenre);
const outside = known.filter((film) => film.genre !== chosenGenre);
const comparison = {
  genre: chosenGenre,
  films: inside.length,
  medianReturn: median(inside.map(returnOf)),
  allFilms: known.length,
  medianOfAll: median(known.map(returnOf)),
  medianWithout: median(outside.map(returnOf)),
};
console.log("DONE without " + chosenGenre + " the median return goes from " + comparison.medianOfAll + " to " + comparison.medianWithout + ".");
`,
);

export const ANALYSIS_SCRIPT: Script = {
  agent: "analyzer",
  task: ANALYSIS_TASK,
  replies: [
    { text: FETCH },
    { after: /films are here/, text: HELPERS },
    { after: /films have a known return/, text: BY_GROUP },
    { after: /genres with at least 20 films$/m, text: RATINGS },
    { after: /^correlation /m, text: TOGETHER },
    { after: /^DONE /m, text: (last) => ["`insights` holds", ...printedLines(last, "DONE")].join(" ") },
  ],
};

export const COMPARISON_SCRIPT: Script = {
  agent: "analyzer",
  task: COMPARISON_TASK,
  replies: [{ text: COMPARE }, { after: /^DONE /m, text: (last) => ["`comparison` is set:", ...printedLines(last, "DONE")].join(" ") }],
};
