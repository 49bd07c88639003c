/** How the command writes: live, plain or as NDJSON, in colour or not, how wide. Pure: what it must know comes in. */

export interface OutputFacts {
  readonly isTty: boolean;
  /** Columns of the terminal; absent when it has none. */
  readonly columns?: number | undefined;
  /** `--json` was given. */
  readonly json: boolean;
  readonly env: { readonly NO_COLOR?: string | undefined; readonly FORCE_COLOR?: string | undefined; readonly TERM?: string | undefined };
}

export interface OutputStyle {
  /** `live` redraws a block under a log, `plain` writes a line per event, `json` an NDJSON line per event. */
  readonly mode: "live" | "plain" | "json";
  readonly colour: boolean;
  /** Cells per line. */
  readonly width: number;
}

const WIDTH_WITHOUT_TERMINAL = 120;
const NARROWEST = 40;
const WIDEST = 160;

/** NO_COLOR (set, not empty) wins over FORCE_COLOR (set, not `0`), and both over what the terminal can do; a dumb terminal is never redrawn. */
export function decideOutput({ isTty, columns, json, env }: OutputFacts): OutputStyle {
  const isDumb = env.TERM === "dumb";
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "" && env.FORCE_COLOR !== "0";
  const isRefused = (env.NO_COLOR !== undefined && env.NO_COLOR !== "") || env.FORCE_COLOR === "0";
  return {
    mode: json ? "json" : isTty && !isDumb ? "live" : "plain",
    colour: !json && !isRefused && (isForced || (isTty && !isDumb)),
    width: Math.min(WIDEST, Math.max(NARROWEST, isTty && columns !== undefined && columns > 0 ? columns : WIDTH_WITHOUT_TERMINAL)),
  };
}

/** One value as a line of NDJSON. */
export function ndjsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export type Paint = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

const CODES: Readonly<Record<Paint, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Puts a colour around text. */
export type Painter = (paint: Paint, text: string) => string;

/** A painter that paints, or one that leaves text as it is. */
export function createPainter(colour: boolean): Painter {
  return (paint, text) => {
    const [on, off] = CODES[paint];
    return colour && text !== "" ? `\u001b[${String(on)}m${text}\u001b[${String(off)}m` : text;
  };
}

/**
 * What to write to a terminal so that the block of `previousLines` lines at its end gives way to `log` and a new block under it. No line may be
 * wider than the terminal.
 */
export function redraw(previousLines: number, log: readonly string[], block: readonly string[]): string {
  const back = previousLines > 0 ? `\u001b[${String(previousLines)}A` : "";
  return `${back}\r\u001b[0J${[...log, ...block].map((line) => `${line}\n`).join("")}`;
}
