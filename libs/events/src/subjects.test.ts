import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidNameError, MalformedError } from "./errors.ts";
import { nodeId } from "./ids.ts";
import {
  callSubject,
  controlSubject,
  escapeToken,
  eventFilterSubject,
  eventSubject,
  parseEventSubject,
  placeSubject,
  replySubject,
  unescapeToken,
} from "./subjects.ts";
import { volume } from "./testing/config.ts";

const anyId = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
    fc.constantFrom(".", "*", ">", "=", "=41", "a b", "日本", "😀"),
  )
  .filter((text) => /^[^\p{Cc}\p{Cs}/]{1,64}$/u.test(text));

describe("subjects", () => {
  it("any id is escaped into one token of NATS and back", () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(escapeToken(id)).toMatch(/^[A-Za-z0-9_=-]+$/);
        expect(unescapeToken(escapeToken(id))).toBe(id);
      }),
      { numRuns: volume(1000) },
    );
  });

  it("two ids never have one token", () => {
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        expect(escapeToken(a) === escapeToken(b)).toBe(a === b);
      }),
    );
  });

  it("an event's subject is parsed into what it was made of", () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(parseEventSubject(eventSubject({ tenant: "t", class: "Cleaner", id }, "run-ended"))).toEqual({
          tenant: "t",
          class: "Cleaner",
          id,
          type: "run-ended",
        });
      }),
    );
  });

  it("what is no event's subject is Malformed", () => {
    for (const bad of [
      "",
      "karst.e.t.C.1",
      "karst.e.t.C.1.run.x",
      "other.e.t.C.1.x",
      "karst.n.t.C.1.x",
      "karst.e.t.C.=4.x",
      "karst.e.t.C.=zz.x",
      "karst.e.t.C..x",
    ])
      expect(() => parseEventSubject(bad)).toThrow(MalformedError);
    expect(() => parseEventSubject("karst.e.t t.C.1.x")).toThrow(InvalidNameError);
  });

  it("tokens whose bytes are no text are Malformed, and so are those that escapeToken would not make", () => {
    for (const bad of ["=FF", "=C3", "=E9=9F", "=41", "=2D", "a=5Fb"]) expect(() => unescapeToken(bad)).toThrow(MalformedError);
  });

  it("each kind of subject has its form", () => {
    const node = nodeId("n_1");
    expect([callSubject("t", node), controlSubject("t", node), replySubject(node, "c_1"), placeSubject("t", "C")]).toEqual([
      "karst.n.t.n_1.call",
      "karst.n.t.n_1.ctl",
      "karst.r.n_1.c_1",
      "karst.place.t.C",
    ]);
    for (const make of [
      () => callSubject("a.b", node),
      () => controlSubject("*", node),
      () => placeSubject("t", ">"),
      () => placeSubject("", "C"),
      () => eventSubject({ tenant: "t", class: "C", id: "1" }, "a.b"),
    ])
      expect(make).toThrow(InvalidNameError);
  });

  it("a filter names what it names and takes the rest as any", () => {
    expect(eventFilterSubject()).toBe("karst.e.*.*.*.*");
    expect(eventFilterSubject({ tenant: "t", class: "C", id: "a b", type: "run-ended" })).toBe("karst.e.t.C.a=20b.run-ended");
    expect(eventFilterSubject({ type: "step-ended" })).toBe("karst.e.*.*.*.step-ended");
    for (const filter of [{ tenant: "*" }, { class: "a.b" }, { type: ">" }])
      expect(() => eventFilterSubject(filter)).toThrow(InvalidNameError);
  });
});
