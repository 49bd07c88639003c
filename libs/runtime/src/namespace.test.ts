import { describe, expect, it } from "vitest";
import { createCellScope } from "./cell-scope.ts";
import { createNameTable } from "./names.ts";
import type { Held } from "./bindings.ts";
import { createNamespace } from "./namespace.ts";
import type { Namespace } from "./namespace.ts";

class Light {
  level = 1;
}

function create(): { namespace: Namespace; globals: () => Record<string, unknown>; put: (held: Held) => void } {
  const table = createNameTable<Held>();
  let globals: Record<string, unknown> = {};
  const namespace = createNamespace(() => {
    globals = {};
    return { globals, scope: createCellScope({ globals, import: () => Promise.resolve(undefined), meta: {} }) };
  }, table);
  const put = (held: Held): void => {
    table.put([held]);
    namespace.put(held);
  };
  return { namespace, globals: () => globals, put };
}

describe("namespace", () => {
  it("shows what was injected and what cells made, and not hidden bindings nor classes that came along", () => {
    const { namespace, globals, put } = create();
    put({ kind: "variable", name: "light", value: new Light() });
    put({ kind: "hidden", name: "secret", value: 1 });
    namespace.scope.define("made", 2);
    globals()["set"] = 3;
    expect(namespace.visible().map(([name]) => name)).toEqual(["light", "made", "set"]);
    expect(["light", "secret", "Light", "made", "set", "none"].map(namespace.has)).toEqual([true, true, true, true, true, false]);
    expect(namespace.valueOf("Light")).toBe(Light);
  });

  it("shows a class that came along once a cell has put something else in its place", () => {
    const { namespace, put } = create();
    put({ kind: "variable", name: "light", value: new Light() });
    namespace.scope.define("Light", 5);
    expect(namespace.visible().map(([name]) => name)).toContain("Light");
  });

  it.each<[string, unknown]>([
    ["plain data", { a: 1 }],
    ["a built-in class", new Map()],
    ["a class of the host's globals", new URL("http://x/")],
    ["a class without name", new (class {})()],
    ["a class whose name cannot be a variable", new (Object.defineProperty(class {}, "name", { value: "a b" }))()],
    ["a proxy", new Proxy(new Light(), {})],
  ])("brings no class along with %s", (_, value) => {
    const { namespace, put } = create();
    put({ kind: "variable", name: "x", value });
    expect(Object.keys(namespace.scope.variables)).toEqual(["x"]);
  });

  it("reads no accessor that a cell put on its globals", () => {
    const { namespace, globals } = create();
    let ran = 0;
    Object.defineProperty(globals(), "sly", { get: () => (ran += 1), enumerable: true });
    expect(namespace.visible()).toEqual([["sly", undefined]]);
    expect(ran).toBe(0);
  });

  it("starts again with what is held, and tells what is gone", () => {
    const { namespace, globals, put } = create();
    put({ kind: "variable", name: "light", value: new Light() });
    const old = namespace.scope;
    old.define("made", 1);
    globals()["set"] = 1;
    expect(namespace.renew([{ kind: "variable", name: "light", value: 2 }])).toEqual(["Light", "made", "set"]);
    old.define("late", 1);
    expect(namespace.visible()).toEqual([["light", 2]]);
  });
});
