import { describe, expect, it } from "vitest";
import { decode, encode } from "./codec.ts";
import type { EncodeOptions } from "./codec.ts";
import { KarstError } from "./error.ts";
import { toRef } from "./handle.ts";
import type { ObjRef, WireRef } from "./handle.ts";
import { formatAddress, nodeId } from "./ids.ts";
import { refusalOf } from "./testing/refusal.ts";
import { byReference } from "./value.ts";
import type { ReferenceExporter } from "./value.ts";
/** Exports all that is live under numbers, and remembers what it was asked. */
function exporter(): ReferenceExporter & { readonly asked: { live: object; shape: string; path: string }[] } {
  const asked: { live: object; shape: string; path: string }[] = [];
  return {
    asked,
    export(live, shape, path): ObjRef {
      asked.push({ live, shape, path });
      return { ref: "object", shape, node: nodeId("n1"), objectId: asked.length, label: shape };
    },
  };
}

class Light {
  level = 0;
  set(level: number): void {
    this.level = level;
  }
}

describe("what goes by reference", () => {
  it("functions, classes, async iterables and instances, each asked for once, by shape and path", () => {
    const light = new Light();
    const onClick = (): number => 1;
    const stream = {
      async *[Symbol.asyncIterator]() {
        yield await Promise.resolve(1);
      },
    };
    const references = exporter();
    const { bytes, refs } = encode(
      { light, again: [light, onClick], Light, stream, generator: stream[Symbol.asyncIterator]() },
      { references },
    );
    expect(refs).toBe(5);
    expect(references.asked.map(({ shape, path }) => `${shape} ${path}`)).toEqual([
      "object light",
      "function again[1]",
      "function Light",
      "iterable stream",
      "iterable generator",
    ]);
    const got = decode(bytes, { references: { import: (ref) => ({ held: ref }) } }) as Record<string, unknown[]>;
    expect(got["light"]).toBe(got["again"]?.[0]);
    expect(got["light"]).toEqual({ held: { ref: "object", shape: "object", node: "n1", objectId: 1, label: "object" } });
  });

  it("what byReference marks, while the same object crosses by value elsewhere", () => {
    const table = { rows: [1] };
    const references = exporter();
    const got = decode(encode({ table, live: byReference(table), liveToo: byReference(table), after: table }, { references }).bytes, {
      references: { import: () => "ref" },
    });
    expect(got).toEqual({ table, live: "ref", liveToo: "ref", after: table });
    expect(references.asked).toEqual([{ live: table, shape: "object", path: "live" }]);
  });

  it("a handle answers for itself and the exporter is not asked", () => {
    const ref: WireRef = { ref: "agent", address: formatAddress({ tenant: "t", class: "C", id: "1" }), only: ["clean"], grant: "g" };
    const handle = { [toRef]: () => ref, secret: () => 1 };
    const references = exporter();
    const imported: unknown[] = [];
    const { bytes, refs } = encode({ to: [handle, handle] }, { references });
    decode(bytes, { references: { import: (got, path) => imported.push(got, path) } });
    expect([refs, references.asked, imported]).toEqual([1, [], [ref, "to[0]"]]);
  });

  it("handles that share a list of names each arrive with it", () => {
    const only = ["a"];
    const handle = (id: string): object => ({
      [toRef]: () => ({ ref: "agent", address: formatAddress({ tenant: "t", class: "C", id }), only }),
    });
    const got = decode(encode([handle("1"), handle("2")], { references: exporter() }).bytes, { references: { import: (ref) => ref } });
    expect(got).toMatchObject([{ only }, { only }]);
  });

  it("is refused with its path when no one takes references, or none is given", () => {
    expect(refusalOf({ f: () => 1 })).toEqual({ path: "f", reason: "a function, where no references are taken" });
    expect(refusalOf({ f: () => 1 }, { references: { export: () => undefined } })).toEqual({
      path: "f",
      reason: "a function, to which no reference was given",
    });
    expect(refusalOf({ h: { [toRef]: () => undefined } }, { references: exporter() }).path).toBe("h");
  });

  it("a typed error of the exporter passes, and any other names the path", () => {
    const throws = (error: unknown): EncodeOptions => ({
      references: {
        export: () => {
          throw error;
        },
      },
    });
    expect(() => encode({ f: () => 1 }, throws(new KarstError("Closed", "closed")))).toThrow(expect.objectContaining({ code: "Closed" }));
    expect(refusalOf({ f: () => 1 }, throws(new TypeError("no")))).toEqual({ path: "f", reason: "looking at it threw TypeError: no" });
  });

  it("arrives in every kind of place, each importer call with its path", () => {
    const [a, b, c, d, e, f] = Array.from({ length: 6 }, () => () => 1);
    const value = {
      list: [a, 1],
      map: new Map<unknown, unknown>([
        ["k", b],
        [c, 1],
      ]),
      set: new Set([d, 5]),
      bare: Object.assign(Object.create(null) as object, { x: e }),
      error: Object.assign(new TypeError("t"), { f }),
    };
    const paths: string[] = [];
    const { bytes } = encode(value, { references: exporter() });
    const got = decode(bytes, {
      references: {
        import: (_, path) => {
          paths.push(path);
          return path;
        },
      },
    }) as typeof value;
    expect(paths.sort()).toEqual(["bare.x", "error.f", "list[0]", 'map.get("k")', "map.keys()[1]", "set[0]"]);
    expect([...got.map]).toEqual([
      ["k", 'map.get("k")'],
      ["map.keys()[1]", 1],
    ]);
    expect([...got.set]).toEqual(["set[0]", 5]);
  });
});
