import { MalformedError } from "@karst/events";
import { groupBy } from "./group-by.ts";
import type { CleaningReport } from "./report.ts";
import { parseDay } from "./row.ts";
import type { CleanFilm, Film } from "./row.ts";

/**
 * The host's own cleaning, rule by rule as report.ts defines them. The cleaner's cells are written apart from it and are checked against it.
 */
export interface Cleaning {
  readonly report: CleaningReport;
  readonly cleaned: readonly CleanFilm[];
}

/** The last year the data truly reaches; later ones are two-digit years read a century late. */
const LAST_TRUE_YEAR = 2011;

/** The title as text without blanks around it; undefined when there is none. */
export function titleText({ Title: title }: Film): string | undefined {
  const text = title === null ? "" : String(title).trim();
  return text === "" ? undefined : text;
}

/** Whether the release year lies after 2011. */
export function isLate(row: Film): boolean {
  return Number(row["Release Date"].slice(-4)) > LAST_TRUE_YEAR;
}

/** Midnight UTC of the release day; 100 years earlier when it is late. */
export function releaseDay(row: Film): Date {
  const written = row["Release Date"];
  const day = parseDay(written);
  if (day === undefined) throw new MalformedError("a release date", `${JSON.stringify(written)} is no day of the calendar`);
  if (isLate(row)) day.setUTCFullYear(day.getUTCFullYear() - 100);
  return day;
}

const unlessZero = (dollars: number | null): number | null => (dollars === 0 ? null : dollars);

function cleanFilm(row: Film, title: string): CleanFilm {
  return {
    title,
    released: releaseDay(row),
    genre: row["Major Genre"],
    usGross: unlessZero(row["US Gross"]),
    worldwideGross: unlessZero(row["Worldwide Gross"]),
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
  };
}

/** Cleans `rows`; order is kept. */
export function cleanRows(rows: readonly Film[]): Cleaning {
  const count = (rule: (row: Film) => boolean): number => rows.filter(rule).length;
  const titled = rows.flatMap((row) => {
    const title = titleText(row);
    return title === undefined ? [] : [cleanFilm(row, title)];
  });
  const firstOf = new Map<string, CleanFilm>();
  for (const film of titled) {
    const identity = JSON.stringify([film.title, film.released]);
    if (!firstOf.has(identity)) firstOf.set(identity, film);
  }
  const cleaned = [...firstOf.values()];
  const perTitle = groupBy(cleaned, (film) => film.title);
  return {
    cleaned,
    report: {
      rowsIn: rows.length,
      rowsOut: cleaned.length,
      numericTitles: count((row) => typeof row.Title === "number"),
      missingTitles: count((row) => titleText(row) === undefined),
      lateDates: count(isLate),
      missingGenres: count((row) => row["Major Genre"] === null),
      missingImdbRatings: count((row) => row["IMDB Rating"] === null),
      missingRottenTomatoesRatings: count((row) => row["Rotten Tomatoes Rating"] === null),
      zeroWorldwideGross: count((row) => row["Worldwide Gross"] === 0),
      zeroUsGross: count((row) => row["US Gross"] === 0),
      duplicates: titled.length - cleaned.length,
      repeatedTitles: [...perTitle.values()].filter((films) => films.length > 1).length,
    },
  };
}
