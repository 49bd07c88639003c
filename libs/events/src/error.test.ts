import { describe, expect, it } from "vitest";
import { ERROR_CODES, errorCode, isErrorCode, isKarstError, KarstError } from "./error.ts";
import { InvalidNameError, MalformedError, NotSerialisableError, TooLargeError } from "./errors.ts";

describe("KarstError", () => {
  it("is named after its class and carries code, retryable, data and cause", () => {
    const cause = new TypeError("c");
    const error = new KarstError("Unavailable", "no one", { retryable: true, data: { node: "n" }, cause });
    expect(error).toMatchObject({
      name: "KarstError",
      code: "Unavailable",
      message: "no one",
      retryable: true,
      data: { node: "n" },
      cause,
    });
    expect(new NotSerialisableError("a", "b").name).toBe("NotSerialisableError");
  });

  it("is not retryable, has no data and no cause unless said", () => {
    const error = new KarstError("NotFound", "x");
    expect([error.retryable, error.data, Object.hasOwn(error, "cause")]).toEqual([false, {}, false]);
  });

  it("is told by its code, also when another copy of the class made it", () => {
    const foreign = Object.assign(new TypeError("x"), { code: "Cancelled", retryable: false });
    expect([isKarstError(foreign), errorCode(foreign)]).toEqual([true, "Cancelled"]);
    for (const other of [
      undefined,
      null,
      "NotFound",
      { code: "NotFound", retryable: true },
      new TypeError("x"),
      Object.assign(new TypeError("x"), { code: "ENOENT", retryable: true }),
      Object.assign(new TypeError("x"), { code: "NotFound" }),
    ])
      expect([isKarstError(other), errorCode(other)]).toEqual([false, undefined]);
  });

  it("codes are distinct", () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
    expect([isErrorCode("NotFound"), isErrorCode("constructor"), isErrorCode(5)]).toEqual([true, false, false]);
  });

  it("each class says in its message what its data says", () => {
    expect(new InvalidNameError("tenant", "a b", "no blanks")).toMatchObject({
      code: "InvalidName",
      message: 'tenant "a b" is not allowed: no blanks',
      data: { what: "tenant", text: "a b", rule: "no blanks" },
    });
    expect(new NotSerialisableError("rows[3]", "a symbol", 5)).toMatchObject({
      code: "NotSerialisable",
      message: "rows[3] cannot cross: a symbol",
      data: { path: "rows[3]" },
      cause: 5,
    });
    expect(new TooLargeError("value", 10, 5)).toMatchObject({ code: "TooLarge", message: "value is 10 bytes; the limit is 5" });
    expect(new MalformedError("value", "it ends", 5)).toMatchObject({
      code: "Malformed",
      message: "value is malformed: it ends",
      cause: 5,
    });
  });
});
