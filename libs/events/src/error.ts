/**
 * The closed union of error codes, and the base class that carries one.
 * The call codes are those of the call protocol (docs/architecture.md, "A call"); others are added here by name.
 */
export const ERROR_CODES = [
  // calls
  "NotFound",
  "NoSuchMethod",
  "BadArgs",
  "NotSerialisable",
  "DeadlineExceeded",
  "Cancelled",
  "Overloaded",
  "NotOwner",
  "Moved",
  "Fenced",
  "Deadlock",
  "RefBroken",
  "StreamBroken",
  "TooLarge",
  "EffectInDoubt",
  "Interrupted",
  "Poisoned",
  "Quarantined",
  "Unauthorized",
  "Unavailable",
  "AppError",
  // values and names
  "InvalidName",
  "Malformed",
  // classes and systems
  "InvalidDefinition",
  "InvalidConfig",
  "InvalidValue",
  "Closed",
  // the runtime
  "NameTaken",
  "NoSuchName",
  "CellSyntax",
  "CellFailed",
  "CellTimeout",
  "PolicyViolation",
  "RuntimeStopped",
  // the model
  "ModelFailed",
  "ModelRateLimited",
  "ModelBilling",
  "ModelContextExceeded",
  "ModelRefused",
  "ModelStalled",
  "ModelScript",
  // runs
  "RunFailed",
  // the machine it runs on
  "MissingTool",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface KarstErrorOptions {
  /** True when the same request may succeed later. Default false. */
  readonly retryable?: boolean;
  /** Plain data that says more: a path, a limit, names. Crosses the wire. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every error Karst throws. Test `code`, not `instanceof`: it survives threads, processes and the wire. */
export class KarstError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: KarstErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.data = options.data ?? {};
  }
}

const codes: ReadonlySet<string> = new Set(ERROR_CODES);

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && codes.has(code);
}

/** Whether `value` is an error with one of our codes, whichever realm or process made it. */
export function isKarstError(value: unknown): value is KarstError {
  return value instanceof Error && "code" in value && isErrorCode(value.code) && "retryable" in value;
}

/** The code of `value`, or undefined when it is not ours. */
export function errorCode(value: unknown): ErrorCode | undefined {
  return isKarstError(value) ? value.code : undefined;
}
