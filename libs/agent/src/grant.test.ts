import { formatAddress } from "@karst/events";
import { describe, expect, test } from "vitest";
import { createGrantKey, giverFrom, nameOf, refusal } from "./grant.ts";
import type { Giver } from "./grant.ts";

const address = formatAddress({ tenant: "t", class: "cleaner", id: "1" });
const other = formatAddress({ tenant: "t", class: "cleaner", id: "2" });
const agent = { kind: "agent", address, roles: ["cleaner"] } as const;

describe("the proof of a grant (N2)", () => {
  const key = createGrantKey();

  test.each<Giver>(["operator", ["boss", "orchestrator"], []])("gives back who granted it: %j", (giver) => {
    const proof = key.sign(address, ["clean", "retrieve"], giver);
    expect(key.giverOf(address, { only: ["retrieve", "clean"], proof })).toEqual(giver);
  });

  const proof = key.sign(address, ["clean"], ["worker"]);
  const operator = Buffer.from(JSON.stringify("operator")).toString("base64url");
  test.each([
    ["another agent", other, ["clean"], proof],
    ["more names", address, ["clean", "run"], proof],
    ["fewer names", address, [], proof],
    ["another giver", address, ["clean"], `${operator}.${proof.split(".")[1] ?? ""}`],
    ["an altered proof", address, ["clean"], `${proof.slice(0, -2)}AA`],
    ["a short proof", address, ["clean"], proof.slice(0, -8)],
    ["no proof", address, ["clean"], ""],
    ["rubbish", address, ["clean"], "x.y"],
  ])("does not hold for %s", (_name, to, only, given) => {
    expect(key.giverOf(to, { only, proof: given })).toBeUndefined();
  });

  test("of another system's key does not hold; of the same secret does", () => {
    expect(createGrantKey().giverOf(address, { only: ["clean"], proof })).toBeUndefined();
    const secret = new Uint8Array(32).fill(7);
    const shared = createGrantKey(secret).sign(address, ["clean"], "operator");
    expect(createGrantKey(secret).giverOf(address, { only: ["clean"], proof: shared })).toBe("operator");
  });
});

describe("who may what (G8)", () => {
  test("the operator may do everything", () => {
    expect(refusal("operator", { verb: "destroy", visibleTo: [] })).toBeUndefined();
    expect(refusal(giverFrom({ kind: "operator" }), { verb: "clean", visibleTo: [] })).toBeUndefined();
  });

  test.each(["run", "stream", "ask", "inject", "retrieve", "pause", "resume", "stop", "destroy"])(
    "%s needs the role orchestrator",
    (verb) => {
      expect(refusal(["cleaner", "orchestrator"], { verb, visibleTo: undefined })).toBeUndefined();
      expect(refusal(["cleaner"], { verb, visibleTo: undefined })).toMatch(/orchestrator/);
      expect(refusal(["cleaner"], { verb, visibleTo: ["cleaner"] })).toMatch(/orchestrator/);
    },
  );

  test("a method is open to all unless visibleTo narrows it", () => {
    expect(refusal([], { verb: "clean", visibleTo: undefined })).toBeUndefined();
    expect(refusal(["a", "b"], { verb: "clean", visibleTo: ["b"] })).toBeUndefined();
    expect(refusal(["a"], { verb: "clean", visibleTo: ["b", "c"] })).toBe("it is visible to b, c");
    expect(refusal(["orchestrator"], { verb: "clean", visibleTo: [] })).toBe("it is visible to nobody");
  });

  test("a caller gives with its own roles, and is named by its address", () => {
    expect(giverFrom(agent)).toEqual(["cleaner"]);
    expect(nameOf(agent)).toBe("t/cleaner/1");
    expect(nameOf({ kind: "operator" })).toBe("operator");
  });
});
