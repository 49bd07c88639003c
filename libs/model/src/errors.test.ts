import { expect, test } from "vitest";
import { ModelFailedError } from "./errors.ts";

test("a failure as an error has the code of its kind, and says whether asking again may help", () => {
  const limited = new ModelFailedError({ kind: "rate-limited", message: "slow down", status: 429, retryAfterMs: 5 });
  expect(limited).toMatchObject({
    name: "ModelFailedError",
    code: "ModelRateLimited",
    message: "slow down",
    retryable: true,
    data: { kind: "rate-limited", status: 429, retryAfterMs: 5 },
  });
  expect(new ModelFailedError({ kind: "billing", message: "m" })).toMatchObject({ code: "ModelBilling", retryable: false });
  expect(new ModelFailedError({ kind: "context-exceeded", message: "m" }).code).toBe("ModelContextExceeded");
  expect(new ModelFailedError({ kind: "malformed", message: "m" }).code).toBe("ModelFailed");
});
