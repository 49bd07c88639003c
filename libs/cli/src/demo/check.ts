import { isDeepStrictEqual } from "node:util";
import type { Expected } from "./expected.ts";
import type { CleaningReport, Comparison, Insights } from "./report.ts";
import type { CleanFilm } from "./row.ts";

/** What the agents handed over. */
export interface Findings {
  readonly report: CleaningReport;
  readonly insights: Insights;
  readonly comparison?: Comparison | undefined;
  /** The cleaned rows themselves, when the host fetched them. */
  readonly cleaned?: readonly CleanFilm[];
}

export type FigureValue = string | number | null | undefined;

/** One figure of the agents beside the host's. */
export interface FigureCheck {
  /** The table row that the figure stands in, such as `perDecade/1990`. */
  readonly row: string;
  /** `row` and the figure's name, such as `perDecade/1990/films`. */
  readonly figure: string;
  readonly ok: boolean;
  /** Undefined: the agents left it out. */
  readonly got: FigureValue;
  /** Undefined: there is no such figure. */
  readonly want: FigureValue;
}

/** How far numbers may lie apart, relative to the larger: sums taken in another order differ in the last bits. */
const TOLERANCE = 1e-9;

/** Compares every figure; the host's order, then what the agents have beyond it. */
export function checkFindings(got: Findings, want: Expected): FigureCheck[] {
  const found = figuresOf(got);
  const expected = figuresOf(want);
  const checks: FigureCheck[] = [];
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [gotFigure, wantFigure] = [found.get(key), expected.get(key)];
    checks.push({
      row: key.slice(0, key.lastIndexOf("/")),
      figure: key,
      ok: gotFigure !== undefined && wantFigure !== undefined && isSame(gotFigure, wantFigure),
      got: gotFigure,
      want: wantFigure,
    });
  }
  if (got.cleaned !== undefined) checks.push(checkCleaned(got.cleaned, want.cleaned));
  return checks;
}

function checkCleaned(got: readonly CleanFilm[], want: readonly CleanFilm[]): FigureCheck {
  const equal = want.filter((film, index) => isDeepStrictEqual(film, got[index])).length;
  const ok = equal === want.length && got.length === want.length;
  return { row: "cleaned", figure: "cleaned/films equal to the host's", ok, got: equal, want: want.length };
}

function isSame(got: string | number | null, want: string | number | null): boolean {
  if (typeof got !== "number" || typeof want !== "number") return got === want;
  return got === want || Math.abs(got - want) <= TOLERANCE * Math.max(Math.abs(got), Math.abs(want));
}

/** Each figure under its key, lists by what their items are called or by rank. */
function figuresOf({ report, insights, comparison }: Findings): Map<string, string | number | null> {
  const figures = new Map<string, string | number | null>();
  const add = (row: string, values: Readonly<Record<string, string | number | null>>): void => {
    for (const [name, value] of Object.entries(values)) figures.set(`${row}/${name}`, value);
  };
  for (const [rule, count] of Object.entries(report)) add(`report/${rule}`, { count });
  insights.perDecade.forEach((decade, index) => {
    add(`perDecade/${String(decade.decade)}`, { rank: index + 1, films: decade.films, medianBudget: decade.medianBudget });
  });
  insights.returnsByGenre.forEach(({ genre, ...values }, index) => {
    add(`returnsByGenre/${genre}`, { rank: index + 1, ...values });
  });
  add("ratingsCorrelation", insights.ratingsCorrelation);
  insights.bestReturns.forEach((film, index) => {
    add(`bestReturns/${String(index + 1)}`, film);
  });
  insights.chartSpec.bars.forEach(({ label, value, count }, index) => {
    add(`chartSpec/${String(index + 1)}`, { label, value, count });
  });
  if (comparison !== undefined) add("comparison", comparison);
  return figures;
}
