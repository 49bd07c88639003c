import type { ModelFailure } from "./model.ts";
import type { ProviderError } from "./provider-error.ts";

/**
 * What a provider's failure means, from what it said. Total: every failure gets a kind.
 *
 * A definite status is the authority; the words are asked only where a status has several meanings (400, 403, 429, 5xx) or is
 * missing, as for an error object inside a stream. Phrases are specific: "max_tokens must be positive" is no overflow, and a 400
 * that mentions a timeout is not retried.
 */
export function failureOf(error: ProviderError): ModelFailure {
  const message = shorten(describe(error));
  return {
    kind: kindOf(error),
    message,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}

function kindOf(error: ProviderError): ModelFailure["kind"] {
  const { status } = error;
  const words = `${error.code ?? ""} ${error.type ?? ""} ${error.message ?? ""}`.toLowerCase();
  if (status === 402 || BILLING_CODES.test(words)) return "billing";
  if (status === 401) return "unauthorized";
  if (status === 413) return "context-exceeded";
  if (status === 408 || status === 409) return "transient";
  // a quota that the provider says to ask again for is a rate, whatever the sentence before it says
  if (BILLING_PHRASES.test(words) && !/(?:retry|try again) (?:in|after) \d/.test(words)) return "billing";
  if (status === 403) return "unauthorized";
  if (status === 429) return "rate-limited";
  if (CONTEXT_PHRASES.test(words)) return "context-exceeded";
  if (status !== undefined) return status >= 500 ? "transient" : "bad-request";
  return kindOfWords(words);
}

/** An error object in a stream often has no status. Where its words say nothing either it is a passing trouble of the provider. */
function kindOfWords(words: string): ModelFailure["kind"] {
  if (/rate.?limit|too many requests|resource_exhausted/.test(words)) return "rate-limited";
  if (/authentication_error|permission_(?:error|denied)|invalid_api_key|unauthenticated|unauthorized/.test(words)) return "unauthorized";
  if (/invalid_request|invalid_argument|not_found|model_not_found|unsupported_parameter/.test(words)) return "bad-request";
  return "transient";
}

/** Codes that mean an empty purse and nothing else. */
const BILLING_CODES =
  /\b(?:insufficient_quota|billing_hard_limit_reached|billing_not_active|payment_required|insufficient_(?:funds|balance|credits)|arrearage)\b/;

const BILLING_PHRASES = new RegExp(
  [
    "exceeded your current quota",
    "check your plan and billing",
    "credit balance is too low",
    "insufficient (?:account )?(?:balance|credits?|funds|quota)",
    "out of (?:credits|funds)",
    "(?:not enough|requires more|no remaining) credits",
    "billing (?:hard )?limit",
    "billing (?:account )?(?:is )?not active",
    "payment (?:is )?required",
    "余额不足",
    "欠费",
  ].join("|"),
);

const CONTEXT_PHRASES = new RegExp(
  [
    "context_length_exceeded",
    "context_window_exceeded",
    "exceed_context_size",
    "maximum context length",
    "maximum context size",
    "exceeds? (?:the |its |this |available |model'?s? |maximum |allowed )*context",
    "(?:longer|larger|greater) than the (?:model'?s? )?(?:maximum )?context",
    "context (?:length|window) (?:is |was )?exceeded",
    "exceed context limit",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input (?:length|token count)[^.]{0,40} exceeds",
    "reduce the length of the (?:messages|prompt|input)",
    "exceeds the maximum number of (?:input )?tokens",
    "too many (?:input |prompt )tokens",
    "超过最大(?:上下文)?长度",
    "输入(?:内容)?过长",
  ].join("|"),
);

function describe({ status, message, code, type }: ProviderError): string {
  const said = message ?? code ?? type;
  if (status === undefined) return said ?? "the provider failed without a reason";
  return said === undefined || said === "" ? `HTTP ${String(status)}` : `HTTP ${String(status)}: ${said}`;
}

const LONGEST_MESSAGE = 500;

function shorten(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
}
