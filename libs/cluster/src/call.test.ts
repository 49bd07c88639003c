import { KarstError, errorCode, formatAddress, nodeId } from "@karst/events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENVELOPE_BYTES, decodeCall, decodeFailure, decodeReply, encodeCall, encodeFailure, encodeReply } from "./call.ts";
import type { ReplyKind } from "./call.ts";
import { aCall } from "./testing/calls.ts";
import type { Call } from "./transport.ts";

const node = nodeId("n1");
const text = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const address = fc.stringMatching(/^[^/\p{Cc}]{1,20}$/u).map((id) => formatAddress({ tenant: "acme", class: "cleaner", id }));
const calls: fc.Arbitrary<Call> = fc
  .record({
    to: address,
    method: text,
    from: fc.oneof(
      fc.constant({ kind: "operator" as const }),
      fc.record({ kind: fc.constant("agent" as const), address, roles: fc.array(text, { maxLength: 4 }) }),
    ),
    chain: fc.array(address, { maxLength: 32 }),
    extra: fc.oneof(
      fc.constant({}),
      fc.record({ parentRun: text }),
      fc.record({ grant: fc.record({ only: fc.array(text), proof: text }) }),
    ),
    idempotencyKey: text,
    body: fc.uint8Array({ maxLength: 300 }),
  })
  .map(({ extra, ...call }) => aCall({ ...call, ...extra }));

describe("calls as bytes", () => {
  test("every call comes back equal, with its caller and its time", () => {
    fc.assert(
      fc.property(calls, fc.double({ min: 0.1, max: 1e9, noNaN: true }), (call, timeoutMs) => {
        const bytes = encodeCall(call, timeoutMs, node);
        const arrived = decodeCall(bytes);
        expect({ ...arrived, call: { ...arrived.call, body: [...arrived.call.body] } }).toEqual({
          call: { ...call, body: [...call.body] },
          timeoutMs,
          caller: node,
        });
        expect(bytes.length - call.body.length).toBeLessThanOrEqual(ENVELOPE_BYTES);
      }),
    );
  });
  test("the idempotency key of most calls, their id, costs nothing", () => {
    const call = aCall();
    expect(new TextDecoder().decode(encodeCall(call, 1, node)).split(call.id)).toHaveLength(2);
  });
  test("a head over 16 KiB is TooLarge", () => {
    const chain = Array.from({ length: 600 }, () => formatAddress({ tenant: "acme", class: "cleaner", id: "x".repeat(64) }));
    expect(() => encodeCall(aCall({ chain }), 1, node)).toThrow(expect.objectContaining({ code: "TooLarge" }));
  });
  test("bytes that are no call are refused with a typed error, never with another one", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => new TextEncoder().encode(`${json}\n`)),
        ),
        (bytes) => {
          try {
            decodeCall(bytes);
            expect.fail("random bytes were taken for a call");
          } catch (error) {
            expect(["Malformed", "InvalidName"]).toContain(errorCode(error));
          }
        },
      ),
    );
  });
  test.each([
    ["roles that are no list", { from: { a: "acme/a/b", r: "boss" } }],
    ["a caller without address", { from: { r: [] } }],
    ["a chain of numbers", { chain: [1] }],
    ["a chain of no addresses", { chain: ["acme"] }],
    ["a grant without proof", { only: ["clean"] }],
    ["a time that is none", { ttl: "soon" }],
    ["an id that does not fit into a subject", { id: "a.b" }],
  ])("a head with %s is refused", (_, wrong) => {
    const head = { v: 1, id: "c", to: "acme/a/b", m: "x", ttl: 1_000, node: "n", from: null, chain: [], ...wrong };
    expect(() => decodeCall(new TextEncoder().encode(`${JSON.stringify(head)}\n`))).toThrow(KarstError);
  });
});

describe("replies as bytes", () => {
  test("every reply comes back equal", () => {
    const kinds: readonly ReplyKind[] = ["frame", "result", "error"];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat({ max: 2 ** 31 - 1 }), fc.uint8Array(), (kind, count, body) => {
        const reply = decodeReply(encodeReply(kind, count, body));
        expect({ ...reply, body: [...reply.body] }).toEqual({ kind, count, body: [...body] });
      }),
    );
  });
  test.each([[[]], [[0x72]], [[0x72, 0, 0, 0]], [[0, 0, 0, 0, 0, 0]]])("%j is refused as Malformed", (bytes) => {
    expect(() => decodeReply(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: "Malformed" }));
  });
});

describe("errors as bytes", () => {
  test.each([
    ["cannot cross", { stop: () => undefined }, "stop"],
    ["is too long", { text: "x".repeat(5_000) }, "cut"],
  ])("an error whose data %s keeps its code and message, and says what was left out", (_, data, said) => {
    const error = decodeFailure(encodeFailure(new KarstError("BadArgs", "rows is no list", { data }), 4_000));
    expect(error).toMatchObject({ code: "BadArgs", message: "rows is no list", data: { [said]: expect.any(String) as string } });
  });
  test("whatever is thrown arrives as an error", () => {
    for (const thrown of ["text", 7, undefined, null, { a: 1 }, new RangeError("range")]) {
      const error = decodeFailure(encodeFailure(thrown, 4_000));
      expect(error).toBeInstanceOf(Error);
      expect(error.message).not.toBe("");
    }
  });
  test("bytes that are no error arrive as one that says so", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(decodeFailure(bytes)).toBeInstanceOf(Error);
      }),
    );
  });
});
