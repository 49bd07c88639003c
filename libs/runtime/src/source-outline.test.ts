import { describe, expect, it } from "vitest";
import { createInlineRuntime } from "./runtime.inline.ts";
import { outlineClass, outlineFunction } from "./source-outline.ts";
import type { MemberOutline } from "./source-outline.ts";

/** Classes as they are written: the test runner strips comments and renames parameters. */
async function fromSource(code: string): Promise<object> {
  await using runtime = createInlineRuntime();
  const { value, error } = await runtime.execute(code);
  expect(error).toBeUndefined();
  return value as object; // what the caller wrote
}

const textOf = ({ members }: { members: readonly MemberOutline[] }): string[] =>
  members.map(({ name, kind, static: isStatic, call, doc, type }) =>
    [
      doc === undefined ? "" : `"${doc}"`,
      isStatic ? "static" : "",
      kind,
      call === undefined ? name : `${call.async ? "async " : ""}${call.generator ? "* " : ""}${name}(${call.parameters})`,
      type ?? "",
    ]
      .filter((part) => part !== "")
      .join(" "),
  );

describe("outlineFunction", () => {
  it.each<[string, string]>([
    ["(a, b) => a", "a, b"],
    ["function (a, b = 2, ...rest) {}", "a, b?, ...rest"],
    ["function f({ a, b: { c }, d = 1, ...e }, [g, , h] = []) {}", "{ a, b, d?, ...e }, [g, , h]?"],
    ["({ path(a) { return a } }).path", "a"],
    ["({ 'odd name'(a) { return a } })['odd name']", "a"],
    ["x => x", "x"],
    ["() => {}", ""],
    ["({ ['x' + 1](a) {} }).x1", "a"],
    ["(a = ')', b = `}${'('}`) => {}", "a?, b?"],
    ["Math.max", "arg0, arg1"],
    ["(function (a) {}).bind(null)", "arg0"],
    ["console.log", "...data"],
    ["Object", "arg0"],
    ["(() => {}).bind()", "...args"],
    ["[].push.bind([])", "arg0"],
    ["Promise.all.bind(Promise)", "arg0"],
  ])("%s takes (%s)", async (code, parameters) => {
    expect(outlineFunction(await fromSource(`let made = ${code}; made`)).parameters).toBe(parameters);
  });

  it("tells async functions and generators", async () => {
    expect(outlineFunction(await fromSource("(async function* () {})"))).toEqual({ parameters: "", async: true, generator: true });
    expect(outlineFunction(await fromSource("(async (a) => a)"))).toEqual({ parameters: "a", async: true, generator: false });
  });

  it("does not use a toString that the function brings along", async () => {
    expect(outlineFunction(await fromSource("Object.assign((a) => a, { toString: () => '(never) => 1' })")).parameters).toBe("a");
  });
});

describe("outlineClass", () => {
  it("shows public members in order, with their doc comments, and private ones not", async () => {
    const light = await fromSource(`class Light {
  static #made = 0;
  name = "lamp";
  level = 1n;
  size;
  #secret = 2;
  _internal = 3;
  static VERSION = 2;
  /** Makes one. */
  constructor(name, { at } = {}) { this.name = name; this.place = at; this._x = 1; this.#secret = 3; if (at) { this.nested = 1 } }
  /**
   * Dims the light
   * to a percentage.
   */
  dim(pct, fade = /[/"}]/) { return "}" }
  // no doc
  async later() {}
  *each() {}
  get on() { throw new Error("never called") }
  get both() { return 1 }
  set both(value) {}
  set only(value) {}
  static create(name) { return new Light(name) }
  ["computed" + 1]() {}
  "odd name"() {}
  #hidden() {}
  _private() {}
  static { Light.#made = 1 }
}
Light`);
    expect(textOf(outlineClass(light))).toEqual([
      "field name string",
      "field level bigint",
      "field size",
      "static field VERSION number",
      '"Makes one." constructor constructor(name, { at }?)',
      "field place",
      '"Dims the light to a percentage." method dim(pct, fade?)',
      "method async later()",
      "method * each()",
      "getter on",
      "field both",
      "setter only",
      "static method create(name)",
      'method "odd name"()',
    ]);
  });

  it("adds what it inherits after its own, unless it replaces it", async () => {
    const lamp = await fromSource(
      "class Device { id = 1; reset() {} off(how) {} static find() {} }\nclass Lamp extends Device { off() {} }\nLamp",
    );
    expect(textOf(outlineClass(lamp))).toEqual(["method off()", "field id number", "method reset()", "static method find()"]);
  });

  it("reads classes made of functions by their properties", async () => {
    const old = await fromSource(
      "function Old(a) { this.a = a }\nOld.prototype.speak = function (word) {}\nOld.prototype._x = () => 1\nObject.defineProperty(Old.prototype, 'now', { get() { throw 1 } })\nOld.make = () => 1\nOld.prototype.kind = 'k'\nOld",
    );
    expect(textOf(outlineClass(old))).toEqual([
      "constructor constructor(a)",
      "method speak(word)",
      "getter now",
      "field kind",
      "static method make()",
    ]);
  });

  it("reads built-in classes by their properties", () => {
    expect(textOf(outlineClass(URLSearchParams)).some((text) => text.startsWith("method append("))).toBe(true);
    expect(textOf(outlineClass(Set))).toContain("method has(arg0)");
  });

  it("stops at a proxy in the chain", async () => {
    const odd = await fromSource("class Odd extends new Proxy(class { base() {} }, {}) { own() {} }\nOdd");
    expect(textOf(outlineClass(odd))).toEqual(["method own()"]);
  });
});
