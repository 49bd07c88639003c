import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidNameError } from "./errors.ts";
import { callId, formatAddress, nodeId, parseAddress, requireToken, runId } from "./ids.ts";

const token = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const agentId = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => /^[^\p{Cc}\p{Cs}/]{1,64}$/u.test(text));

describe("addresses", () => {
  it("any address is parsed into the parts it was made of", () => {
    fc.assert(
      fc.property(token, token, agentId, (tenant, className, id) => {
        const parts = { tenant, class: className, id };
        expect(parseAddress(formatAddress(parts))).toEqual(parts);
      }),
    );
  });

  it("parts that would not stand in a subject are refused, by name", () => {
    const good = { tenant: "t", class: "C", id: "1" };
    for (const bad of ["", "a b", "a.b", "a*", "a>", "a/b", "é", "x".repeat(65)]) {
      expect(() => formatAddress({ ...good, tenant: bad })).toThrow(/^tenant /);
      expect(() => formatAddress({ ...good, class: bad })).toThrow(/^agent class /);
    }
    for (const bad of ["", "a/b", "a\n", "\u007f", "\u0085", "a\uD800", "x".repeat(65)])
      expect(() => formatAddress({ ...good, id: bad })).toThrow(/^agent id /);
    expect(formatAddress({ ...good, id: "Ünï côdé.*>" })).toBe("t/C/Ünï côdé.*>");
  });

  it("texts with fewer or more parts are no addresses", () => {
    for (const bad of ["", "t", "t/C", "t/C/1/2", "t//1", "/C/1"]) expect(() => parseAddress(bad)).toThrow(InvalidNameError);
  });

  it("tokens are what they were, or refused", () => {
    expect([requireToken("x", "a-B_9"), runId("r_1"), callId("c_1"), nodeId("n_1")]).toEqual(["a-B_9", "r_1", "c_1", "n_1"]);
    for (const make of [runId, callId, nodeId]) expect(() => make("a.b")).toThrow(InvalidNameError);
  });
});
