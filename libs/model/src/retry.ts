import type { Random } from "@karst/events";
import type { ModelFailure } from "./model.ts";

/** Limits of retrying one model call. */
export interface RetryLimits {
  /** Tries after the first. Default 5. */
  readonly maxRetries?: number;
  /** A provider that asks for a longer wait is not asked again: its failure passes, with `retryAfterMs`, for the caller to park. Default 60 s. */
  readonly maxWaitMs?: number;
}

const MAX_RETRIES = 5;
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 32_000;

/** Whether the same request may succeed later. `malformed` is not: a provider that breaks its own format does so again. */
export function isRetried(kind: ModelFailure["kind"]): boolean {
  return kind === "transient" || kind === "rate-limited" || kind === "cut";
}

/**
 * How long to wait before the next try, ms, or undefined when there is none.
 *
 * `retries`: how many were made already, from 0. A wait that the provider asked for is kept in full and without jitter; else it is
 * a random part of 0.5 s doubled each time, at most 32 s (full jitter, so that many callers do not come back together).
 */
export function retryDelayMs(failure: ModelFailure, retries: number, random: Random, limits: RetryLimits = {}): number | undefined {
  const { maxRetries = MAX_RETRIES, maxWaitMs = MAX_WAIT_MS } = limits;
  if (!isRetried(failure.kind) || retries >= maxRetries) return undefined;
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs > maxWaitMs) return undefined;
  if (askedMs > 0) return askedMs;
  return random.next() * Math.min(FIRST_BACKOFF_MS * 2 ** retries, LONGEST_BACKOFF_MS);
}
