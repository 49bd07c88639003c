import { describe, expect, test } from "vitest";
import { z } from "zod";
import { FieldDraft, initialState } from "./field-draft.ts";
import type { FieldState } from "./field-draft.ts";
import { field } from "./field.ts";

const fields = {
  count: field(z.number().int(), { default: 0 }),
  notes: field(z.array(z.string()), { default: () => [], retain: { last: 3 } }),
  tree: field(z.object({ a: z.object({ b: z.number() }) }), { default: { a: { b: 1 } } }),
  who: field(z.string()),
};
const invalid = (what: string): unknown =>
  expect.objectContaining({ code: "InvalidValue", data: expect.objectContaining({ what }) as unknown });

function draftOf(base: FieldState = initialState("shelf", fields), readOnly = false): FieldDraft {
  return new FieldDraft("shelf", fields, base, readOnly);
}

describe("a new agent's fields", () => {
  test("have their defaults, revision 0, and undefined where there is none", () => {
    expect(initialState("shelf", fields)).toEqual({
      values: { count: 0, notes: [], tree: { a: { b: 1 } }, who: undefined },
      revisions: { count: 0, notes: 0, tree: 0, who: 0 },
    });
  });

  test("share nothing with the literal default, nor with what was given", () => {
    const literal = { a: { b: 1 } };
    const own = { tree: field(z.object({ a: z.object({ b: z.number() }) }), { default: literal }) };
    const given = { tree: { a: { b: 2 } } };
    const [byDefault, byHand] = [initialState("shelf", own), initialState("shelf", own, given)];
    literal.a.b = 9;
    given.tree.a.b = 9;
    expect(byDefault.values).toEqual({ tree: { a: { b: 1 } } });
    expect(byHand.values).toEqual({ tree: { a: { b: 2 } } });
  });

  test("are checked: a wrong default, a wrong given value and an unknown name are refused", () => {
    expect(() => initialState("shelf", { n: field(z.number(), { default: () => "x" as never }) })).toThrow(invalid("shelf.n"));
    expect(() => initialState("shelf", fields, { count: 1.5 })).toThrow(invalid("shelf.count"));
    expect(() => initialState("shelf", fields, { count: undefined })).toThrow(invalid("shelf.count"));
    expect(() => initialState("shelf", fields, { cuont: 1 })).toThrow(invalid("shelf.cuont"));
    expect(() => initialState("shelf", {}, { x: 1 })).toThrow(/there are none/);
  });

  test("may not be given by names that every object has", () => {
    expect(() => initialState("shelf", fields, { toString: 1 })).toThrow(invalid("shelf.toString"));
    expect(initialState("shelf", { constructor: field(z.number(), { default: 5 }) }, {}).values["constructor"]).toBe(5);
  });

  test("cannot hold what is live, given or by default", () => {
    const any = { x: field(z.any()) };
    const live = expect.objectContaining({ code: "NotSerialisable" }) as Error;
    expect(() => initialState("shelf", any, { x: () => 1 })).toThrow(live);
    expect(() => initialState("shelf", any, { x: { deep: [() => 1] } })).toThrow(live);
    expect(() => initialState("shelf", { x: field(z.any(), { default: () => ({ now: () => 1 }) }) })).toThrow(live);
  });
});

