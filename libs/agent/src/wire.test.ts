import { createIds, formatAddress, nodeId, toRef } from "@karst/events";
import type { AgentRef } from "@karst/events";
import { describe, expect, test } from "vitest";
import { ExportTable } from "./export-table.ts";
import { createGrantKey } from "./grant.ts";
import { createHandle } from "./handle.ts";
import type { HandleHolder } from "./handle.ts";
import { createWire } from "./wire.ts";

const address = formatAddress({ tenant: "t", class: "shelf", id: "1" });
const ref: AgentRef = { ref: "agent", address, only: ["add"], grant: "g" };

function setUp(live: boolean) {
  const ids = createIds();
  const table = live ? new ExportTable(nodeId("n1")) : undefined;
  const opened: { readonly ref: AgentRef; readonly holder: HandleHolder }[] = [];
  const wire = createWire((given, by) => {
    opened.push({ ref: given, holder: by });
    return createHandle(given, by);
  }, table);
  const holder: HandleHolder = {
    caller: { kind: "operator" },
    chain: () => [],
    parentRun: () => undefined,
    timeLeftMs: () => Infinity,
    signal: () => undefined,
    nextCall: () => ids.call(),
    classOf: () => undefined,
    failedRunThrows: false,
    calls: { call: () => Promise.reject(new TypeError("nobody is called here")) },
    grants: createGrantKey(),
    wire,
  };
  return { wire, holder, opened, table };
}

test("data crosses as an equal copy", () => {
  const { wire, holder } = setUp(true);
  const value = { rows: [new Map([[1, new Date(5)]])], none: undefined, minus: -0 };
  const { bytes, handles, release } = wire.encode(value);
  expect(handles).toBe(0);
  expect(wire.decode(bytes, holder)).toEqual({ value, handles: 0 });
  release();
});

test("a handle crosses as its reference, and the copy is opened for the receiver", () => {
  const { wire, holder, opened } = setUp(false);
  const { bytes, handles } = wire.encode({ shelf: createHandle(ref, holder), twice: [createHandle(ref, holder)] });
  const decoded = wire.decode(bytes, holder);
  const copy = (decoded.value as { readonly shelf: { [toRef](): AgentRef } }).shelf;
  expect(copy[toRef]()).toEqual(ref);
  expect(handles).toBeGreaterThan(0);
  expect(decoded.handles).toBe(handles);
  expect(opened.map((each) => each.holder)).toEqual(opened.map(() => holder));
});

describe("a live object", () => {
  class Lamp {
    on = true;
  }

  test("arrives within one process as the identical object, also when it is there twice", () => {
    const { wire, holder, table } = setUp(true);
    const lamp = new Lamp();
    const { bytes } = wire.encode({ a: lamp, b: [lamp] });
    expect(table?.size).toBe(1);
    const { value } = wire.decode(bytes, holder) as { readonly value: { readonly a: unknown; readonly b: readonly unknown[] } };
    expect(value.a).toBe(lamp);
    expect(value.b[0]).toBe(lamp);
    expect(table?.size).toBe(0);
  });

  test("that nobody took is let go of", () => {
    const { wire, holder, table } = setUp(true);
    const { bytes, release } = wire.encode([new Lamp(), () => 1]);
    expect(table?.size).toBe(2);
    release();
    expect(table?.size).toBe(0);
    expect(() => wire.decode(bytes, holder)).toThrow(expect.objectContaining({ code: "RefBroken" }) as Error);
  });

  test("leaves nothing behind when another part of the value is refused", () => {
    const { wire, table } = setUp(true);
    expect(() => wire.encode([new Lamp(), Symbol("s")])).toThrow(expect.objectContaining({ code: "NotSerialisable" }) as Error);
    expect(table?.size).toBe(0);
  });

  test("is refused with its path between processes, and a reference to one too", () => {
    const { wire, holder } = setUp(false);
    expect(() => wire.encode({ lamps: [new Lamp()] })).toThrow(
      expect.objectContaining({ code: "NotSerialisable", data: expect.objectContaining({ path: "lamps[0]" }) as unknown }) as Error,
    );
    const { bytes } = setUp(true).wire.encode(new Lamp());
    expect(() => wire.decode(bytes, holder)).toThrow(expect.objectContaining({ code: "RefBroken" }) as Error);
  });
});
