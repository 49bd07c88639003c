/** What a run of tests came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of the files with skipped tests, and how many. */
  readonly skipped: ReadonlyMap<string, number>;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** `N passed, N failed`, and `, N skipped` when there are any: the line that CI reads. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const count = sum(skipped.values());
  return `${String(passed)} passed, ${String(failed)} failed${count === 0 ? "" : `, ${String(count)} skipped`}`;
}

/** Why tests were skipped and how to run them: a skip is loud. Empty when none was. */
export function skipBanner({ skipped }: Tally, missing?: { readonly reason: string; readonly howTo: string }): string {
  if (skipped.size === 0) return "";
  const files = [...skipped].map(([file, count]) => `!!!   ${String(count)} in ${file}`);
  const why = missing === undefined ? [] : [`!!! no NATS server: ${missing.reason}`, `!!! to run them: ${missing.howTo}`];
  return ["", `!!! ${String(sum(skipped.values()))} tests were SKIPPED`, ...files, ...why, ""].join("\n");
}
