import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "./codec.ts";
import { decodeError, encodeError } from "./error-codec.ts";
import { isKarstError, KarstError } from "./error.ts";
import { InvalidNameError, MalformedError } from "./errors.ts";
import { crossingValue } from "./testing/crossing-value.ts";
import { volume } from "./testing/config.ts";

/** As a reply does it: through the codec. */
const sent = (thrown: unknown): Error & Record<string, unknown> =>
  decodeError(decode(encode(encodeError(thrown)).bytes)) as Error & Record<string, unknown>; // cast: to look at what it has

describe("what was thrown, in another process", () => {
  it("a builtin error keeps class, name, message, own properties and cause", () => {
    const got = sent(
      Object.assign(new RangeError("too far", { cause: new TypeError("inner", { cause: "root" }) }), {
        code: "E_FAR",
        at: new Date(5),
        big: 5n,
      }),
    );
    expect(got).toBeInstanceOf(RangeError);
    expect([got.name, got.message, got["code"], got["at"], got["big"]]).toEqual(["RangeError", "too far", "E_FAR", new Date(5), 5n]);
    expect(got.cause).toBeInstanceOf(TypeError);
    expect((got.cause as Error).cause).toBe("root");
    expect(Object.keys(got)).toEqual(["code", "at", "big"]);
  });

  it.each([EvalError, ReferenceError, SyntaxError, URIError, TypeError])("%o keeps its class", (Class) => {
    const got = sent(new Class("x"));
    expect([got instanceof Class, got.name, got.message]).toEqual([true, Class.name, "x"]);
  });

  it("an AggregateError keeps its errors", () => {
    const got = sent(new AggregateError([new TypeError("a"), "b", new KarstError("NotFound", "c")], "many"));
    expect(got).toBeInstanceOf(AggregateError);
    expect((got["errors"] as unknown[]).map((error) => (error instanceof Error ? `${error.name}: ${error.message}` : error))).toEqual([
      "TypeError: a",
      "b",
      "KarstError: c",
    ]);
  });

  it("an error of ours keeps code, retryable, data, name and cause", () => {
    const got = sent(new KarstError("Overloaded", "full", { retryable: true, data: { waiting: 5 }, cause: new RangeError("r") }));
    expect(isKarstError(got)).toBe(true);
    expect(got).toMatchObject({ code: "Overloaded", retryable: true, data: { waiting: 5 }, message: "full" });
    expect(got.cause).toBeInstanceOf(RangeError);
    expect(sent(new InvalidNameError("tenant", "a b", "rule")).name).toBe("InvalidNameError");
  });

  it("a code that is not known becomes AppError, and the code is data", () => {
    const got = decodeError({ ...encodeError(new KarstError("NotFound", "gone", { data: { a: 1 } })), code: "FromTheFuture" });
    expect(got).toMatchObject({ code: "AppError", data: { a: 1, code: "FromTheFuture" } });
  });

  it("a class of its own arrives as the nearest builtin, under its name", () => {
    class HttpError extends TypeError {
      override readonly name = "HttpError";
      readonly status = 503;
    }
    const got = sent(new HttpError("down"));
    expect([got instanceof TypeError, got.name, got.message, got["status"]]).toEqual([true, "HttpError", "down", 503]);
  });

  it("an abort keeps its name", () => {
    const got = sent(AbortSignal.abort().reason);
    expect([got instanceof DOMException, got.name]).toEqual([true, "AbortError"]);
  });

  it("what is no error arrives as AppError with what was thrown", () => {
    expect(sent("plain text")).toMatchObject({ code: "AppError", message: "thrown: plain text", data: { thrown: "plain text" } });
    expect(sent({ status: 5 })).toMatchObject({ code: "AppError", data: { thrown: { status: 5 } } });
    expect(sent(undefined)).toMatchObject({ code: "AppError", message: "thrown: undefined" });
    expect(sent(Symbol("s"))).toMatchObject({ code: "AppError", message: "thrown: Symbol(s)" });
    expect(sent(Object.create(null)).message).toBe("thrown: [object Object]");
  });

  it("what cannot even be looked at is said to be so", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(sent(proxy)).toMatchObject({ code: "AppError", message: "thrown: something that throws when it is looked at" });
  });

  it("the stack tells where it was thrown, then where it arrived", () => {
    const error = new TypeError("boom");
    const got = sent(error);
    const [remote, local] = (got.stack ?? "").split(/^ +-- .* --$/m);
    expect(remote?.trim()).toBe(error.stack);
    expect(local).toContain("    at ");
    expect(got["remoteStack"]).toBe(error.stack);
    expect(Object.keys(got)).toEqual([]);
  });

  it("what may not cross is left out with a note, and getters are not called", () => {
    const error = Object.assign(new TypeError("x"), { socket: new (class Socket {})(), retry: () => 1, ok: 1 });
    Object.defineProperty(error, "lazy", {
      get: () => {
        throw new RangeError("called");
      },
      enumerable: true,
    });
    const got = sent(error);
    expect(got["ok"]).toBe(1);
    expect(got["socket"]).toContain("left out: value cannot cross");
    expect(got["retry"]).toContain("left out");
    expect("lazy" in got).toBe(false);
  });

  it("long texts, long lists and long chains are cut", () => {
    const chain = Array.from({ length: 100 }).reduce<unknown>((cause) => new TypeError("link", { cause }), undefined);
    const { bytes } = encode(
      encodeError(
        Object.assign(
          new AggregateError(
            Array.from({ length: 500 }, () => new TypeError("one")),
            "m".repeat(100_000),
            { cause: chain },
          ),
          { huge: "h".repeat(200_000) },
        ),
      ),
    );
    expect(bytes.length).toBeLessThan(400_000);
    const got = decodeError(decode(bytes)) as Error & { errors: unknown[]; huge: string };
    expect([got.errors.length, got.message.endsWith("(91808 characters more)"), got.huge.startsWith("(left out: value is")]).toEqual([
      32,
      true,
      true,
    ]);
  });

  it("an error that is its own cause ends", () => {
    const error = new TypeError("loop");
    error.cause = error;
    expect((sent(error).cause as Error).message).toBe("loop");
  });

  it("anything can be thrown and sent", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          crossingValue,
          fc.constantFrom(() => 1, Symbol("s"), Promise.resolve(), new WeakMap()),
        ),
        (thrown) => {
          expect(sent(thrown)).toBeInstanceOf(Error);
        },
      ),
      { numRuns: volume(300) },
    );
  });

  it("what is no data of an error is Malformed", () => {
    for (const data of [
      undefined,
      5,
      "x",
      [],
      {},
      { class: "TypeError" },
      { class: "TypeError", name: "x", message: 5 },
      { class: "TypeError", name: "x", message: "y", cause: 5 },
    ])
      expect(() => decodeError(data)).toThrow(MalformedError);
  });

  it("a class of which nothing is known arrives as Error, and keys from outside reach no setter", () => {
    const got = decodeError({
      class: "constructor",
      name: "Odd",
      message: "m",
      properties: JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
    });
    expect([Object.getPrototypeOf(got) === Error.prototype, got.name]).toEqual([true, "Odd"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
