import { cleanRows } from "./cleaning-rules.ts";
import type { Cleaning } from "./cleaning-rules.ts";
import { groupBy } from "./group-by.ts";
import type { BestReturn, Comparison, DecadeFigures, GenreReturn, Insights } from "./report.ts";
import type { CleanFilm, Film } from "./row.ts";

/**
 * The host's own computation of everything the agents are to find, by the definitions in report.ts and written apart from their cells.
 */
export interface Expected extends Cleaning {
  readonly insights: Insights;
  /** For the genre with the highest median return; absent when no genre has 20 films of known return. */
  readonly comparison: Comparison | undefined;
}

const FEWEST_FILMS = 20;
const BEST = 10;

/** Everything the agents are to find in `rows`. */
export function computeExpected(rows: readonly Film[]): Expected {
  const cleaning = cleanRows(rows);
  const insights = findInsights(cleaning.cleaned);
  const best = insights.returnsByGenre[0];
  return { ...cleaning, insights, comparison: best === undefined ? undefined : compareGenre(cleaning.cleaned, best.genre) };
}

/** A film of known return. */
interface Earner {
  readonly film: CleanFilm;
  readonly gross: number;
  readonly budget: number;
  readonly ratio: number;
}

/** Films whose worldwide gross and production budget are known and whose budget is over 0. */
function earners(films: readonly CleanFilm[]): Earner[] {
  return films.flatMap((film) => {
    const { worldwideGross: gross, productionBudget: budget } = film;
    return gross === null || budget === null || budget === 0 ? [] : [{ film, gross, budget, ratio: gross / budget }];
  });
}

/** The middle value, or the mean of the two middle ones; null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Order of code units, the same on every machine. */
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The insights of report.ts over cleaned films. */
export function findInsights(films: readonly CleanFilm[]): Insights {
  const returnsByGenre = genreReturns(films);
  return {
    perDecade: decadeFigures(films),
    returnsByGenre,
    ratingsCorrelation: ratingsCorrelation(films),
    bestReturns: bestReturns(films),
    chartSpec: {
      title: "Median return on budget by genre",
      labelAxis: "genre",
      valueAxis: "worldwide gross / production budget",
      countUnit: "films",
      bars: returnsByGenre.map(({ genre, films: count, medianReturn }) => ({ label: genre, value: medianReturn, count })),
    },
  };
}

function decadeFigures(films: readonly CleanFilm[]): DecadeFigures[] {
  const decades = groupBy(films, ({ released }) => released.getUTCFullYear() - (released.getUTCFullYear() % 10));
  return [...decades]
    .map(([decade, members]) => ({
      decade,
      films: members.length,
      medianBudget: median(members.flatMap(({ productionBudget }) => productionBudget ?? [])),
    }))
    .toSorted((a, b) => a.decade - b.decade);
}

function genreReturns(films: readonly CleanFilm[]): GenreReturn[] {
  return [...groupBy(earners(films), ({ film }) => film.genre)]
    .flatMap(([genre, members]) => {
      const medianReturn = median(members.map(({ ratio }) => ratio));
      if (genre === null || medianReturn === null || members.length < FEWEST_FILMS) return [];
      const totalReturn = sum(members.map(({ gross }) => gross)) / sum(members.map(({ budget }) => budget));
      return [{ genre, films: members.length, medianReturn, totalReturn }];
    })
    .toSorted((a, b) => b.medianReturn - a.medianReturn || byText(a.genre, b.genre));
}

/** Pearson's r from the deviations of both means; null for fewer than two films or when one rating never varies. */
function ratingsCorrelation(films: readonly CleanFilm[]): Insights["ratingsCorrelation"] {
  const pairs = films.flatMap(({ imdbRating, rottenTomatoesRating }) =>
    imdbRating === null || rottenTomatoesRating === null ? [] : [{ x: imdbRating, y: rottenTomatoesRating }],
  );
  const meanX = sum(pairs.map(({ x }) => x)) / pairs.length;
  const meanY = sum(pairs.map(({ y }) => y)) / pairs.length;
  const spread = Math.sqrt(sum(pairs.map(({ x }) => (x - meanX) ** 2)) * sum(pairs.map(({ y }) => (y - meanY) ** 2)));
  return { films: pairs.length, pearson: spread > 0 ? sum(pairs.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread : null };
}

function bestReturns(films: readonly CleanFilm[]): BestReturn[] {
  return earners(films)
    .toSorted((a, b) => b.ratio - a.ratio || byText(a.film.title, b.film.title))
    .slice(0, BEST)
    .map(({ film, gross, budget, ratio }) => ({
      title: film.title,
      year: film.released.getUTCFullYear(),
      genre: film.genre,
      productionBudget: budget,
      worldwideGross: gross,
      return: ratio,
    }));
}

/** What `genre` does to the median return of all films. */
export function compareGenre(films: readonly CleanFilm[], genre: string): Comparison {
  const all = earners(films);
  const medianOf = (members: readonly Earner[]): number | null => median(members.map(({ ratio }) => ratio));
  const inside = all.filter(({ film }) => film.genre === genre);
  return {
    genre,
    films: inside.length,
    medianReturn: medianOf(inside),
    allFilms: all.length,
    medianOfAll: medianOf(all),
    medianWithout: medianOf(all.filter(({ film }) => film.genre !== genre)),
  };
}
