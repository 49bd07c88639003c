import { isKarstError } from "@karst/events";

/**
 * Results of recent calls, by caller and key, so that a call sent again is not carried out again (G2).
 *
 * K1. The same key joins the execution that is open, or gets its result.
 * K2. A failure is an answer too, but for a retryable one: its call may be made again.
 * K3. Kept: the last `capacity.calls` and at most `capacity.bytes` of results; older ones are forgotten.
 */
export interface AnswerCapacity {
  readonly calls: number;
  readonly bytes: number;
}

export const ANSWER_CAPACITY: AnswerCapacity = { calls: 1_000, bytes: 4 * 1024 * 1024 };

interface Answer {
  readonly result: Promise<Uint8Array>;
  bytes: number;
}

/** Whether a call that ended so may be made again under its key: it may pass, or its caller only gave up. */
function mayPass(error: unknown): boolean {
  return isKarstError(error) && (error.retryable || error.code === "Cancelled");
}

export class Answers {
  readonly #capacity: AnswerCapacity;
  readonly #answers = new Map<string, Answer>();
  #bytes = 0;

  constructor(capacity: AnswerCapacity = ANSWER_CAPACITY) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** The result of `key`; `execute` runs only when the key is new. */
  once(key: string, execute: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known.result;
    const answer: Answer = { result: execute(), bytes: 0 };
    this.#answers.set(key, answer);
    answer.result.then(
      (body) => {
        this.#grow(key, answer, body.byteLength);
      },
      (error: unknown) => {
        if (mayPass(error) && this.#answers.get(key) === answer) this.#answers.delete(key);
      },
    );
    if (this.#answers.size > this.#capacity.calls) this.#forgetOldest();
    return answer.result;
  }

  #grow(key: string, answer: Answer, bytes: number): void {
    if (this.#answers.get(key) !== answer) return;
    answer.bytes = bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#capacity.bytes && this.#answers.size > 0) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, answer] of this.#answers) {
      this.#answers.delete(key);
      this.#bytes -= answer.bytes;
      return;
    }
  }
}
