import { beforeAll, describe, expect, test } from "vitest";
import { displayWidth } from "../display-width.ts";
import { checkFindings } from "./check.ts";
import { computeExpected } from "./expected.ts";
import type { Expected } from "./expected.ts";
import { loadMovies } from "./load-rows.ts";
import { checkLines, crossingTables, findingTables, renderTable } from "./tables.ts";

let expected: Expected;
beforeAll(async () => {
  expected = computeExpected(await loadMovies());
});

describe("a table", () => {
  const columns = [
    { header: "film", flexible: true },
    { header: "gross", align: "right" as const },
  ];

  test("aligns by what a terminal shows", () => {
    expect(
      renderTable(
        columns,
        [
          ["映画", "1,000"],
          ["Les BronzÈs", "5"],
        ],
        80,
      ),
    ).toEqual(["film         gross", "───────────  ─────", "映画         1,000", "Les BronzÈs      5"]);
  });

  test("is never wider than asked: flexible columns give way first", () => {
    expect(renderTable(columns, [["A title that is rather long", "1,000,000"]], 24)).toEqual([
      "film               gross",
      "─────────────  ─────────",
      "A title that…  1,000,000",
    ]);
    for (const width of [4, 10, 16])
      for (const line of renderTable(columns, [["A title that is rather long", "1,000,000"]], width))
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  test("takes rows that are too short and text with control characters", () => {
    expect(renderTable(columns, [["a\u001b[31mb\nc"]], 80).at(-1)).toBe("ab c");
    expect(renderTable(columns, [], 80)).toHaveLength(2);
  });
});

describe("the findings", () => {
  test("are tables that fit, with a mark for each row", () => {
    const sections = findingTables(expected, checkFindings(expected, expected), 80);
    expect(sections.map(({ title }) => title)).toEqual([
      "What the cleaner did",
      "Films by decade",
      "Return on budget by genre (worldwide gross / budget)",
      "The ten best returns",
      "IMDB and Rotten Tomatoes",
      "Without Documentary",
    ]);
    expect(sections[2]?.lines.slice(0, 4)).toEqual([
      "genre              films  median  of the totals  ✓",
      "─────────────────  ─────  ──────  ─────────────  ─",
      "Documentary           40  2.70 ×         3.95 ×  ✓",
      "Horror               217  2.69 ×         3.30 ×  ✓",
    ]);
    expect(sections[3]?.lines[8]).toBe("The Blair Witch Proje…  1999  Horror         $600,000  $248,300,000     414 ×  ✓");
    for (const { lines } of sections) for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    expect(sections.flatMap(({ lines }) => lines).join("\n")).not.toContain("✗");
  });

  test("mark a row with a wrong figure, and one that the host knows nothing of", () => {
    const got = structuredClone(expected);
    const [first] = got.insights.returnsByGenre;
    if (first !== undefined) first.totalReturn += 1;
    got.report.lateDates = 21;
    const lines = findingTables(got, checkFindings(got, expected), 100).flatMap((section) => section.lines);
    expect(lines.filter((line) => line.endsWith("✗"))).toEqual([
      expect.stringContaining("dates moved back"),
      expect.stringContaining("Documentary"),
    ]);
    const unknown = findingTables(got, [], 100).flatMap((section) => section.lines.slice(2));
    expect(unknown.filter((line) => !line.endsWith("✗"))).toEqual([]);
  });

  test("say unknown where nothing is known, and leave out a comparison that was not made", () => {
    const few = { ...computeExpected([]), comparison: undefined };
    const text = findingTables(
      { ...few, insights: { ...few.insights, perDecade: [{ decade: 1990, films: 1, medianBudget: null }] } },
      [],
      80,
    );
    expect(text).toHaveLength(5);
    expect(text.flatMap(({ lines }) => lines).join("\n")).toMatch(/1990s +1 +unknown[^]* undefined/);
  });
});

describe("the check", () => {
  test("says in one line that all figures are right", () => {
    expect(checkLines(checkFindings(expected, expected), 80)).toEqual(["✓ 191 of 191 figures equal the host's own computation"]);
  });

  test("lists each figure that is not, with both values", () => {
    const got = structuredClone(expected);
    got.report.lateDates = 21;
    got.insights.bestReturns.pop();
    const lines = checkLines(checkFindings(got, expected), 100);
    expect(lines[0]).toBe("✗ 184 of 191 figures equal the host's own computation");
    expect(lines[1]).toBe("✗ report/lateDates/count: the agents have 21, the host 22");
    expect(lines[2]).toBe('✗ bestReturns/10/title: the agents have nothing, the host "Rocky"');
    expect(lines).toHaveLength(8);
  });
});

test("what crossed is two tables", () => {
  const route = {
    from: "default/boss/demo",
    agent: "default/cleaner/demo",
    method: "clean",
    calls: 1,
    failed: 0,
    argBytes: 404_321,
    resultBytes: 240,
    handles: 0,
  };
  const summary = {
    calls: 5,
    failed: 1,
    bytesByValue: 830_000,
    handles: 1,
    bytesThroughOrchestrator: 410_000,
    bytesDirect: 420_000,
    rowsDirect: 3_200,
    hostBytes: 1,
    tokensAsText: 700_123,
    routes: [route],
  };
  const [facts, calls] = crossingTables(summary, 80);
  expect(facts?.lines).toEqual([
    "calls between agents              5 (1 failed)",
    "bytes by value                          830 kB",
    "handles                                      1",
    "bytes through the orchestrator          410 kB",
    "bytes past it                           420 kB",
    "rows past it                             3,200",
    "tokens the rows would be as text      ~700,123",
  ]);
  expect(calls?.lines).toEqual([
    "from  to             calls  arguments  results  handles",
    "────  ─────────────  ─────  ─────────  ───────  ───────",
    "boss  cleaner.clean      1     404 kB    240 B        0",
  ]);
});
