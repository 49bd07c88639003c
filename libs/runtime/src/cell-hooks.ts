/**
 * What generated code calls. The names are short because they stand in every rewritten line; a runtime builds the object with
 * `createCellHooks` (cell-scope.ts) or, in a guest without our code, by hand to the same contract.
 */
export interface CellHooks {
  /** Guard: the interrupt flag is set. Throws if the cell that executes now is the one to stop; else returns. */
  k(): void;
  /** Guard: around the operand of `await`. Returns what to await in its place; rejects it when the cell is stopped. */
  a(value: unknown): unknown;
  /** Guard: around the iterable of `for await`. Returns one whose pending `next()` rejects when the cell is stopped. */
  i(iterable: unknown): unknown;
  /** A reference to a name that is, or was at compile time, a constant: setting `v` throws while it still is one. */
  c(name: string): { v: unknown };
  /** Makes names constant, after their declaration gave them a value. */
  s(...names: string[]): void;
  /** `typeof` of a name that may not exist. */
  t(name: string): string;
  /** At catch entries: takes the names of the scope object out of an engine's message, in place. Returns its argument. */
  e(thrown: unknown): unknown;
  /** `import(specifier, options)`, also for static imports. Refusal is a rejection. */
  import(specifier: unknown, options?: unknown): Promise<unknown>;
  /** The export `name` of `namespace`. @throws {SyntaxError} when there is none, unless `optional`. */
  get(namespace: unknown, name: string, specifier: string): unknown;
  /** `import.meta`. */
  readonly meta: object;
}
