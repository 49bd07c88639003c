import { describe, expect, it } from "vitest";
import { compileCell } from "./cell.ts";
import { createLateReports } from "./late-reports.ts";
import { createResults } from "./results.ts";
import type { Results } from "./results.ts";

const ran = { cell: 1, output: "", outputDroppedChars: 0, durationMs: 1, diff: { added: [], changed: [], removed: [] } };
const results = (): Results =>
  createResults({ late: createLateReports({ entries: 5, outputChars: 5 }), valueChars: 20, names: () => ["rows"] });

describe("results of cells", () => {
  it("have a value and its bounded text when there is one", () => {
    const { result } = results();
    expect(result({ type: "value", has: true, value: "x".repeat(100), returned: true }, ran)).toMatchObject({
      ok: true,
      hasValue: true,
      returned: true,
      value: "x".repeat(100),
    });
    expect(result({ type: "value", has: true, value: "x".repeat(100), returned: true }, ran).valueText).toHaveLength(20);
    expect(result({ type: "value", has: false, value: undefined, returned: false }, ran)).not.toHaveProperty("valueText");
    expect(result({ type: "value", has: true, value: undefined, returned: false }, ran).valueText).toBe("undefined");
  });

  it("tell why a cell was stopped, when there is a reason in words", () => {
    const message = (reason: unknown): string | undefined => results().result({ type: "abandoned", reason }, ran).error?.message;
    expect(message("too slow")).toBe("the cell was stopped: too slow");
    expect(message(new Error("gone"))).toBe("the cell was stopped: gone");
    expect(message(undefined)).toBe("the cell was stopped");
  });

  it("forget the oldest sources first", () => {
    const { remember, hasCell, failure } = results();
    for (let cell = 1; cell <= 1_001; cell += 1) remember({ ...compileCell("1", { cell: 1 }), cell });
    expect([hasCell(1), hasCell(2), hasCell(1_001)]).toEqual([false, true, true]);
    expect(failure(1, new ReferenceError("x is not defined")).report).toMatch(/rows/);
  });
});
