import { KarstError } from "@karst/events";
import type { ErrorCode } from "@karst/events";
import type { ModelFailure } from "./model.ts";
import { isRetried } from "./retry.ts";

/** A written script and what was asked of it do not fit: too many calls, too few, or not the request that was expected. */
export class ModelScriptError extends KarstError {
  constructor(problem: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super("ModelScript", problem, { data, cause });
  }
}

/** A setting of a model that cannot work; `setting` names it. The value is left out of the message, for it may be a key. */
export class InvalidModelSettingError extends KarstError {
  constructor(setting: string, rule: string) {
    super("InvalidConfig", `the model's ${setting} ${rule}`, { data: { setting, rule } });
  }
}

/** An HTTP 200 whose body is no stream of events; `body` is its beginning. */
export class NotAnEventStreamError extends KarstError {
  readonly body: string;

  constructor(body: string) {
    super("Malformed", "the provider answered 200 with a body that is no stream of events", { data: { body } });
    this.body = body;
  }
}

const CODES: Readonly<Record<ModelFailure["kind"], ErrorCode>> = {
  transient: "ModelFailed",
  "rate-limited": "ModelRateLimited",
  billing: "ModelBilling",
  unauthorized: "ModelFailed",
  "context-exceeded": "ModelContextExceeded",
  "bad-request": "ModelFailed",
  cut: "ModelFailed",
  malformed: "ModelFailed",
};

/** A provider's failure as an error, for where one has to be thrown or named; `data` has its kind, status and wait. */
export class ModelFailedError extends KarstError {
  constructor(failure: ModelFailure) {
    const { message, ...data } = failure;
    super(CODES[failure.kind], message, { retryable: isRetried(failure.kind), data });
  }
}
