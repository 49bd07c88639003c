/** An implementation on an outside system, and the two files that have to stand beside it. */
export interface LoneImplementation {
  readonly file: string;
  readonly missing: readonly string[];
}

const OUTSIDE = /^(?<stem>.*)\.(?:nats|lmdb|redis)\.ts$/;

/**
 * The implementations of ports that stand without their twin in memory or their suite.
 *
 * `x.nats.ts` implements a port when there is an `x.ts`; others (a connection) have no port.
 */
export function loneImplementations(files: readonly string[]): readonly LoneImplementation[] {
  const all = new Set(files);
  return files.flatMap((file) => {
    const stem = OUTSIDE.exec(file)?.groups?.["stem"];
    if (stem === undefined || !all.has(`${stem}.ts`)) return [];
    const missing = [`${stem}.memory.ts`, `${stem}.contract.ts`].filter((twin) => !all.has(twin));
    return missing.length === 0 ? [] : [{ file, missing }];
  });
}