describe("a turn's draft", () => {
  test("reads the committed values", () => {
    const { state } = draftOf();
    expect(state["count"]).toBe(0);
    expect(state["tree"]).toEqual({ a: { b: 1 } });
    expect({ ...state }).toEqual({ count: 0, notes: [], tree: { a: { b: 1 } }, who: undefined });
    expect("count" in state).toBe(true);
    expect("cuont" in state).toBe(false);
    expect(state["cuont"]).toBeUndefined();
    expect(Reflect.get(state, Symbol.iterator)).toBeUndefined();
  });

  test("finishes with nothing when nothing changed, reading included", () => {
    const draft = draftOf();
    expect(draft.finish()).toBeUndefined();
    expect(draft.state["tree"]).toEqual({ a: { b: 1 } });
    draft.state["count"] = 0;
    expect(draft.finish()).toBeUndefined();
  });

  test("shows what it assigned, and gives it with one revision more", () => {
    const draft = draftOf();
    draft.state["count"] = 2;
    draft.state["who"] = "me";
    expect(draft.state["count"]).toBe(2);
    expect(draft.finish()).toEqual({
      values: { count: 2, notes: [], tree: { a: { b: 1 } }, who: "me" },
      revisions: { count: 1, notes: 0, tree: 0, who: 1 },
    });
  });

  test("leaves the committed values alone (D1)", () => {
    const base = initialState("shelf", fields);
    const draft = draftOf(base);
    draft.state["count"] = 2;
    (draft.state["notes"] as string[]).push("x");
    (draft.state["tree"] as { a: { b: number } }).a.b = 5;
    draft.finish();
    expect(base).toEqual(initialState("shelf", fields));
  });

  test("counts a change inside an object or array that was read (D2)", () => {
    const draft = draftOf();
    (draft.state["tree"] as { a: { b: number } }).a.b += 1;
    (draft.state["notes"] as string[]).push("x");
    expect(draft.finish()).toMatchObject({ values: { tree: { a: { b: 2 } }, notes: ["x"] }, revisions: { tree: 1, notes: 1, count: 0 } });
  });

  test("is refused whole when one field breaks its schema (D3)", () => {
    const draft = draftOf();
    draft.state["who"] = "me";
    draft.state["count"] = 1.5;
    expect(() => draft.finish()).toThrow(invalid("shelf.count"));
    const nested = draftOf();
    (nested.state["tree"] as { a: { b: unknown } }).a.b = "x";
    expect(() => nested.finish()).toThrow(/^shelf\.tree: a\.b: /);
  });

  test("is cut by retain to the last items (D3)", () => {
    const draft = draftOf();
    draft.state["notes"] = ["a", "b", "c", "d", "e"];
    expect(draft.finish()?.values["notes"]).toEqual(["c", "d", "e"]);
    const none = { log: field(z.array(z.number()), { default: [], retain: { last: 0 } }) };
    const empty = new FieldDraft("shelf", none, initialState("shelf", none));
    (empty.state["log"] as number[]).push(1);
    expect(empty.finish()?.values["log"]).toEqual([]);
  });

  test("shares nothing with what was assigned", () => {
    const draft = draftOf();
    const notes = ["a"];
    draft.state["notes"] = notes;
    const finished = draft.finish();
    notes.push("b");
    expect(finished?.values["notes"]).toEqual(["a"]);
  });

  test.each([
    ["a function", () => 1, "shelf.x"],
    ["a symbol", Symbol("s"), "shelf.x"],
    ["an object with one inside", { deep: [{ now: () => 1 }] }, "shelf.x.deep[0].now"],
    ["an array with one inside", [() => 1], "shelf.x[0]"],
  ])("cannot keep what is live, and says where it is: %s", (_name, value, path) => {
    const any = { x: field(z.any()) };
    const draft = new FieldDraft("shelf", any, initialState("shelf", any));
    draft.state["x"] = value;
    const refused = { code: "NotSerialisable", data: expect.objectContaining({ path }) as unknown };
    expect(() => draft.finish()).toThrow(expect.objectContaining(refused) as Error);
  });

  test("refuses names that are no fields, and deleting", () => {
    const { state } = draftOf();
    expect(() => {
      state["cuont"] = 1;
    }).toThrow(invalid("shelf.cuont"));
    expect(() => Reflect.set(state, Symbol("s"), 1)).toThrow(/there is no such field/);
    expect(Reflect.deleteProperty(state, "count")).toBe(false);
    expect(state["count"]).toBe(0);
  });

  test("of a query refuses every change", () => {
    const { state } = draftOf(undefined, true);
    expect(() => {
      state["count"] = 1;
    }).toThrow(/a query cannot change fields/);
    expect(state["count"]).toBe(0);
  });
});
