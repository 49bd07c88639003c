export interface ProgressNow {
  readonly rule: string;
  readonly done: number;
  readonly total: number;
}

/**
 * How far the cleaning has come: a live object of the process that hosts the cleaner. Cells update it by reference, the host reads it and is
 * told of each update.
 */
export class Progress {
  /** The rule that is being applied; empty before the first. */
  rule = "";
  /** Rows done under `rule`. */
  done = 0;
  total = 0;
  /** How often cells have updated it. */
  updates = 0;
  readonly #listener: (now: ProgressNow) => void;

  constructor(listener: (now: ProgressNow) => void = () => undefined) {
    this.#listener = listener;
  }

  /** Says that `done` of `total` rows have passed `rule`. */
  update(rule: string, done: number, total: number): void {
    this.rule = rule;
    this.done = done;
    this.total = total;
    this.updates += 1;
    this.#listener({ rule, done, total });
  }
}
