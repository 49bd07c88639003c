import { z } from "zod";

/**
 * What the agents report: the cleaner's counts, the analyzer's insights and its comparison. The descriptions define each figure; a model that
 * follows them finds what expected.ts finds. Nothing is rounded.
 */

const count = z.int().nonnegative();

/** What the cleaner did, one count a rule; all but `rowsOut` are counted over the raw rows. */
export const CleaningReport = z.strictObject({
  rowsIn: count.describe("raw rows"),
  rowsOut: count.describe("films left: rowsIn - missingTitles - duplicates"),
  numericTitles: count.describe("titles that were numbers; made text"),
  missingTitles: count.describe("rows without a title (null or blank); dropped"),
  lateDates: count.describe("release dates in a year after 2011; moved back 100 years"),
  missingGenres: count.describe("rows without 'Major Genre'; kept, genre null"),
  missingImdbRatings: count.describe("rows without 'IMDB Rating'; kept, null"),
  missingRottenTomatoesRatings: count.describe("rows without 'Rotten Tomatoes Rating'; kept, null"),
  zeroWorldwideGross: count.describe("rows with 'Worldwide Gross' 0, which stands for unknown; made null"),
  zeroUsGross: count.describe("rows with 'US Gross' 0, which stands for unknown; made null"),
  duplicates: count.describe("titled rows whose title and (mended) release day an earlier row has too; dropped"),
  repeatedTitles: count.describe("titles that more than one of the films left has: different films, kept"),
});
export type CleaningReport = z.infer<typeof CleaningReport>;

export const DecadeFigures = z.strictObject({
  decade: z.int().describe("first year, such as 1990; UTC year of the release"),
  films: count.describe("all cleaned films of the decade"),
  medianBudget: z.number().nullable().describe("median of the known production budgets; null when none is known"),
});
export type DecadeFigures = z.infer<typeof DecadeFigures>;

export const GenreReturn = z.strictObject({
  genre: z.string(),
  films: count.describe("films of the genre with a known return"),
  medianReturn: z.number().describe("median of the films' returns"),
  totalReturn: z.number().describe("sum of their worldwide grosses / sum of their budgets"),
});
export type GenreReturn = z.infer<typeof GenreReturn>;

export const BestReturn = z.strictObject({
  title: z.string(),
  year: z.int(),
  genre: z.string().nullable(),
  productionBudget: z.number(),
  worldwideGross: z.number(),
  return: z.number(),
});
export type BestReturn = z.infer<typeof BestReturn>;

/** A bar chart as data; the host draws it. */
export const ChartSpec = z.strictObject({
  title: z.string(),
  labelAxis: z.string().describe("what the bars are"),
  valueAxis: z.string().describe("what their length is"),
  countUnit: z.string().describe("what `count` counts, plural"),
  bars: z.array(z.strictObject({ label: z.string(), value: z.number().nonnegative(), count })).max(60),
});
export type ChartSpec = z.infer<typeof ChartSpec>;

/**
 * What the analyzer found in the cleaned films. A film's return is worldwide gross / production budget; it is known when both are known and the
 * budget is over 0.
 */
export const Insights = z.strictObject({
  perDecade: z.array(DecadeFigures).describe("ascending; decades with films only"),
  returnsByGenre: z
    .array(GenreReturn)
    .describe("genres with at least 20 films of known return, by median return, highest first; ties by genre"),
  ratingsCorrelation: z
    .strictObject({ films: count, pearson: z.number().nullable() })
    .describe("Pearson's correlation of IMDB and Rotten Tomatoes rating over the films that have both; null when undefined"),
  bestReturns: z.array(BestReturn).max(10).describe("the ten films with the highest return, highest first; ties by title"),
  chartSpec: ChartSpec.describe("the median returns of `returnsByGenre`, one bar a genre in the same order, `count` its films"),
});
export type Insights = z.infer<typeof Insights>;

/** What one genre does to the median return of all films. */
export const Comparison = z.strictObject({
  genre: z.string(),
  films: count.describe("films of the genre with a known return"),
  medianReturn: z.number().nullable().describe("median return of the genre; null without films"),
  allFilms: count.describe("all films with a known return"),
  medianOfAll: z.number().nullable(),
  medianWithout: z.number().nullable().describe("median return of all films but those of the genre"),
});
export type Comparison = z.infer<typeof Comparison>;
