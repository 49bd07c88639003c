import type { ModelPart } from "./model.ts";

const CUT: ModelPart = { type: "error", error: { kind: "cut", message: "the stream ended without a finish reason" } };
const DONE = { done: true, value: undefined } as const;
const nothing = (): void => undefined;

/**
 * The iterator that every model here hands out; `parts` only makes parts.
 *
 * S1. Nothing starts before the first `next`; one iterator is one request.
 * S2. It ends after the first `finish` or `error`, and adds the error `cut` where `parts` ends without one (M1).
 * S3. `inner` aborts with the caller's signal, and then `next` throws that signal's reason (M3).
 * S4. `inner` aborts when the iteration ends or is left, also while a part is awaited (M5); `parts` must await nothing without it.
 * S5. What goes wrong while closing never replaces the outcome.
 */
export function modelStream(
  signal: AbortSignal,
  parts: (inner: AbortSignal) => AsyncGenerator<ModelPart, void, undefined>,
): AsyncIterableIterator<ModelPart> {
  const inner = new AbortController();
  const abort = (): void => {
    inner.abort(signal.reason);
  };
  let generator: ReturnType<typeof parts> | undefined;
  let closed = false;
  const close = (): void => {
    closed = true;
    signal.removeEventListener("abort", abort);
    if (!inner.signal.aborted) inner.abort();
    generator?.return().catch(nothing);
  };
  const open = (): ReturnType<typeof parts> => {
    signal.addEventListener("abort", abort, { once: true });
    return parts(inner.signal);
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (closed) return DONE;
      try {
        signal.throwIfAborted();
        generator ??= open();
        const step = await generator.next();
        if (isClosed()) return DONE;
        const part = step.done === true ? CUT : step.value;
        if (part.type === "finish" || part.type === "error") close();
        return { done: false, value: part };
      } catch (error) {
        const left = isClosed();
        close();
        if (left) return DONE;
        signal.throwIfAborted();
        throw error;
      }
    },
    return() {
      close();
      return Promise.resolve(DONE);
    },
  };

  /** Whether it was closed meanwhile; a function, so that the compiler does not take the earlier answer for this one. */
  function isClosed(): boolean {
    return closed;
  }
}
