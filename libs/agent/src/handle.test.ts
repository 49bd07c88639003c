import { encode, isReferable, toRef } from "@karst/events";
import type { AgentRef } from "@karst/events";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { openLibrary } from "./testing/library-case.ts";

const refOf = (value: unknown): AgentRef => {
  if (!isReferable(value)) throw new TypeError("not a handle");
  return value[toRef]() as AgentRef; // handles only
};

describe("as an object a handle", () => {
  test("is no promise, has a name, crosses as its reference, and cannot be changed", async () => {
    await using scene = await openLibrary();
    const { shelf } = scene;
    expect(await Promise.resolve(shelf)).toBe(shelf);
    expect((shelf as unknown as { readonly then: unknown }).then).toBeUndefined();
    expect(inspect(shelf)).toBe("[agent default/shelf/1]");
    expect(JSON.stringify({ shelf })).toBe('{"shelf":"[agent default/shelf/1]"}');
    expect(Object.prototype.toString.call(shelf)).toBe("[object Handle]");
    expect(refOf(shelf)).toEqual({ ref: "agent", address: "default/shelf/1" });
    const references = { export: () => undefined };
    expect(encode([shelf], { references }).refs).toBe(1);
    expect(Reflect.set(shelf, "add", 1)).toBe(false);
    expect(shelf.add).toBe(shelf.add);
    expect(["run" in shelf, "add" in shelf, "add" in shelf.only("add"), "lend" in shelf.only("add")]).toEqual([true, false, true, false]);
    expect((shelf as unknown as { readonly constructor: unknown }).constructor).toBeUndefined();
    expect(Reflect.get(shelf, Symbol.iterator)).toBeUndefined();
    expect((Reflect.get(shelf, inspect.custom) as () => string)()).toBe("[agent default/shelf/1]");
  });
});
