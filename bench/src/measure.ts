/** Timing: several rounds, the median counts. */
const ROUNDS = 5;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Milliseconds per call: `times` calls a round, after one round to warm up. */
export async function msPerCall(times: number, call: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startMs = performance.now();
    for (let index = 0; index < times; index++) await call();
    if (round > 0) rounds.push((performance.now() - startMs) / times);
  }
  return median(rounds);
}

/** Several contenders in turn, so that a drift of the machine hits all alike; ms per call of each. */
export async function sideBySide(
  times: number,
  contenders: Readonly<Record<string, () => unknown>>,
): Promise<Readonly<Record<string, number>>> {
  const rounds = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, call] of Object.entries(contenders)) {
      const startMs = performance.now();
      for (let index = 0; index < times; index++) await call();
      if (round > 0) rounds.get(name)?.push((performance.now() - startMs) / times);
    }
  }
  return Object.fromEntries([...rounds].map(([name, values]) => [name, median(values)]));
}

/** Heap in use, bytes, after collecting; needs `--expose-gc`. */
export function heapBytes(): number {
  const collect = (globalThis as { readonly gc?: () => void }).gc;
  if (collect === undefined) throw new TypeError("run with --expose-gc");
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
