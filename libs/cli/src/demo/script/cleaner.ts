import { CLEANING_TASK } from "../tasks.ts";
import { printedLines, withCell } from "./reply.ts";
import type { Script } from "./reply.ts";

/** The cleaner's run: look, a first draft that fails on a title that is no text, the mended one, then rule by rule. */

const LOOK = withCell(
  "I look at the rows before I touch them.",
  String.raw`
const columns = Object.keys(data[0]);
const gaps = {};
for (const column of columns) {
  const missing = data.filter((row) => row[column] === null).length;
  if (missing > 0) gaps[column] = missing;
}
let firstYear = Infinity, lastYear = -Infinity;
for (const row of data) {
  const year = Number(row["Release Date"].slice(-4));
  firstYear = Math.min(firstYear, year);
  lastYear = Math.max(lastYear, year);
}
console.log(data.length, "rows,", columns.length, "columns, release years", firstYear, "to", lastYear);
console.log("missing:", JSON.stringify(gaps));
console.log("a gross of 0:", data.filter((row) => row["Worldwide Gross"] === 0).length, "worldwide,",
  data.filter((row) => row["US Gross"] === 0).length, "US");
`,
);

const DRAFT = withCell(
  "Titles, dates and zeros need work. A first draft of the rule for titles:",
  String.raw`
const counts = { numericTitles: 0, missingTitles: 0 };
const named = [];
for (const row of data) {
  const title = row.Title.trim();
  if (title === "") counts.missingTitles += 1;
  else named.push({ row, title });
}
console.log(named.length, "rows with a title");
`,
);

const TITLES = String.raw`
const counts = { numericTitles: 0, missingTitles: 0 };
const named = [];
for (const [index, row] of data.entries()) {
  if (index % 800 === 0) await progress.update("titles", index, data.length);
  if (typeof row.Title === "number") counts.numericTitles += 1;
  const title = row.Title === null ? "" : String(row.Title).trim();
  if (title === "") counts.missingTitles += 1;
  else named.push({ row, title });
}
await progress.update("titles", data.length, data.length);
console.log(named.length, "rows with a title;", counts.numericTitles, "numbers made text,", counts.missingTitles, "dropped");
`;

const DATES = withCell(
  "Now the dates: the data ends in 2011, what lies beyond was read a century late.",
  String.raw`
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
function releaseDay(text) {
  const [month, day, year] = text.split(" ");
  const mended = Number(year) > 2011 ? Number(year) - 100 : Number(year);
  return new Date(Date.UTC(mended, MONTHS.indexOf(month), Number(day)));
}
counts.lateDates = data.filter((row) => Number(row["Release Date"].slice(-4)) > 2011).length;
let dated = 0;
for (const entry of named) {
  entry.released = releaseDay(entry.row["Release Date"]);
  dated += 1;
  if (dated % 800 === 0) await progress.update("dates", dated, named.length);
}
await progress.update("dates", named.length, named.length);
const late = named.find(({ row }) => Number(row["Release Date"].slice(-4)) > 2011);
console.log(counts.lateDates, "dates moved back 100 years", late ? "- " + late.title + " is now of " + late.released.getUTCFullYear() : "");
`,
);

const GAPS = withCell(
  "Grosses of 0 stand for unknown; genres and ratings that are missing stay unknown, I only count them.",
  String.raw`
const without = (column) => data.filter((row) => row[column] === null).length;
counts.missingGenres = without("Major Genre");
counts.missingImdbRatings = without("IMDB Rating");
counts.missingRottenTomatoesRatings = without("Rotten Tomatoes Rating");
counts.zeroWorldwideGross = data.filter((row) => row["Worldwide Gross"] === 0).length;
counts.zeroUsGross = data.filter((row) => row["US Gross"] === 0).length;
const toFilm = ({ row, title, released }) => ({
  title, released,
  genre: row["Major Genre"],
  usGross: row["US Gross"] || null,
  worldwideGross: row["Worldwide Gross"] || null,
  usDvdSales: row["US DVD Sales"],
  productionBudget: row["Production Budget"],
  mpaaRating: row["MPAA Rating"],
  runningTimeMin: row["Running Time min"],
  distributor: row.Distributor,
  source: row.Source,
  creativeType: row["Creative Type"],
  director: row.Director,
  rottenTomatoesRating: row["Rotten Tomatoes Rating"],
  imdbRating: row["IMDB Rating"],
  imdbVotes: row["IMDB Votes"],
});
const candidates = named.map(toFilm);
await progress.update("gaps and zeros", candidates.length, candidates.length);
console.log(JSON.stringify(counts));
`,
);

const REPEATS = withCell(
  "Last, repeated titles: the same title on the same day is a duplicate, on another day it is another film and stays.",
  String.raw`
const cleaned = [];
const days = new Map();
counts.duplicates = 0;
for (const film of candidates) {
  const known = days.get(film.title) ?? [];
  if (known.includes(film.released.getTime())) { counts.duplicates += 1; continue; }
  days.set(film.title, [...known, film.released.getTime()]);
  cleaned.push(film);
}
const repeated = [...days].filter(([, released]) => released.length > 1).map(([title]) => title);
const cleaningReport = { rowsIn: data.length, rowsOut: cleaned.length, ...counts, repeatedTitles: repeated.length };
await progress.update("repeated titles", data.length, data.length);
console.log("repeated:", repeated.slice(0, 5).join("; "));
console.log("DONE " + cleaned.length + " films are in cleaned; " + repeated.length + " titles stand for several films, " + counts.duplicates + " duplicates went.");
`,
);

export const CLEANER_SCRIPT: Script = {
  agent: "cleaner",
  task: CLEANING_TASK,
  replies: [
    { text: LOOK },
    { after: /^a gross of 0:/m, text: DRAFT },
    {
      after: /TypeError|rows with a title$/m,
      // A user's own rows may have text titles only: then the draft has worked.
      text: (last) =>
        last.includes("TypeError")
          ? withCell("Some title is no text, so it has no `trim`. I treat numbers and missing titles apart:", TITLES)
          : withCell("The draft works on these rows. I run it again with all counts and with progress:", TITLES),
    },
    { after: /numbers made text, \d+ dropped$/m, text: DATES },
    { after: /dates moved back 100 years/, text: GAPS },
    { after: /"zeroUsGross":\d+/, text: REPEATS },
    {
      after: /^DONE /m,
      text: (last) => ["Cleaned.", ...printedLines(last, "DONE"), "The counts per rule are in `cleaningReport`."].join(" "),
    },
  ],
};
