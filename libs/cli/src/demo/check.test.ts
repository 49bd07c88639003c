import { beforeAll, describe, expect, test } from "vitest";
import { checkFindings } from "./check.ts";
import type { Findings } from "./check.ts";
import { computeExpected } from "./expected.ts";
import type { Expected } from "./expected.ts";
import { loadMovies } from "./load-rows.ts";

let want: Expected;
beforeAll(async () => {
  want = computeExpected(await loadMovies());
});

const copy = (): Expected => structuredClone(want);
const wrong = (got: Findings): string[] =>
  checkFindings(got, want)
    .filter(({ ok }) => !ok)
    .map(({ figure }) => figure);

describe("checking the agents' findings", () => {
  test("finds every figure right in the host's own, and there are many", () => {
    const checks = checkFindings(copy(), want);
    expect(checks.every(({ ok }) => ok)).toBe(true);
    expect(checks).toHaveLength(191);
    expect(checks.at(-1)).toEqual({ row: "cleaned", figure: "cleaned/films equal to the host's", ok: true, got: 3_200, want: 3_200 });
  });

  test("names the one figure that differs, with both values and its row", () => {
    const got = copy();
    const decade = got.insights.perDecade[2];
    if (decade !== undefined) decade.medianBudget = 5;
    expect(checkFindings(got, want).filter(({ ok }) => !ok)).toEqual([
      { row: "perDecade/1930", figure: "perDecade/1930/medianBudget", ok: false, got: 5, want: 1_488_000 },
    ]);
  });

  test("changes of any kind are found: counts, order, names, nulls, missing and added figures", () => {
    const change = (edit: (got: Expected) => void): string[] => {
      const got = copy();
      edit(got);
      return wrong(got);
    };
    expect(change((got) => (got.report.lateDates += 1))).toEqual(["report/lateDates/count"]);
    expect(change((got) => got.insights.returnsByGenre.reverse()).length).toBeGreaterThan(5);
    expect(change((got) => got.insights.bestReturns.pop())).toContain("bestReturns/10/title");
    expect(change((got) => got.insights.perDecade.push({ decade: 2020, films: 1, medianBudget: null }))).toEqual([
      "perDecade/2020/rank",
      "perDecade/2020/films",
      "perDecade/2020/medianBudget",
    ]);
    expect(change((got) => (got.insights.ratingsCorrelation.pearson = null))).toEqual(["ratingsCorrelation/pearson"]);
    expect(change((got) => (got.insights.ratingsCorrelation.pearson = NaN))).toEqual(["ratingsCorrelation/pearson"]);
    expect(change((got) => got.insights.chartSpec.bars.splice(0, 1)).length).toBeGreaterThan(5);
    expect(change((got) => (got.insights.chartSpec.title = "another wording"))).toEqual([]);
  });

  test("takes numbers whose last bits differ for the same", () => {
    const got = copy();
    const { pearson } = got.insights.ratingsCorrelation;
    if (pearson !== null) got.insights.ratingsCorrelation.pearson = pearson * (1 + 5e-10);
    expect(wrong(got)).toEqual([]);
    if (pearson !== null) got.insights.ratingsCorrelation.pearson = pearson * (1 + 5e-9);
    expect(wrong(got)).toEqual(["ratingsCorrelation/pearson"]);
  });

  test("misses a comparison that is due, and compares none that is not there on either side", () => {
    const got = { ...copy(), comparison: undefined };
    const names = ["allFilms", "films", "genre", "medianOfAll", "medianReturn", "medianWithout"];
    expect(wrong(got).toSorted()).toEqual(names.map((name) => `comparison/${name}`));
    expect(checkFindings(got, { ...want, comparison: undefined }).every(({ ok }) => ok)).toBe(true);
  });

  test("counts cleaned films that are not the host's", () => {
    const got = copy();
    const changed = { ...got, cleaned: got.cleaned.map((film, index) => (index === 7 ? { ...film, released: new Date(0) } : film)) };
    expect(wrong(changed)).toEqual(["cleaned/films equal to the host's"]);
    expect(wrong({ ...got, cleaned: [...got.cleaned, ...got.cleaned.slice(0, 1)] })).toEqual(["cleaned/films equal to the host's"]);
    const { report, insights, comparison } = copy();
    expect(checkFindings({ report, insights, comparison }, want)).toHaveLength(190);
  });
});
