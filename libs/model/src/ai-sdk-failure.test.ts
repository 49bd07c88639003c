import { TooLargeError } from "@karst/events";
import { expect, test } from "vitest";
import { failureOfAiSdk } from "./ai-sdk-failure.ts";

const shaped = (name: string, fields: object): Error => Object.assign(new Error("said"), { name, ...fields });

test("errors are judged by their shape, so those of another copy of the SDK count too", () => {
  const error = shaped("AI_APICallError", {
    statusCode: 429,
    responseHeaders: { "retry-after": "2" },
    responseBody: '{"error":{"message":"slow down"}}',
  });
  expect(failureOfAiSdk(error, 0)).toEqual({ kind: "rate-limited", message: "HTTP 429: slow down", status: 429, retryAfterMs: 2_000 });
});

test("a reply that broke off is cut, unless its form was what broke it", () => {
  const ofCause = (cause?: Error): string =>
    failureOfAiSdk(shaped("AI_APICallError", { statusCode: 200, ...(cause === undefined ? {} : { cause }) }), 0).kind;
  expect(ofCause()).toBe("cut");
  expect(ofCause(new TypeError("terminated"))).toBe("cut");
  expect(ofCause(shaped("AI_EmptyResponseBodyError", {}))).toBe("malformed");
  expect(ofCause(new TooLargeError("the model's reply", 2, 1))).toBe("malformed");
});

test("no status is no connection, whatever the words", () => {
  expect(failureOfAiSdk(shaped("AI_APICallError", { message: "Cannot connect: payment required" }), 0).kind).toBe("transient");
});

test("fields of the wrong type are passed over", () => {
  const error = shaped("AI_APICallError", { statusCode: 500, responseHeaders: { "retry-after": 5 }, responseBody: 7 });
  expect(failureOfAiSdk(error, 0)).toEqual({ kind: "transient", message: "HTTP 500: said", status: 500 });
});

test("what is no error at all is a passing failure without a reason", () => {
  for (const thrown of [undefined, null, 5, {}])
    expect(failureOfAiSdk(thrown, 0)).toEqual({ kind: "transient", message: "the provider failed without a reason" });
});
