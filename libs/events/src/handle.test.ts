import { describe, expect, it } from "vitest";
import { MalformedError } from "./errors.ts";
import { isReferable, parseWireRef, toRef } from "./handle.ts";

describe("references", () => {
  it("what has the toRef method is referable, also a function, and nothing else", () => {
    const ref = (): undefined => undefined;
    expect([{ [toRef]: ref }, Object.assign(() => 1, { [toRef]: ref })].map(isReferable)).toEqual([true, true]);
    expect([undefined, null, 5, "a", {}, { [toRef]: 5 }, () => 1].map(isReferable)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("the method is named by a registered symbol, so that copies of this module agree", () => {
    expect(Symbol.keyFor(toRef)).toBe("karst.toRef");
  });

  it("both forms are parsed as they are", () => {
    for (const ref of [
      { ref: "agent", address: "t/C/1" },
      { ref: "agent", address: "t/C/é", only: [], grant: "g" },
      { ref: "object", shape: "iterable", node: "n_1", objectId: 0, label: "" },
    ])
      expect(parseWireRef(ref)).toEqual(ref);
  });

  it("anything else is Malformed", () => {
    for (const bad of [
      undefined,
      {},
      { ref: "agent" },
      { ref: "agent", address: "a" },
      { ref: "agent", address: "t/C/1", only: [1] },
      { ref: "object", shape: "class", node: "n", objectId: 0, label: "" },
      { ref: "object", shape: "object", node: "n", objectId: 2 ** 60, label: "" },
    ])
      expect(() => parseWireRef(bad)).toThrow(MalformedError);
  });
});
