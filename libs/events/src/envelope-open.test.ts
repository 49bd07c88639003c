import { describe, expect, it } from "vitest";
import { Envelope, Escape } from "./envelope.ts";
import { openEnvelope } from "./envelope-open.ts";
import { MalformedError } from "./errors.ts";
import { KarstError } from "./error.ts";

const open = (table: readonly unknown[], tree: unknown = new Escape(0)): unknown =>
  openEnvelope(new Envelope(tree, table), { import: (ref) => ref });
const agent = { ref: "agent", address: "t/C/1" };

describe("an envelope from outside", () => {
  const cases: Readonly<Record<string, readonly unknown[]>> = {
    "no entry": [],
    "an entry that is no list": [5],
    "an unknown kind": [["magic"]],
    "a kind that is no text": [[{}]],
    "a text of numbers": [["text", [1, 2]]],
    "keys that are no texts": [["object", [1], [1]]],
    "a key that is an escape of no text": [
      ["object", [new Escape(1)], [1]],
      ["url", "http://a"],
    ],
    "a key that is an escape of nothing": [["object", [new Escape(9)], [1]]],
    "more keys than values": [["object", ["a", "b"], [1]]],
    "values that are no list": [["bare", ["a"], "b"]],
    "a length below zero": [["sparse", -1, [], []]],
    "a length beyond all use": [["sparse", 4_000_000_000, [], []]],
    "a length that is no whole number": [["sparse", 1.5, [], []]],
    "an element outside": [["sparse", 2, [2], [1]]],
    "an index that is no number": [["sparse", 2, ["length"], [1]]],
    "more indexes than elements": [["sparse", 5, [1, 2], [1]]],
    "an error of no class": [["error", "constructor", [], [], [], []]],
    "an error without lists": [["error", "TypeError"]],
    "a message that is no text": [["error", "DOMException", [], [], ["message"], [{}]]],
    "a pattern that is none": [["regexp", "(", "", 0]],
    "flags that are none": [["regexp", "a", "zz", 0]],
    "a RegExp without lastIndex": [["regexp", "a", ""]],
    "a URL that is none": [["url", "no url"]],
    "a URL of a number": [["url", 5]],
    "a Buffer of text": [["buffer", "abc"]],
    "a reference that is none": [["ref", null]],
    "a reference of unknown form": [["ref", { ref: "thread" }]],
    "a reference with more than its form": [["ref", { ...agent, more: 1 }]],
    "an address that is none": [["ref", { ...agent, address: "t/C" }]],
    "a node that is none": [["ref", { ref: "object", shape: "object", node: "a.b", objectId: 1, label: "x" }]],
    "an object id below zero": [["ref", { ref: "object", shape: "object", node: "n", objectId: -1, label: "x" }]],
  };

  it.each(Object.entries(cases))("with %s is Malformed", (_, table) => {
    expect(() => open(table)).toThrow(MalformedError);
    expect(() => open(table, { deep: [new Map([["k", new Escape(0)]])] })).toThrow(MalformedError);
  });

  it("without a table is Malformed", () => {
    expect(() => openEnvelope(new Envelope(1, "no table" as never))).toThrow(MalformedError);
  });

  it("makes no prototype of a key called __proto__", () => {
    const got = open([["object", ["__proto__", "a"], [{ polluted: true }, 1]]]) as object;
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    const error = open([["error", "TypeError", ["__proto__"], [{ polluted: true }], ["constructor"], [1]]]) as Error;
    expect(error).toBeInstanceOf(TypeError);
    expect(Object.hasOwn(error, "__proto__")).toBe(true);
  });

  it("a long part serves one entry only, so that few bytes make no long work", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => `k${String(index)}`);
    const values = keys.map(() => 0);
    const entries = Array.from({ length: 1000 }, () => ["object", keys, values]);
    expect(() =>
      open(
        entries,
        entries.map((_, index) => new Escape(index)),
      ),
    ).toThrow("used twice");
    const entry = ["url", "http://a"];
    expect(() => open([entry, entry], [new Escape(0), new Escape(1)])).toThrow("used twice");
    expect(() =>
      open(
        [
          ["ref", agent],
          ["ref", agent],
        ],
        [new Escape(0), new Escape(1)],
      ),
    ).toThrow("used twice");
    const only = ["a"];
    expect(() =>
      open(
        [
          ["ref", { ...agent, only }],
          ["ref", { ...agent, only }],
        ],
        [new Escape(0), new Escape(1)],
      ),
    ).toThrow("used twice");
  });

  it("one long text serves as many keys as there are, and is made once", () => {
    const units = new Uint16Array(200_000).fill(0xd800);
    const keys = Array.from({ length: 2000 }, () => new Escape(1));
    const got = open([
      ["object", keys, keys.map(() => 1)],
      ["text", units],
    ]) as object;
    expect(Object.keys(got).map((key) => key.length)).toEqual([200_000]);
  });

  it("arrays with holes take room by what they hold", () => {
    const before = process.memoryUsage().heapUsed;
    const table = Array.from({ length: 20_000 }, (_, index) => ["sparse", 1000 + (index % 2) * 4_000_000, [999], [index]]);
    const got = open(
      table,
      table.map((_, index) => new Escape(index)),
    ) as unknown[][];
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
    expect([got[1]?.length, got[1]?.[999], 998 in (got[1] ?? [])]).toEqual([4_001_000, 1, false]);
  });

  it("a long chain of entries inside each other opens without exhausting the stack", () => {
    const length = 50_000;
    const table = Array.from({ length }, (_, index) => ["bare", ["next"], [index + 1 < length ? new Escape(index + 1) : "end"]]);
    let at = open(table);
    let steps = 0;
    for (; typeof at === "object" && at !== null; at = Reflect.get(at, "next") as unknown) steps++;
    expect([steps, at]).toEqual([length, "end"]);
  });

  it("an error with a code of ours that this version does not know becomes AppError, and the code is data", () => {
    const error = open([
      ["error", "KarstError", ["code", "data", "retryable"], ["FromTheFuture", { a: 1 }, true], ["message"], ["new"]],
    ]) as KarstError;
    expect(error).toBeInstanceOf(KarstError);
    expect([error.code, error.data, error.retryable, error.message]).toEqual(["AppError", { a: 1, code: "FromTheFuture" }, true, "new"]);
  });

  it("an error of ours always has code, data and retryable", () => {
    const error = open([["error", "KarstError", ["data"], ["no data"], [], []]]) as KarstError;
    expect([error.code, error.data, error.retryable]).toEqual(["AppError", { code: undefined }, false]);
    const known = open([["error", "KarstError", ["code", "data"], ["NotFound", 5], [], []]]) as KarstError;
    expect([known.code, known.data]).toEqual(["NotFound", {}]);
  });
});
