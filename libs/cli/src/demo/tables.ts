import { displayWidth, fit, pad, printable } from "../display-width.ts";
import { bytesText, countText } from "../number-text.ts";
import type { FigureCheck, Findings } from "./check.ts";
import type { CrossingSummary } from "./crossing.ts";

/** Text tables: aligned by the cells of a terminal, never wider than `width`. Pure. */

export interface Column {
  readonly header: string;
  readonly align?: "left" | "right";
  /** Gives way first when the table is too wide. */
  readonly flexible?: boolean;
}

const GAP = "  ";

/** A header, a rule and the rows as lines. The widest flexible column is cut first, then any. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const cells = rows.map((row) => columns.map((_, at) => printable(row[at] ?? "")));
  const widths = columns.map(({ header }, at) => Math.max(displayWidth(header), ...cells.map((row) => displayWidth(row[at] ?? ""))));
  shrink(widths, columns, width - GAP.length * (columns.length - 1));
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align }, at) => pad(fit(row[at] ?? "", widths[at] ?? 0), widths[at] ?? 0, align))
      .join(GAP)
      .trimEnd();
  return [line(columns.map(({ header }) => header)), widths.map((cell) => "─".repeat(cell)).join(GAP), ...cells.map(line)];
}

/** Takes from the widest column, flexible ones first and not below 8 cells, until all fit or none can give. */
function shrink(widths: number[], columns: readonly Column[], room: number): void {
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const widest =
      widestOf(widths, (at) => columns[at]?.flexible === true && (widths[at] ?? 0) > 8) ?? widestOf(widths, (at) => (widths[at] ?? 0) > 1);
    if (widest === undefined) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function widestOf(widths: readonly number[], may: (at: number) => boolean): number | undefined {
  let best: number | undefined;
  widths.forEach((width, at) => {
    if (may(at) && width > (best === undefined ? -1 : (widths[best] ?? 0))) best = at;
  });
  return best;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const RULES: Readonly<Record<keyof Findings["report"], string>> = {
  rowsIn: "raw rows",
  rowsOut: "films left",
  numericTitles: "numeric titles made text",
  missingTitles: "rows without a title dropped",
  lateDates: "dates moved back a century",
  missingGenres: "genres unknown",
  missingImdbRatings: "IMDB ratings unknown",
  missingRottenTomatoesRatings: "Rotten Tomatoes ratings unknown",
  zeroWorldwideGross: "worldwide grosses of 0 made unknown",
  zeroUsGross: "US grosses of 0 made unknown",
  duplicates: "duplicates dropped",
  repeatedTitles: "repeated titles that are different films, kept",
};

const dollars = (value: number | null): string => (value === null ? "unknown" : `$${countText(value)}`);
const ratio = (value: number | null): string => (value === null ? "unknown" : `${countText(value, 2)} ×`);

/** What the agents found, a ✓ or ✗ for each row by the host's own figures. */
export function findingTables(findings: Findings, checks: readonly FigureCheck[], width: number): Section[] {
  const wrong = new Set(checks.filter(({ ok }) => !ok).map(({ row }) => row));
  const known = new Set(checks.map(({ row }) => row));
  const mark = (row: string): string => (known.has(row) && !wrong.has(row) ? "✓" : "✗");
  const { report, insights, comparison } = findings;
  const right = "right" as const;
  const check: Column = { header: "✓" };
  const rules = Object.keys(RULES) as (keyof typeof RULES)[]; // the keys of the literal above, by its type
  const sections: Section[] = [
    {
      title: "What the cleaner did",
      lines: renderTable(
        [{ header: "rule", flexible: true }, { header: "rows", align: right }, check],
        rules.map((rule) => [RULES[rule], countText(report[rule]), mark(`report/${rule}`)]),
        width,
      ),
    },
    {
      title: "Films by decade",
      lines: renderTable(
        [{ header: "decade" }, { header: "films", align: right }, { header: "median budget", align: right }, check],
        insights.perDecade.map(({ decade, films, medianBudget }) => [
          `${String(decade)}s`,
          countText(films),
          dollars(medianBudget),
          mark(`perDecade/${String(decade)}`),
        ]),
        width,
      ),
    },
    {
      title: "Return on budget by genre (worldwide gross / budget)",
      lines: renderTable(
        [
          { header: "genre", flexible: true },
          { header: "films", align: right },
          { header: "median", align: right },
          { header: "of the totals", align: right },
          check,
        ],
        insights.returnsByGenre.map(({ genre, films, medianReturn, totalReturn }) => [
          genre,
          countText(films),
          ratio(medianReturn),
          ratio(totalReturn),
          mark(`returnsByGenre/${genre}`),
        ]),
        width,
      ),
    },
    {
      title: "The ten best returns",
      lines: renderTable(
        [
          { header: "film", flexible: true },
          { header: "year", align: right },
          { header: "genre", flexible: true },
          { header: "budget", align: right },
          { header: "gross", align: right },
          { header: "return", align: right },
          check,
        ],
        insights.bestReturns.map((film, index) => [
          film.title,
          String(film.year),
          film.genre ?? "unknown",
          dollars(film.productionBudget),
          dollars(film.worldwideGross),
          `${countText(film.return)} ×`,
          mark(`bestReturns/${String(index + 1)}`),
        ]),
        width,
      ),
    },
    {
      title: "IMDB and Rotten Tomatoes",
      lines: renderTable(
        [{ header: "films with both", align: right }, { header: "correlation", align: right }, check],
        [
          [
            countText(insights.ratingsCorrelation.films),
            insights.ratingsCorrelation.pearson?.toFixed(4) ?? "undefined",
            mark("ratingsCorrelation"),
          ],
        ],
        width,
      ),
    },
  ];
  if (comparison === undefined) return sections;
  const compared: Section = {
    title: `Without ${printable(comparison.genre)}`,
    lines: renderTable(
      [{ header: "median return", flexible: true }, { header: "films", align: right }, { header: "return", align: right }, check],
      [
        [comparison.genre, countText(comparison.films), ratio(comparison.medianReturn), mark("comparison")],
        ["all films", countText(comparison.allFilms), ratio(comparison.medianOfAll), mark("comparison")],
        [
          `all but ${comparison.genre}`,
          countText(comparison.allFilms - comparison.films),
          ratio(comparison.medianWithout),
          mark("comparison"),
        ],
      ],
      width,
    ),
  };
  return [...sections, compared];
}

/** `✓ 128 of 128 figures …`, then each figure that differs. */
export function checkLines(checks: readonly FigureCheck[], width: number): string[] {
  const wrong = checks.filter(({ ok }) => !ok);
  const shown = (value: FigureCheck["got"]): string => (value === undefined ? "nothing" : JSON.stringify(value));
  return [
    `${wrong.length === 0 ? "✓" : "✗"} ${countText(checks.length - wrong.length)} of ${countText(checks.length)} figures equal the host's own computation`,
    ...wrong.map(({ figure, got, want }) => fit(printable(`✗ ${figure}: the agents have ${shown(got)}, the host ${shown(want)}`), width)),
  ];
}

/** What crossed between the agents. */
export function crossingTables(summary: CrossingSummary, width: number): Section[] {
  const right = "right" as const;
  const name = (address: string): string => address.split("/")[1] ?? address;
  const facts: readonly (readonly [string, string])[] = [
    ["calls between agents", countText(summary.calls) + (summary.failed === 0 ? "" : ` (${countText(summary.failed)} failed)`)],
    ["bytes by value", bytesText(summary.bytesByValue)],
    ["handles", countText(summary.handles)],
    ["bytes through the orchestrator", bytesText(summary.bytesThroughOrchestrator)],
    ["bytes past it", bytesText(summary.bytesDirect)],
    ["rows past it", countText(summary.rowsDirect)],
    ["tokens the rows would be as text", `~${countText(summary.tokensAsText)}`],
  ];
  return [
    {
      title: "What crossed",
      lines: renderTable(
        [
          { header: "", flexible: true },
          { header: "", align: right },
        ],
        facts,
        width,
      ).slice(2),
    },
    {
      title: "By call",
      lines: renderTable(
        [
          { header: "from", flexible: true },
          { header: "to", flexible: true },
          { header: "calls", align: right },
          { header: "arguments", align: right },
          { header: "results", align: right },
          { header: "handles", align: right },
        ],
        summary.routes.map(({ from, agent, method, calls, argBytes, resultBytes, handles }) => [
          name(from),
          `${name(agent)}.${method}`,
          countText(calls),
          bytesText(argBytes),
          bytesText(resultBytes),
          countText(handles),
        ]),
        width,
      ),
    },
  ];
}
