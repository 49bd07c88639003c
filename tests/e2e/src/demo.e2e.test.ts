import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startKarst } from "./karst-process.ts";
import type { Finished } from "./karst-process.ts";

interface Result {
  readonly ok: boolean;
  readonly figures: number;
  readonly wrong: readonly unknown[];
  readonly runs: readonly { readonly completed: boolean }[];
  readonly findings: { readonly cleaned: number; readonly report: Readonly<Record<string, number>> };
  readonly crossing: {
    readonly calls: number;
    readonly handles: number;
    readonly bytesDirect: number;
    readonly bytesThroughOrchestrator: number;
    readonly tokensAsText: number;
  };
  readonly progressUpdates: number;
}

function resultOf({ stdout }: Finished): Result {
  const last = stdout.trim().split("\n").at(-1) ?? "";
  return JSON.parse(last) as Result;
}

/** The processes that the demo says it has started. */
function startedBy(printed: string, own: number): number[] {
  return [...printed.matchAll(/^process (\d+) /gm)].map(([, pid]) => Number(pid)).filter((pid) => pid !== own);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const mode of ["embedded", "nats"] as const) {
  const flags = mode === "nats" ? ["--nats"] : [];

  describe(`karst demo, ${mode}`, () => {
    test("ends by itself with every figure equal to the host's own computation", async () => {
      await using karst = await startKarst(["demo", ...flags, "--json"]);
      const finished = await karst.finished;
      expect(finished.stderr).toBe("");
      expect(finished.code).toBe(0);
      const result = resultOf(finished);
      expect(result).toMatchObject({
        ok: true,
        wrong: [],
        findings: { report: { rowsIn: 3_201, lateDates: 22, numericTitles: 9, missingTitles: 1, missingGenres: 275 } },
      });
      expect(result.figures).toBeGreaterThan(100);
      expect(result.runs).toHaveLength(2);
      expect(result.progressUpdates).toBeGreaterThan(0);
      expect(result.crossing.handles).toBeGreaterThan(0);
      expect(result.crossing.bytesDirect).toBeGreaterThan(200_000); // the cleaned films went from the cleaner to the analyzer
      const chart = await readFile(join(karst.directory, "karst-demo.svg"), "utf8");
      expect(chart).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    });

    test("one of the cleaner's cells fails on the real rows, and it mends itself", async () => {
      await using karst = await startKarst(["demo", ...flags, "--json"]);
      const { stdout } = await karst.finished;
      const cells = stdout.split("\n").filter((line) => line.includes('"cell-ended"') && line.includes("/cleaner/"));
      expect(cells.some((line) => line.includes('"ok":false') && line.includes("TypeError"))).toBe(true);
      expect(cells.at(-1)).toContain('"ok":true');
    });

    test("ctrl-C ends it with code 130 and leaves no process behind", async () => {
      await using karst = await startKarst(["demo", ...flags]);
      await karst.seen(/step 1: cell of/);
      karst.signal("SIGINT");
      const { code, stdout, stderr } = await karst.finished;
      expect(stderr).toContain("interrupted");
      expect(code).toBe(130);
      const started = startedBy(stdout, karst.pid);
      expect(started).toHaveLength(mode === "nats" ? 3 : 0);
      expect(started.filter(isAlive)).toEqual([]);
    });
  });
}

describe("karst demo, bad input", () => {
  const cases = [
    { name: "a file that is not there", file: "none.json", text: undefined, says: /none\.json/ },
    { name: "an empty file", file: "rows.json", text: "", says: /rows\.json.*empty/ },
    { name: "JSON that is broken", file: "rows.json", text: '[{"Title": }]', says: /rows\.json.*line 1/ },
    { name: "a wrong type in a column", file: "rows.json", text: '[{"Title": true}]', says: /rows\.json.*row 1/ },
  ];
  for (const { name, file, text, says } of cases) {
    test(`${name} gives one line that names it, exit code 2, no stack trace`, async () => {
      await using place = await startKarst(["--version"]);
      await place.finished;
      const path = join(place.directory, file);
      if (text !== undefined) await writeFile(path, text);
      await using karst = await startKarst(["demo", "--rows", path]);
      const { code, stderr } = await karst.finished;
      expect(code).toBe(2);
      expect(stderr).toMatch(says);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toMatch(/^\s+at /m);
    });
  }

  test("an unknown option gives its name and exit code 2", async () => {
    await using karst = await startKarst(["demo", "--row", "x"]);
    const { code, stderr } = await karst.finished;
    expect(code).toBe(2);
    expect(stderr).toContain("--row");
  });

  test("a NATS server that is not there is named, with exit code 3", async () => {
    await using karst = await startKarst(["demo", "--nats", "nats://127.0.0.1:1"]);
    const { code, stderr } = await karst.finished;
    expect(code).toBe(3);
    expect(stderr).toContain("127.0.0.1:1");
  });
});
