import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "./codec.ts";
import { crossingValue } from "./testing/crossing-value.ts";
import { difference } from "./testing/difference.ts";

describe("round trip", () => {
  it("any value that crosses comes back the same in every way", () => {
    fc.assert(fc.property(crossingValue, (value) => { expect(difference(decode(encode(value).bytes), value)).toBeUndefined(); }), { numRuns: 3000 });
  });
});
