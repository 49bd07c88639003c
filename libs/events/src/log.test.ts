import { describe, expect, it } from "vitest";
import { createRecordingLog, silentLog } from "./log.ts";

describe("logs", () => {
  it("a recording log keeps each line with its level and fields, those of its children too", () => {
    const log = createRecordingLog();
    log.debug("a");
    log.info("b", { x: 1 });
    log.warn("c", { x: 2 });
    log.error("d");
    log.child({ agent: "t/C/1", x: 0 }).child({ run: "r" }).info("e", { x: 3 });
    expect(log.lines).toEqual([
      { level: "debug", message: "a", fields: {} },
      { level: "info", message: "b", fields: { x: 1 } },
      { level: "warn", message: "c", fields: { x: 2 } },
      { level: "error", message: "d", fields: {} },
      { level: "info", message: "e", fields: { agent: "t/C/1", run: "r", x: 3 } },
    ]);
  });

  it("the silent log takes all and has itself as child", () => {
    expect(silentLog.child({ a: 1 })).toBe(silentLog);
    for (const level of ["debug", "info", "warn", "error"] as const)
      expect(() => {
        silentLog[level]("a", { b: 1 });
      }).not.toThrow();
  });
});
