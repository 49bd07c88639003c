import { systemClock, systemRandom } from "@karst/events";
import type { Clock, Random } from "@karst/events";
import { modelStream } from "./model-stream.ts";
import type { Model, ModelFailure, ModelPart, ModelRequest } from "./model.ts";
import { retryDelayMs } from "./retry.ts";
import type { RetryLimits } from "./retry.ts";
import { sleep } from "./wait.ts";

export interface RetryOptions extends RetryLimits {
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Draws the jitter. Default: the machine's. */
  readonly random?: Random;
  /** Told before each wait, so that a watchdog can allow for it. `retry` counts from 1. */
  readonly onRetry?: (wait: { readonly retry: number; readonly delayMs: number; readonly failure: ModelFailure }) => void;
}

/**
 * `model`, asked again after a failure that may pass (retry.ts).
 *
 * R1. It asks again only while no part of the reply has come; after that a failure is the caller's to mend, for a second try would say it twice.
 * R2. The failure of the last try passes as it came.
 * R3. A wait ends with the call's signal.
 */
export function withRetry(model: Model, options: RetryOptions = {}): Model {
  return {
    id: model.id,
    ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
    stream: (request, signal) => modelStream(signal, (inner) => tries(model, request, inner, options)),
  };
}

async function* tries(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncGenerator<ModelPart, void, undefined> {
  const { clock = systemClock, random = systemRandom, onRetry } = options;
  for (let retries = 0; ; retries++) {
    let came = false;
    let delayMs: number | undefined;
    for await (const part of model.stream(request, signal)) {
      if (part.type === "error" && !came) {
        delayMs = retryDelayMs(part.error, retries, random, options);
        if (delayMs !== undefined) {
          onRetry?.({ retry: retries + 1, delayMs, failure: part.error });
          break;
        }
      }
      came = true;
      yield part;
    }
    if (delayMs === undefined) return;
    await sleep(delayMs, clock, signal);
  }
}
