import { describe, expect, test } from "vitest";
import { cleanRows, releaseDay } from "./cleaning-rules.ts";
import { compareGenre, computeExpected, findInsights } from "./expected.ts";
import { loadMovies } from "./load-rows.ts";
import { CleaningReport, Comparison, Insights } from "./report.ts";
import { CleanFilm } from "./row.ts";
import type { Film } from "./row.ts";

const raw: Film = {
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
const row = (change: Partial<Film>): Film => ({ ...raw, ...change });
const films = (...changes: Partial<Film>[]): readonly CleanFilm[] =>
  cleanRows(changes.map((change, index) => row({ Title: `T${String(index)}`, ...change }))).cleaned;

describe("the movies", () => {
  test("have what the task says is wrong with them, counted", async () => {
    expect(computeExpected(await loadMovies()).report).toEqual({
      rowsIn: 3_201,
      rowsOut: 3_200,
      numericTitles: 9,
      missingTitles: 1,
      lateDates: 22,
      missingGenres: 275,
      missingImdbRatings: 213,
      missingRottenTomatoesRatings: 880,
      zeroWorldwideGross: 47,
      zeroUsGross: 66,
      duplicates: 0,
      repeatedTitles: 24,
    });
  });

  test("give findings of the reported shape, and films none of which is dated after 2011", async () => {
    const { report, insights, comparison, cleaned } = computeExpected(await loadMovies());
    expect(() => [CleaningReport.parse(report), Insights.parse(insights), Comparison.parse(comparison)]).not.toThrow();
    expect(cleaned.every((film) => CleanFilm.safeParse(film).success && film.released.getUTCFullYear() <= 2011)).toBe(true);
    expect(cleaned.filter(({ title }) => title === "300")).toHaveLength(1);
    expect(insights.perDecade.reduce((sum, decade) => sum + decade.films, 0)).toBe(3_200);
  });
});

describe("the insights into the movies", () => {
  // The figures were computed a third time, with Python's statistics module, from the file.
  test("are these decades", async () => {
    expect(computeExpected(await loadMovies()).insights.perDecade.map((decade) => Object.values(decade))).toEqual([
      [1910, 3, 200_000],
      [1920, 6, 1_189_500],
      [1930, 15, 1_488_000],
      [1940, 19, 2_100_000],
      [1950, 38, 3_000_000],
      [1960, 71, 5_800_000],
      [1970, 100, 5_000_000],
      [1980, 256, 12_000_000],
      [1990, 769, 24_000_000],
      [2000, 1_829, 22_000_000],
      [2010, 94, 27_000_000],
    ]);
  });

  test("are these returns, this correlation and this effect of the best genre", async () => {
    const { insights, comparison } = computeExpected(await loadMovies());
    expect(insights.returnsByGenre.map(({ genre, films: count }) => [genre, count])).toEqual([
      ["Documentary", 40],
      ["Horror", 217],
      ["Musical", 52],
      ["Adventure", 272],
      ["Romantic Comedy", 136],
      ["Action", 417],
      ["Comedy", 669],
      ["Thriller/Suspense", 236],
      ["Black Comedy", 35],
      ["Drama", 783],
      ["Western", 36],
    ]);
    expect(insights.returnsByGenre[1]?.medianReturn).toBeCloseTo(2.6855547333333334, 12);
    expect(insights.returnsByGenre[1]?.totalReturn).toBeCloseTo(3.300246364798241, 12);
    expect(insights.ratingsCorrelation.films).toBe(2_259);
    expect(insights.ratingsCorrelation.pearson).toBeCloseTo(0.743233541427, 11);
    expect(insights.bestReturns.map(({ title }) => title)).toEqual([
      "Paranormal Activity",
      "Tarnation",
      "Deep Throat",
      "Mad Max",
      "Super Size Me",
      "The Brothers McMullen",
      "The Blair Witch Project",
      "El Mariachi",
      "Night of the Living Dead",
      "Rocky",
    ]);
    expect(comparison).toMatchObject({ genre: "Documentary", allFilms: 3_145 });
    expect(comparison?.medianOfAll).toBeCloseTo(1.858142695, 12);
    expect(comparison?.medianWithout).toBeCloseTo(1.8526786857142856, 12);
  });
});

describe("cleaning", () => {
  test("makes titles text, trims them and drops rows without one", () => {
    const { cleaned, report } = cleanRows([row({ Title: 300 }), row({ Title: "  B " }), row({ Title: null }), row({ Title: "  " })]);
    expect(cleaned.map(({ title }) => title)).toEqual(["300", "B"]);
    expect(report).toMatchObject({ rowsIn: 4, rowsOut: 2, numericTitles: 1, missingTitles: 2 });
  });

  test("moves a year after 2011 back by a century, and no other", () => {
    expect(releaseDay(row({ "Release Date": "Dec 31 2012" }))).toEqual(new Date("1912-12-31T00:00:00Z"));
    expect(releaseDay(row({ "Release Date": "Dec 23 2011" }))).toEqual(new Date("2011-12-23T00:00:00Z"));
    expect(() => releaseDay(row({ "Release Date": "yesterday" }))).toThrow(/no day of the calendar/);
  });

  test("takes a gross of 0 for unknown but leaves other zeros", () => {
    const { cleaned, report } = cleanRows([row({ "Worldwide Gross": 0, "US Gross": 0, "US DVD Sales": 0, "Production Budget": 0 })]);
    expect(cleaned[0]).toMatchObject({ worldwideGross: null, usGross: null, usDvdSales: 0, productionBudget: 0 });
    expect(report).toMatchObject({ zeroWorldwideGross: 1, zeroUsGross: 1 });
  });

  test("drops a second row of the same title and day and keeps a remake", () => {
    const { cleaned, report } = cleanRows([row({}), row({ "US Gross": 5 }), row({ "Release Date": "Jun 12 1997" }), row({ Title: "B" })]);
    expect(cleaned.map(({ title, usGross }) => [title, usGross])).toEqual([
      ["A", 10],
      ["A", 10],
      ["B", 10],
    ]);
    expect(report).toMatchObject({ rowsOut: 3, duplicates: 1, repeatedTitles: 1 });
  });

  test("compares days after mending them", () => {
    expect(cleanRows([row({ "Release Date": "Mar 09 1933" }), row({ "Release Date": "Mar 09 2033" })]).report).toMatchObject({
      lateDates: 1,
      duplicates: 1,
    });
  });
});

describe("the insights", () => {
  test("count all films of a decade, and take the median of the budgets that are known", () => {
    const { perDecade } = findInsights(
      films(
        { "Release Date": "Jan 01 1990", "Production Budget": 4 },
        { "Release Date": "Dec 31 1999", "Production Budget": 1 },
        { "Release Date": "Jan 01 1995", "Production Budget": null },
        { "Release Date": "Jan 01 1980", "Production Budget": null },
      ),
    );
    expect(perDecade).toEqual([
      { decade: 1980, films: 1, medianBudget: null },
      { decade: 1990, films: 3, medianBudget: 2.5 },
    ]);
  });

  test("take the return of films with known gross and a budget over 0, for genres with twenty of them", () => {
    const good = Array.from({ length: 20 }, (_, index) => ({
      "Major Genre": "Good",
      "Worldwide Gross": 10 * (index + 1),
      "Production Budget": 10,
    }));
    const useless = [{ "Worldwide Gross": 0 }, { "Worldwide Gross": null }, { "Production Budget": null }, { "Production Budget": 0 }];
    const few = Array.from({ length: 19 }, () => ({ "Major Genre": "Few" }));
    const none = Array.from({ length: 30 }, () => ({ "Major Genre": null }));
    const { returnsByGenre, chartSpec } = findInsights(
      films(...good, ...few, ...none, ...useless.map((change) => ({ ...change, "Major Genre": "Good" }))),
    );
    expect(returnsByGenre).toEqual([{ genre: "Good", films: 20, medianReturn: 10.5, totalReturn: 10.5 }]);
    expect(chartSpec.bars).toEqual([{ label: "Good", value: 10.5, count: 20 }]);
  });

  test("order genres by median return, then by name", () => {
    const genre = (name: string, gross: number): Partial<Film>[] =>
      Array.from({ length: 20 }, () => ({ "Major Genre": name, "Worldwide Gross": gross }));
    const { returnsByGenre } = findInsights(films(...genre("C", 10), ...genre("B", 10), ...genre("A", 5), ...genre("D", 90)));
    expect(returnsByGenre.map(({ genre: name }) => name)).toEqual(["D", "B", "C", "A"]);
  });

  test("correlate the ratings over films that have both: 1 on a line, -1 on a falling one", () => {
    const rated = (...pairs: readonly (readonly [number | null, number | null])[]): Insights["ratingsCorrelation"] =>
      findInsights(films(...pairs.map(([imdb, tomatoes]) => ({ "IMDB Rating": imdb, "Rotten Tomatoes Rating": tomatoes }))))
        .ratingsCorrelation;
    expect(rated([1, 10], [2, 20], [4, 40], [null, 90], [9, null])).toEqual({ films: 3, pearson: expect.closeTo(1, 12) as number });
    expect(rated([1, 30], [2, 20], [3, 10]).pearson).toBeCloseTo(-1, 12);
    expect(rated([1, 2], [2, 1], [3, 4], [4, 3]).pearson).toBeCloseTo(0.6, 12);
  });

  test("leave the correlation open without two films or when a rating never varies", () => {
    const pearson = (...changes: Partial<Film>[]): number | null => findInsights(films(...changes)).ratingsCorrelation.pearson;
    expect(pearson({})).toBeNull();
    expect(pearson({ "IMDB Rating": 3 }, { "IMDB Rating": 4 })).toBeNull();
    expect(findInsights([])).toMatchObject({
      perDecade: [],
      returnsByGenre: [],
      bestReturns: [],
      ratingsCorrelation: { films: 0, pearson: null },
    });
  });

  test("list the ten best returns, ties by title", () => {
    const { bestReturns } = findInsights(
      films(
        ...Array.from({ length: 12 }, (_, index) => ({
          Title: `T${String(20 - index)}`,
          "Worldwide Gross": index < 2 ? 1_000 : 10 + index,
        })),
      ),
    );
    expect(bestReturns).toHaveLength(10);
    expect(bestReturns.map(({ title }) => title).slice(0, 3)).toEqual(["T19", "T20", "T9"]);
    expect(bestReturns[0]).toEqual({ title: "T19", year: 1998, genre: "Drama", productionBudget: 10, worldwideGross: 1_000, return: 100 });
  });
});

describe("the comparison", () => {
  test("sets a genre against all films of known return and against the rest", () => {
    const some = films(
      { "Worldwide Gross": 10 },
      { "Worldwide Gross": 20 },
      { "Worldwide Gross": 90, "Major Genre": "Horror" },
      { "Worldwide Gross": null, "Major Genre": "Horror" },
    );
    expect(compareGenre(some, "Horror")).toEqual({
      genre: "Horror",
      films: 1,
      medianReturn: 9,
      allFilms: 3,
      medianOfAll: 2,
      medianWithout: 1.5,
    });
    expect(compareGenre(some, "None")).toMatchObject({ films: 0, medianReturn: null, medianWithout: 2 });
  });

  test("is not there when no genre has twenty films", () => {
    expect(computeExpected([raw]).comparison).toBeUndefined();
  });
});
