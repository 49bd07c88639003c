import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireByValue } from "./codec.ts";
import { refusalOf } from "./testing/refusal.ts";
import { byReference } from "./value.ts";

/** Runs code in a realm of its own. The module is not imported, since engines have their door in the runtime; this is no engine but a source of values. */
const inOtherRealm = (code: string): unknown => process.getBuiltinModule("node:vm").runInNewContext(code) as unknown;

class Light {
  level = 0;
  set(level: number): void {
    this.level = level;
  }
}

function* numbers(): Generator<number> {
  yield 1;
}

describe("what is refused", () => {
  const cases: readonly (readonly [string, () => unknown])[] = [
    ["a symbol", () => Symbol("s")],
    ["a registered symbol", () => Symbol.for("s")],
    ["a promise", () => Promise.resolve(1)],
    ["a WeakMap", () => new WeakMap()],
    ["a WeakSet", () => new WeakSet()],
    ["a WeakRef", () => new WeakRef({})],
    ["a FinalizationRegistry", () => new FinalizationRegistry(() => undefined)],
    ["a SharedArrayBuffer", () => new SharedArrayBuffer(8)],
    ["a view of a SharedArrayBuffer", () => new Uint8Array(new SharedArrayBuffer(8))],
    ["a resizable ArrayBuffer", () => Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]) as unknown],
    [
      "a detached ArrayBuffer",
      () => {
        const buffer = new ArrayBuffer(8);
        structuredClone(buffer, { transfer: [buffer] });
        return buffer;
      },
    ],
    ["a generator", () => numbers()],
    ["a builtin iterator", () => new Map().entries()],
    ["a boxed number", () => Object(1) as unknown],
    ["a boxed string", () => Object("a") as unknown],
    ["a boxed symbol", () => Object(Symbol("s")) as unknown],
    ["a function", () => () => 1],
    ["a class", () => Light],
    ["an instance of a class", () => new Light()],
    ["an instance of a subclass of a builtin", () => new (class Rows extends Array<unknown> {})()],
    [
      "an async generator",
      () =>
        (async function* () {
          yield await Promise.resolve(1);
        })(),
    ],
    ["an object that only has a builtin's prototype", () => Object.create(Map.prototype) as unknown],
    ["a RegExp with a lastIndex that is no number", () => Object.assign(/a/, { lastIndex: "1" })],
    ["a symbol that stands as a Map's key", () => new Map([[Symbol("k"), 1]])],
    ["a promise of another realm", () => inOtherRealm("Promise.resolve(1)")],
    ["an instance of a class of another realm", () => inOtherRealm("new (class Far {})()")],
    [
      "a proxy that was revoked",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    ["a byReference of a primitive", () => Reflect.apply(byReference, undefined, [5]) as unknown],
  ];

  it.each(cases)("%s, at the root and inside", (_, make) => {
    expect(refusalOf(make()).path).toMatch(/^(value|lastIndex)/);
    expect(refusalOf({ rows: [1, { bad: make() }] }).path).toMatch(/^rows\[1\]\.bad/);
  });

  it("an accessor, without calling it, enumerable or not, on objects, arrays and errors", () => {
    let called = 0;
    const getter = {
      get: () => {
        called++;
        return 1;
      },
      enumerable: true,
      configurable: true,
    };
    const define = (on: object, key: string): unknown => Object.defineProperty(on, key, getter);
    expect(refusalOf({ a: define({ b: 1 }, "x") })).toEqual({ path: "a.x", reason: "an accessor" });
    expect(refusalOf([define([1, 2, 3], "1")])).toEqual({ path: "[0][1]", reason: "an accessor" });
    expect(refusalOf({ e: define(new TypeError(), "x") })).toEqual({ path: "e.x", reason: "an accessor" });
    expect(refusalOf({ e: define(new TypeError(), "stack") })).toEqual({ path: "e.stack", reason: "an accessor" });
    expect(
      refusalOf({
        a: Object.defineProperty({}, "x", {
          set: () => {
            called++;
          },
          enumerable: true,
        }),
      }),
    ).toEqual({ path: "a.x", reason: "an accessor" });
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id }));
    define(rows[2999] ?? {}, "id");
    expect(refusalOf({ rows }).path).toBe("rows[2999].id");
    const many: unknown[] = Array.from({ length: 3000 }, (_, id) => id);
    define(many, "2998");
    expect(refusalOf({ many }).path).toBe("many[2998]");
    expect(called).toBe(0);
  });

  it("properties that would be lost: symbol-keyed, hidden, put on what is no plain object", () => {
    const key = Symbol("k");
    expect(refusalOf({ a: { [key]: 1 } })).toEqual({ path: "a[Symbol(k)]", reason: "a symbol-keyed property" });
    expect(refusalOf({ a: Object.defineProperty({}, "h", { value: 1 }) })).toEqual({
      path: "a.h",
      reason: "a hidden (non-enumerable) property",
    });
    expect(refusalOf({ a: Object.assign([1, 2], { total: 3 }) })).toEqual({ path: "a.total", reason: "a property put on an array" });
    expect(refusalOf({ a: Object.defineProperty([1, 2], "raw", { value: 3 }) }).path).toBe("a.raw");
    expect(refusalOf({ a: Object.assign([1, 2], { [key]: 3 }) }).path).toBe("a[Symbol(k)]");
    expect(
      refusalOf({
        a: Object.assign(
          Array.from({ length: 5000 }, () => 0),
          { total: 3 },
        ),
      }).path,
    ).toBe("a.total");
    expect(refusalOf({ a: /(?<y>a)/.exec("a") }).path).toBe("a.index");
    expect(refusalOf({ a: Object.assign(new Date(0), { zone: "UTC" }) }).path).toBe("a.zone");
    expect(refusalOf({ a: Object.assign(new Map(), { extra: 1 }) }).path).toBe("a.extra");
    expect(refusalOf({ a: Object.assign(new Set(), { extra: 1 }) }).path).toBe("a.extra");
    expect(refusalOf({ a: Object.assign(/a/, { extra: 1 }) }).path).toBe("a.extra");
    expect(refusalOf({ a: Object.assign(new URL("http://a"), { extra: 1 }) }).path).toBe("a.extra");
    expect(refusalOf({ a: Object.assign(new Uint8Array(2), { extra: 1 }) }).path).toBe("a.extra");
    expect(refusalOf({ a: Object.assign(new ArrayBuffer(2), { [key]: 1 }) }).path).toBe("a[Symbol(k)]");
    expect(refusalOf({ a: Object.assign(new TypeError(), { [key]: 1 }) }).path).toBe("a[Symbol(k)]");
  });

  it("is told by the path as people write it", () => {
    const bad = Symbol("s");
    expect(refusalOf({ rows: [0, 0, 0, { onClick: bad }] }).path).toBe("rows[3].onClick");
    expect(refusalOf({ map: new Map([["k", bad]]) }).path).toBe('map.get("k")');
    expect(
      refusalOf({
        map: new Map<unknown, unknown>([
          [1, 0],
          [2n, bad],
        ]),
      }).path,
    ).toBe("map.get(2n)");
    expect(
      refusalOf({
        map: new Map<unknown, unknown>([
          [1, 0],
          [null, bad],
        ]),
      }).path,
    ).toBe("map.get(null)");
    expect(
      refusalOf({
        map: new Map<unknown, unknown>([
          [1, 0],
          [{}, bad],
        ]),
      }).path,
    ).toBe("map.values()[1]");
    expect(refusalOf({ map: new Map<unknown, unknown>([[{ a: bad }, 0]]) }).path).toBe("map.keys()[0].a");
    expect(refusalOf(new Map([["k", bad]])).path).toBe('value.get("k")');
    expect(refusalOf({ set: new Set([1, 2, bad]) }).path).toBe("set[2]");
    expect(refusalOf([bad]).path).toBe("[0]");
    expect(refusalOf({ "a b": { "": { "0": bad } } }).path).toBe('["a b"][""]["0"]');
    expect(refusalOf({ holes: [, , bad] }).path).toBe("holes[2]");
    expect(refusalOf({ e: new TypeError("x", { cause: { deep: bad } }) }).path).toBe("e.cause.deep");
    expect(refusalOf({ e: new AggregateError([0, bad]) }).path).toBe("e.errors[1]");
    expect(refusalOf({ bare: Object.assign(Object.create(null) as object, { x: bad }) }).path).toBe("bare.x");
    expect(refusalOf({ ["k".repeat(500)]: bad }).path).toBe(`["${"k".repeat(60)}…"]`);
  });

  it("names its path wherever it lies, whatever lies beside it", () => {
    const step = fc.oneof(
      fc.stringMatching(/^[a-z]{1,5}$/).map((key) => ({
        path: (parent: string) => (parent === "" ? key : `${parent}.${key}`),
        wrap: (inner: unknown) => ({ before: -0, [key]: inner }),
      })),
      fc.nat({ max: 4 }).map((at) => ({
        path: (parent: string) => `${parent}[${String(at)}]`,
        wrap: (inner: unknown) => [...Array.from({ length: at }, () => ({})), inner],
      })),
      fc.nat({ max: 4 }).map((at) => ({
        path: (parent: string) => `${parent}[${String(at)}]`,
        wrap: (inner: unknown) => new Set([...Array.from({ length: at }, (_, index) => index), inner]),
      })),
      fc.string({ maxLength: 5 }).map((key) => ({
        path: (parent: string) => `${parent === "" ? "value" : parent}.get(${JSON.stringify(key)})`,
        wrap: (inner: unknown) => new Map([[key, inner]]),
      })),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const value = steps.reduceRight<unknown>((inner, { wrap }) => wrap(inner), Symbol("bad"));
        const path = steps.reduce((parent, step) => step.path(parent), "");
        expect(refusalOf(value).path).toBe(path);
      }),
    );
  });

  it("deep values end in a typed error, not in an exhausted stack", () => {
    for (const wrap of [
      (inner: unknown) => ({ d: inner }),
      (inner: unknown) => [inner],
      (inner: unknown) => new Map([[inner, 0]]),
      (inner: unknown) => new Set([inner]),
      (inner: unknown) => new TypeError("e", { cause: inner }),
    ]) {
      let deep: unknown = 1;
      for (let level = 0; level < 20_000; level++) deep = wrap(deep);
      expect(refusalOf(deep).reason).toBe("nested deeper than 512");
      expect(String(refusalOf(deep).path).length).toBeLessThan(400);
    }
  });

  it("more values than the limit, holes included, and arrays with holes beyond all use", () => {
    expect(
      refusalOf(
        Array.from({ length: 200 }, () => ({ a: 1 })),
        { limits: { nodes: 300 } },
      ).reason,
    ).toBe("more than 300 values");
    expect(refusalOf(new Map(Array.from({ length: 200 }, (_, key) => [key, key])), { limits: { nodes: 300 } }).reason).toBe(
      "more than 300 values",
    );
    const holes: unknown[] = [];
    holes[4_000_000_000] = 1;
    expect(refusalOf({ holes }).path).toBe("holes");
    holes.length = 1_000_000;
    expect(refusalOf({ holes }, { limits: { nodes: 1000 } }).reason).toBe("more than 1000 values");
  });

  it("requireByValue refuses what is live and takes the rest", () => {
    expect(() => {
      requireByValue({ now: new Date(), big: 2n ** 90n });
    }).not.toThrow();
    expect(() => {
      requireByValue({ state: { light: new Light() } });
    }).toThrow("state.light cannot cross");
  });
});
