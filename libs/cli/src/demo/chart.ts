import { displayWidth, fit, printable } from "../display-width.ts";
import { countText } from "../number-text.ts";
import type { ChartSpec } from "./report.ts";

/**
 * A bar chart as a standalone SVG text: horizontal bars, so that long labels have room; light background; no font, script or file from outside.
 * Lengths in px; text widths are estimates, generous for common sans-serif fonts.
 */
const WIDTH = 860;
const MARGIN = 24;
const FONT_SIZE = 13;
const CHAR = 7.4;
const ROW = 30;
const BAR = 20;
const TOP = 84;
const BOTTOM = 64;
const LONGEST_LABEL = 32;
const INK = "#1f2933";
const FAINT = "#52606d";

/** The chart of `spec`; an empty one says so. */
export function chartSvg(spec: ChartSpec): string {
  const labels = spec.bars.map(({ label }) => fit(printable(label), LONGEST_LABEL));
  const left = MARGIN + Math.max(40, ...labels.map((label) => displayWidth(label) * CHAR)) + 12;
  const figures = spec.bars.map(({ value, count }) => `${valueText(value)}  (${countText(count)})`);
  const right = WIDTH - MARGIN - Math.max(0, ...figures.map((figure) => figure.length * CHAR)) - 10;
  const ticks = axisTicks(Math.max(0, ...spec.bars.map(({ value }) => value)));
  const end = ticks.at(-1) ?? 1;
  const x = (value: number): number => left + ((right - left) * value) / end;
  const height = TOP + Math.max(1, spec.bars.length) * ROW + BOTTOM;
  const floor = height - BOTTOM;

  const body = [
    text(MARGIN, 38, fit(printable(spec.title), 64), { size: 18, weight: 600 }),
    text(MARGIN, 60, fit(`by ${printable(spec.labelAxis)}; in brackets: number of ${printable(spec.countUnit)}`, 110), { fill: FAINT }),
    ...ticks.flatMap((tick) => [
      `<line x1="${px(x(tick))}" y1="${String(TOP - 6)}" x2="${px(x(tick))}" y2="${String(floor)}" stroke="${tick === 0 ? "#9aa5b1" : "#e4e7eb"}"/>`,
      text(x(tick), floor + 18, tickText(tick, ticks[1] ?? 1), { anchor: "middle", fill: FAINT }),
    ]),
    text((left + right) / 2, floor + 44, fit(printable(spec.valueAxis), 70), { anchor: "middle", fill: FAINT }),
    ...spec.bars.flatMap(({ label, value }, index) => {
      const top = TOP + index * ROW + (ROW - BAR) / 2;
      const line = top + BAR / 2 + FONT_SIZE * 0.35;
      const figure = figures[index] ?? "";
      return [
        text(left - 10, line, labels[index] ?? "", { anchor: "end" }),
        `<rect x="${px(left)}" y="${px(top)}" width="${px(x(value) - left)}" height="${String(BAR)}" rx="2" fill="#3f7cac">` +
          `<title>${escapeXml(`${printable(label)}: ${figure}`)}</title></rect>`,
        text(x(value) + 8, line, figure),
      ];
    }),
    ...(spec.bars.length === 0 ? [text(WIDTH / 2, TOP + ROW / 2, "nothing to show", { anchor: "middle", fill: FAINT })] : []),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(height)}" viewBox="0 0 ${String(WIDTH)} ${String(height)}" ` +
      `font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif" font-size="${String(FONT_SIZE)}" role="img">`,
    `<title>${escapeXml(printable(spec.title))}</title>`,
    `<rect width="100%" height="100%" fill="#fbfcfd"/>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/** Ticks from 0 to the first one not below `highest`: steps of 1, 2 or 5 times a power of ten, four to eight of them. */
export function axisTicks(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(highest / 4));
  const factor = [1, 2, 5, 10].find((candidate) => highest / (candidate * power) <= 7) ?? 10;
  const step = factor * power;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** A tick of an axis with steps of `step`: as many digits as the step has; `20k`, `20M`, `20bn` where it is large. */
function tickText(tick: number, step: number): string {
  if (tick === 0) return "0";
  const [unit, sign] = step >= 1e9 ? [1e9, "bn"] : step >= 1e6 ? [1e6, "M"] : step >= 1e4 ? [1e3, "k"] : [1, ""];
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  return digits > 4 ? tick.toExponential(1) : countText(tick / unit, digits) + sign;
}

function valueText(value: number): string {
  if (value === 0) return "0";
  if (value < 0.01) return value.toExponential(1);
  return countText(value, value < 100 ? 2 : 0);
}

interface TextStyle {
  readonly anchor?: "middle" | "end";
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
}

function text(x: number, y: number, content: string, { anchor, size, weight, fill = INK }: TextStyle = {}): string {
  const attributes = [
    `x="${px(x)}" y="${px(y)}" fill="${fill}"`,
    ...(anchor === undefined ? [] : [`text-anchor="${anchor}"`]),
    ...(size === undefined ? [] : [`font-size="${String(size)}"`]),
    ...(weight === undefined ? [] : [`font-weight="${String(weight)}"`]),
  ];
  return `<text ${attributes.join(" ")}>${escapeXml(content)}</text>`;
}

const px = (length: number): string => String(Math.round(length * 10) / 10);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text that may stand in XML: special characters escaped, lone surrogates and what XML 1.0 does not allow replaced. */
export function escapeXml(content: string): string {
  return content.replace(/[\ufffe\uffff\p{Surrogate}\p{Control}]/gu, "\ufffd").replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
