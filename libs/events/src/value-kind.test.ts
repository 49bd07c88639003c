import { describe, expect, it } from "vitest";
import { decode, encode } from "./codec.ts";
import { KarstError } from "./error.ts";
import { NotSerialisableError } from "./errors.ts";
import { difference } from "./testing/difference.ts";

/** Runs code in a realm of its own. The module is not imported, since engines have their door in the runtime; this is no engine but a source of values. */
const inOtherRealm = (code: string): unknown => process.getBuiltinModule("node:vm").runInNewContext(code) as unknown;

const crossed = (value: unknown): unknown => decode(encode(value).bytes);

describe("what stays as it was", () => {
  it("objects of another realm arrive as the receiver's own", () => {
    const far: unknown = inOtherRealm(`({
      list: [1, { a: -0 }], map: new Map([["k", new Set([1])]]), date: new Date(5), bytes: new Float64Array([1.5, 2]), view: new DataView(new ArrayBuffer(3)), buffer: new ArrayBuffer(2),
      pattern: /a/gi, error: Object.assign(new RangeError("far"), { code: "E" }),
    })`);
    const here = {
      list: [1, { a: -0 }],
      map: new Map([["k", new Set([1])]]),
      date: new Date(5),
      bytes: new Float64Array([1.5, 2]),
      view: new DataView(new ArrayBuffer(3)),
      buffer: new ArrayBuffer(2),
      pattern: /a/gi,
    };
    const { error, ...rest } = crossed(far) as typeof here & { error: RangeError & { code: string } };
    expect(difference(rest, here)).toBeUndefined();
    expect([error instanceof RangeError, error.message, error.code]).toEqual([true, "far", "E"]);
  });

  it("an error of a class of its own arrives as the nearest builtin under its name", () => {
    class ParseError extends SyntaxError {
      readonly line = 3;
      override get name(): string {
        return "ParseError";
      }
    }
    const got = crossed(new ParseError("bad")) as ParseError;
    expect([got instanceof SyntaxError, got.name, got.message, got.line]).toEqual([true, "ParseError", "bad", 3]);
  });

  it("an error of Node keeps its fields and leaves Node's own bookkeeping behind", () => {
    const failing = Object.defineProperties(new TypeError("failed"), {
      code: { value: "ERR_X", enumerable: true },
      toString: { value: () => "x" },
      [Symbol("kIsNodeError")]: { value: true },
    });
    const got = crossed(failing) as { code: string };
    expect([got.code, Object.hasOwn(got, "toString"), Object.getOwnPropertySymbols(got)]).toEqual(["ERR_X", false, []]);
  });

  it("our errors keep code, retryable, data and cause", () => {
    const error = new NotSerialisableError("a.b", "a symbol", new RangeError("cause"));
    const got = crossed({ error }) as { error: KarstError };
    expect(difference(got, { error: Object.setPrototypeOf(error, KarstError.prototype) as unknown })).toBeUndefined();
    expect([got.error instanceof KarstError, got.error.name, got.error.code]).toEqual([true, "NotSerialisableError", "NotSerialisable"]);
  });

  it("frozen arrives open, views apart, a Buffer as a Buffer with its own bytes only", () => {
    expect(Object.isFrozen(crossed(Object.freeze({ a: 1 })))).toBe(false);
    const buffer = new ArrayBuffer(1000);
    const [first, second] = crossed([new Uint8Array(buffer, 0, 2), new Uint8Array(buffer, 2, 2)]) as [Uint8Array, Uint8Array];
    expect([first.buffer.byteLength, first.buffer === second.buffer]).toEqual([2, false]);
    const bytes = crossed({ b: Buffer.from("hé") }) as { b: Buffer };
    expect([Buffer.isBuffer(bytes.b), bytes.b.toString()]).toEqual([true, "hé"]);
  });

  it("what lies on Object.prototype is no part of a value", () => {
    Object.defineProperty(Object.prototype, "polluted", { value: { deep: true }, enumerable: true, configurable: true, writable: true });
    try {
      const got = crossed({ a: 1, f: [-0, { b: "\uD800" }] }) as object;
      expect([Object.keys(got), Object.hasOwn(got, "polluted")]).toEqual([["a", "f"], false]);
    } finally {
      Reflect.deleteProperty(Object.prototype, "polluted");
    }
  });
});
