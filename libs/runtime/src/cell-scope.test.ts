import { describe, expect, it } from "vitest";
import { createCellScope } from "./cell-scope.ts";
import { createCellSession } from "./cell-session.ts";

const host = { globals: {}, import: () => Promise.resolve({}), meta: {} };

describe("the scope object", () => {
  it("S1: variables are its own enumerable properties, in order, and nothing else is", async () => {
    const session = createCellSession();
    await session.run("let b = 1; const a = 2; function f() {} class C {} enum E {} d = 3; typeof zzz; Math.max(1)");
    expect(Object.keys(session.scope.variables)).toEqual(["f", "b", "a", "C", "E", "d"]);
    expect(Object.getOwnPropertyNames(session.scope.variables)).toEqual(["f", "b", "a", "C", "E", "d"]);
  });
  it("a host sets and drops variables as plain properties", async () => {
    const session = createCellSession();
    session.scope.variables["given"] = [1, 2];
    expect(await session.value("given.length")).toBe(2);
    delete session.scope.variables["given"];
    expect(await session.value("typeof given")).toBe("undefined");
    expect((await session.fails("given")).message).toBe("given is not defined");
  });
  it("S3: define sets over a constant and makes constants", async () => {
    const session = createCellSession();
    await session.run("const k = 1");
    session.scope.define("k", 2, true);
    expect(await session.value("k")).toBe(2);
    expect((await session.fails("k = 3")).message).toBe("Assignment to constant variable 'k'.");
    session.scope.define("k", 4);
    expect(await session.value("k = 5; k")).toBe(5);
  });
  it("S2: a global that appears later is seen by code compiled before", async () => {
    const session = createCellSession();
    await session.run("function f() { return later }");
    expect((await session.fails("f()")).message).toBe("later is not defined");
    Object.assign(session.globals, { later: 7 });
    expect(await session.value("f()")).toBe(7);
  });
  it("S4: assigning to a name of globalThis sets it there; the host's own globals stay", async () => {
    const session = createCellSession();
    expect(await session.value("globalThis.count = 0", "count += 2; [globalThis.count, count]")).toEqual([2, 2]);
    const before = globalThis.Array;
    expect(await session.value("Array = 5; Array")).toBe(5);
    expect(globalThis.Array).toBe(before);
  });
  it("an accessor of the globals gets the globals as receiver", async () => {
    const globals = {
      get self() {
        return this;
      },
    };
    const session = createCellSession({ globals });
    expect(await session.value("self")).toBe(globals);
    expect(await session.value("globalThis")).toBe(globals);
  });
  it("names of Object.prototype are no variables", async () => {
    expect((await createCellSession({ globals: Object.create(null) as object }).fails("toString")).message).toBe("toString is not defined");
    expect(
      await createCellSession().value("let toString = 1, constructor = 2, hasOwnProperty = 3; toString + constructor + hasOwnProperty"),
    ).toBe(6);
  });
  it("a const that never got its value is no constant", async () => {
    const session = createCellSession();
    await session.fails("const k = (() => { throw new Error('x') })()");
    expect(await session.value("k = 1; k")).toBe(1);
  });
});

describe("hooks", () => {
  const { hooks } = createCellScope(host);
  it("without a guard its hooks do nothing", () => {
    const list = [1];
    expect(() => {
      hooks.k();
    }).not.toThrow();
    expect(hooks.a(list)).toBe(list);
    expect(hooks.i(list)).toBe(list);
  });
  it("e cleans an engine's message and leaves everything else as it is", () => {
    const error = new TypeError("(0 , $k$.f) is not a function; $k12$.x.y is not iterable");
    expect(hooks.e(error)).toBe(error);
    expect(error.message).toBe("f is not a function; x.y is not iterable");
    const frozen = Object.freeze(new Error("$k$.f"));
    expect((hooks.e(frozen) as Error).message).toBe("$k$.f");
    const hostile = Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("read");
      },
    });
    expect(hooks.e(hostile)).toBe(hostile);
    for (const value of [null, undefined, 1, "$k$.x", { message: "$k$.x" }]) expect(hooks.e(value)).toBe(value);
  });
  it("t and c work on names nobody asked for", () => {
    expect(hooks.t("nothing")).toBe("undefined");
    const reference = hooks.c("free");
    reference.v = 1;
    expect(reference.v).toBe(1);
  });
  it("get tells a missing export from one that is undefined", () => {
    expect(hooks.get({ a: undefined }, "a", "m")).toBeUndefined();
    expect(() => hooks.get({}, "a", "m")).toThrow("The requested module 'm' does not provide an export named 'a'");
    expect(() => hooks.get(undefined, "a", "m")).toThrow(SyntaxError);
  });
});
