import { nodeId } from "@karst/events";
import { describe, expect, test } from "vitest";
import { ExportTable } from "./export-table.ts";
import type { ObjRef } from "@karst/events";

const here = nodeId("here");
const asObject = (ref: unknown): ObjRef => ref as ObjRef; // the table makes no other

class Lamp {
  on = true;
}

test("what is taken is the identical object that was put (X1)", () => {
  const table = new ExportTable(here);
  const scope = table.scope();
  const [lamp, toggle] = [new Lamp(), () => undefined];
  const refs = [scope.put(lamp, "object", "lamp"), scope.put(toggle, "function", "toggle")].map(asObject);
  expect(refs.map((ref) => table.take(ref))).toEqual([lamp, toggle]);
  expect(table.size).toBe(0);
});

test("a reference says what it is and where", () => {
  const scope = new ExportTable(here).scope();
  expect(scope.put(new Lamp(), "object", "p")).toEqual({ ref: "object", shape: "object", node: here, objectId: 0, label: "Lamp" });
  expect(scope.put(function toggle() {}, "function", "p")).toMatchObject({ objectId: 1, label: "toggle" });
  const labels = [() => undefined, Object.create(null) as object, Object.create({ constructor: 1 }) as object, new (class {})()].map(
    (live) => asObject(scope.put(live, "object", "p")).label,
  );
  expect(labels).toEqual(["function", "object", "object", "object"]);
});

describe("an entry leaves (X2)", () => {
  test("when it is taken: taking it again is RefBroken", () => {
    const table = new ExportTable(here);
    const ref = asObject(table.scope().put(new Lamp(), "object", "p"));
    table.take(ref);
    expect(() => table.take(ref)).toThrow(expect.objectContaining({ code: "RefBroken" }) as Error);
  });

  test("when its scope is released; entries of other scopes stay", () => {
    const table = new ExportTable(here);
    const [one, other] = [table.scope(), table.scope()];
    const [gone, kept] = [asObject(one.put(new Lamp(), "object", "p")), asObject(other.put(new Lamp(), "object", "p"))];
    one.release();
    one.release();
    expect(() => table.take(gone)).toThrow(expect.objectContaining({ code: "RefBroken" }) as Error);
    expect(table.take(kept)).toBeInstanceOf(Lamp);
    expect(table.size).toBe(0);
  });
});

test("a reference of another process is RefBroken, whatever its number", () => {
  const table = new ExportTable(here);
  const ref = asObject(table.scope().put(new Lamp(), "object", "p"));
  expect(() => table.take({ ...ref, node: nodeId("there") })).toThrow(expect.objectContaining({ code: "RefBroken" }) as Error);
  expect(table.size).toBe(1);
});

test("one more than the limit is refused with its path (X3)", () => {
  const table = new ExportTable(here, 2);
  const scope = table.scope();
  scope.put(new Lamp(), "object", "a");
  scope.put(new Lamp(), "object", "b");
  expect(() => scope.put(new Lamp(), "object", "rows[3]")).toThrow(
    expect.objectContaining({ code: "NotSerialisable", data: expect.objectContaining({ path: "rows[3]" }) as unknown }) as Error,
  );
  scope.release();
  expect(asObject(scope.put(new Lamp(), "object", "c")).objectId).toBe(2);
});
