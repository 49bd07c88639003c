import { z } from "zod";

/**
 * A film as the data has it, and as the cleaner leaves it. Money is in US dollars, never adjusted for inflation; null means unknown.
 */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const dollars = z.int().nonnegative().nullable();
const text = z.string().nullable();

/** Midnight UTC of a day written `Jun 12 1998`; undefined when it is no day of the calendar. */
export function parseDay(written: string): Date | undefined {
  const [, month = "", day = "", year = ""] = /^([A-Z][a-z]{2}) (\d{2}) ([12]\d{3})$/.exec(written) ?? [];
  const at = MONTHS.indexOf(month);
  if (at < 0) return undefined;
  const date = new Date(Date.UTC(Number(year), at, Number(day)));
  return date.getUTCMonth() === at ? date : undefined; // another month: no such day
}

/** One row of `movies.json`, exactly as it stands there: 16 columns, all present. */
export const Film = z.strictObject({
  Title: z.union([z.string(), z.number()]).nullable().describe("text, a number (the film '300') or null"),
  "US Gross": dollars.describe("US dollars; 0 stands for unknown"),
  "Worldwide Gross": dollars.describe("US dollars; 0 stands for unknown"),
  "US DVD Sales": dollars.describe("US dollars"),
  "Production Budget": dollars.describe("US dollars"),
  "Release Date": z
    .string()
    .refine((written) => parseDay(written) !== undefined, "a day such as 'Jun 12 1998'")
    .describe("such as 'Jun 12 1998'"),
  "MPAA Rating": text,
  "Running Time min": z.int().nonnegative().nullable(),
  Distributor: text,
  Source: text,
  "Major Genre": text,
  "Creative Type": text,
  Director: text,
  "Rotten Tomatoes Rating": z.number().min(0).max(100).nullable().describe("per cent of good reviews"),
  "IMDB Rating": z.number().min(0).max(10).nullable().describe("0 to 10"),
  "IMDB Votes": z.int().nonnegative().nullable(),
});
export type Film = z.infer<typeof Film>;

/** The columns of a raw row, in the data's order. */
export const FILM_COLUMNS: readonly string[] = Object.keys(Film.shape);

/** A cleaned film: one name per column, text titles, true dates, null where a value is unknown. */
export const CleanFilm = z.strictObject({
  title: z.string().min(1),
  released: z.date().describe("midnight UTC of the release day"),
  genre: text.describe("the column 'Major Genre'"),
  usGross: dollars.describe("never 0"),
  worldwideGross: dollars.describe("never 0"),
  usDvdSales: dollars,
  productionBudget: dollars,
  mpaaRating: text,
  runningTimeMin: z.int().nonnegative().nullable(),
  distributor: text,
  source: text,
  creativeType: text,
  director: text,
  rottenTomatoesRating: z.number().nullable(),
  imdbRating: z.number().nullable(),
  imdbVotes: z.int().nonnegative().nullable(),
});
export type CleanFilm = z.infer<typeof CleanFilm>;
