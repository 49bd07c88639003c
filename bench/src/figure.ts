/** One measured figure, beside a peer's when there is one, in the same run. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly peer?: string;
  readonly peerValue?: number;
  /** value / peerValue. */
  readonly ratio?: number;
  /** The bar as text, such as `≤ 3 ms`; absent: published without one. */
  readonly bar?: string;
  /** Whether the bar is met; absent without one. */
  readonly ok?: boolean;
}

export interface Suite {
  readonly name: string;
  readonly about: string;
  run(progress: (text: string) => void): Promise<readonly Figure[]>;
}

export interface FigureInput {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly peer?: { readonly name: string; readonly value: number };
  readonly bar?: { readonly text: string; readonly met: boolean };
}

export function figure({ figure: name, value, unit, peer, bar }: FigureInput): Figure {
  return {
    figure: name,
    value: round(value),
    unit,
    ...(peer === undefined ? {} : { peer: peer.name, peerValue: round(peer.value), ratio: round(value / peer.value) }),
    ...(bar === undefined ? {} : { bar: bar.text, ok: bar.met }),
  };
}

/** Four significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

export function atMost(value: number, limit: number, unit: string): { readonly text: string; readonly met: boolean } {
  return { text: `≤ ${String(limit)} ${unit}`, met: value <= limit };
}

export function atLeast(value: number, limit: number, unit: string): { readonly text: string; readonly met: boolean } {
  return { text: `≥ ${String(limit)} ${unit}`, met: value >= limit };
}
