import { describe, expect, test } from "vitest";
import { failureOf } from "./failure.ts";
import type { ProviderError } from "./provider-error.ts";

const kinds = (errors: readonly ProviderError[]): string[] => errors.map((error) => failureOf(error).kind);

describe("what a provider's words mean", () => {
  test("an exhausted quota, credit or balance is billing, on whichever status it rides", () => {
    const said: readonly ProviderError[] = [
      { status: 429, message: "You exceeded your current quota, please check your plan and billing details." },
      { status: 429, code: "insufficient_quota", message: "try again in 5s" },
      { status: 400, message: "Your credit balance is too low to access the API" },
      { status: 403, message: "Insufficient balance" },
      { status: 429, message: "账户余额不足" },
      { status: 402, message: "requires more credits" },
      { message: "billing hard limit has been reached", code: "billing_hard_limit_reached" },
    ];
    expect(new Set(kinds(said))).toEqual(new Set(["billing"]));
  });

  test("a quota that comes back by itself is a rate limit", () => {
    expect(failureOf({ status: 429, message: "You exceeded your current quota. Please retry in 32.5s." }).kind).toBe("rate-limited");
  });

  test("a prompt that is too long is told from other bad requests", () => {
    const said = [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      "prompt is too long: 210000 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      "the request exceeds the available context size",
      "Please reduce the length of the messages or completion.",
      "输入过长",
    ];
    expect(new Set(kinds(said.map((message) => ({ status: 400, message }))))).toEqual(new Set(["context-exceeded"]));
    const others = ["max_tokens must be positive", "invalid timeout", "context must be a string", "unknown field `context_length`"];
    expect(new Set(kinds(others.map((message) => ({ status: 400, message }))))).toEqual(new Set(["bad-request"]));
  });

  test("a definite status outweighs the words", () => {
    expect(
      kinds([
        { status: 401, message: "rate limit" },
        { status: 429, message: "Request too large: prompt is too long for tokens per minute" },
        { status: 500, message: "invalid_request" },
        { status: 418, message: "overloaded" },
        { status: 307, message: "" },
      ]),
    ).toEqual(["unauthorized", "rate-limited", "transient", "bad-request", "bad-request"]);
  });

  test("without a status the words decide, and without words it is a passing trouble", () => {
    expect(
      kinds([{ type: "rate_limit_error" }, { type: "permission_error" }, { code: "model_not_found" }, { type: "overloaded_error" }, {}]),
    ).toEqual(["rate-limited", "unauthorized", "bad-request", "transient", "transient"]);
  });

  test("the message names the status and what was said, and never grows without bound", () => {
    expect(failureOf({ status: 500 }).message).toBe("HTTP 500");
    expect(failureOf({ status: 400, code: "bad_thing" }).message).toBe("HTTP 400: bad_thing");
    expect(failureOf({}).message).toBe("the provider failed without a reason");
    expect(failureOf({ message: "x".repeat(10_000) }).message.length).toBeLessThan(600);
  });
});
