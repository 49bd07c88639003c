import { beforeAll, describe, expect, test } from "vitest";
import { axisTicks, chartSvg, escapeXml } from "./chart.ts";
import { computeExpected } from "./expected.ts";
import { loadMovies } from "./load-rows.ts";
import type { ChartSpec } from "./report.ts";

const spec = (change: Partial<ChartSpec> = {}): ChartSpec => ({
  title: "Median return",
  labelAxis: "genre",
  valueAxis: "gross / budget",
  countUnit: "films",
  bars: [
    { label: "Horror", value: 2.5, count: 217 },
    { label: "Drama", value: 1.25, count: 1_783 },
  ],
  ...change,
});

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly anchor: string;
  readonly content: string;
}
const textsOf = (svg: string): Placed[] =>
  [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" fill="[^"]+"(?: text-anchor="(\w+)")?[^>]*>([^<]*)<\/text>/g)].map(
    ([, x, y, anchor, content]) => ({
      x: Number(x),
      y: Number(y),
      anchor: anchor ?? "start",
      content: content ?? "",
    }),
  );
const barsOf = (svg: string): { x: number; width: number; y: number }[] =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map(([, x, y, width]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
  }));

let movies: ChartSpec;
beforeAll(async () => {
  movies = computeExpected(await loadMovies()).insights.chartSpec;
});

describe("the chart", () => {
  test("draws a bar for each entry, as long as its value", () => {
    const [first, second, ...rest] = barsOf(chartSvg(spec()));
    expect(rest).toEqual([]);
    expect((first?.width ?? 0) / (second?.width ?? 1)).toBeCloseTo(2, 2);
    expect(first?.x).toBe(second?.x);
    expect(textsOf(chartSvg(spec())).map(({ content }) => content)).toEqual(
      expect.arrayContaining([
        "Median return",
        "by genre; in brackets: number of films",
        "gross / budget",
        "Horror",
        "2.50  (217)",
        "Drama",
        "1.25  (1,783)",
      ]),
    );
  });

  test("keeps labels apart and inside the picture, for the movies too", () => {
    const long = Array.from({ length: 60 }, (_, index) => ({
      label: `${"Ünlabelled & wide ".repeat(4)}${String(index)}`,
      value: index * 1e8,
      count: index * 1_000,
    }));
    for (const chart of [
      movies,
      spec({ bars: long }),
      spec({ title: "T".repeat(200), valueAxis: "v".repeat(200), labelAxis: "l".repeat(200) }),
    ]) {
      const svg = chartSvg(chart);
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
      const boxes = textsOf(svg).map(({ x, y, anchor, content }) => {
        const wide = content.replace(/&\w+;/g, "&").length * (y < 40 ? 11 : 7.4);
        const left = anchor === "end" ? x - wide : anchor === "middle" ? x - wide / 2 : x;
        return { left, right: left + wide, y };
      });
      for (const [index, box] of boxes.entries()) {
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(Number(width));
        expect(box.y).toBeLessThan(Number(height));
        for (const other of boxes.slice(index + 1))
          expect(Math.abs(box.y - other.y) >= 14 || box.right <= other.left || other.right <= box.left).toBe(true);
      }
    }
  });

  test("stands alone: one SVG with its own background and nothing from outside", () => {
    const svg = chartSvg(movies);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
    expect(svg).toContain('fill="#fbfcfd"');
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|href|<script|<style|<image/);
  });

  test("escapes what a model wrote", () => {
    const svg = chartSvg(spec({ title: '<script>"&', bars: [{ label: "</svg>\u001b[31m", value: 1, count: 1 }] }));
    expect(svg).toContain("&lt;script&gt;&quot;&amp;");
    expect(svg).not.toContain("<script>");
    expect(svg.match(/<\/svg>/g)).toHaveLength(1);
    expect(escapeXml("a\u0000\ud800\uffffb'")).toBe("a\ufffd\ufffd\ufffdb&apos;");
  });

  test("of nothing says so, and zeros have bars of no length", () => {
    expect(chartSvg(spec({ bars: [] }))).toContain("nothing to show");
    expect(barsOf(chartSvg(spec({ bars: [{ label: "none", value: 0, count: 0 }] })))[0]?.width).toBe(0);
  });

  test.each([
    [0, [0, 1]],
    [0.003, [0, 0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [2.7, [0, 0.5, 1, 1.5, 2, 2.5, 3]],
    [7, [0, 1, 2, 3, 4, 5, 6, 7]],
    [12_918, [0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000]],
  ])("has round ticks up to %d", (highest, ticks) => {
    expect(axisTicks(highest)).toEqual(ticks);
  });

  test("labels large and tiny ticks shortly", () => {
    const ticksOf = (value: number): string[] =>
      textsOf(chartSvg(spec({ bars: [{ label: "x", value, count: 1 }] }))).map(({ content }) => content);
    expect(ticksOf(123_456_789)).toEqual(expect.arrayContaining(["20M", "140M"]));
    expect(ticksOf(70_000)).toEqual(expect.arrayContaining(["10k", "70k"]));
    expect(ticksOf(5e9)).toEqual(expect.arrayContaining(["1bn", "5bn"]));
    expect(ticksOf(0.003)).toEqual(expect.arrayContaining(["0.0005", "3.0e-3  (1)"]));
    expect(ticksOf(0.0000003)).toContain("5.0e-8");
  });
});
