import { describe, expect, test } from "vitest";
import { InvalidConfigError } from "./errors.ts";
import { createPinoLog } from "./log.pino.ts";
import type { PinoLogOptions } from "./log.pino.ts";

function record(options: PinoLogOptions = {}) {
  const lines: string[] = [];
  const log = createPinoLog({ ...options, destination: { write: (line) => lines.push(line) } });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
const KEY = "sk-planted-1234567890";

describe("pino log", () => {
  test("a line is JSON with level, time, message, fields, and those of the process and the child", () => {
    const { log, parsed } = record({ fields: { service: "agent-node" } });
    log.child({ actor: "acme/cleaner/nightly" }).warn("a cell is slow", { ms: 250 });
    expect(parsed()).toEqual([
      {
        level: "warn",
        time: expect.any(Number) as number,
        msg: "a cell is slow",
        service: "agent-node",
        actor: "acme/cleaner/nightly",
        ms: 250,
      },
    ]);
  });
  test("lines below the level are not written", () => {
    const { log, parsed } = record({ level: "warn" });
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    expect(parsed().map((line) => line["msg"])).toEqual(["c", "d"]);
    const all = record({ level: "debug" });
    all.log.debug("a");
    expect(all.lines).toHaveLength(1);
  });
  test("errors are written with type, message, code and cause", () => {
    const { log, parsed } = record();
    log.error("cannot start", {
      error: new InvalidConfigError("KARST_PORT must be a number", { key: "KARST_PORT" }),
      err: new RangeError("x"),
    });
    expect(parsed()).toMatchObject([
      { error: { type: "InvalidConfigError", code: "InvalidConfig", message: "KARST_PORT must be a number" }, err: { type: "RangeError" } },
    ]);
  });
  test("a field named error that is text stays text", () => {
    const { log, parsed } = record();
    log.warn("x", { error: "ECONNREFUSED" });
    expect(parsed()).toMatchObject([{ error: "ECONNREFUSED" }]);
  });

  describe("planted keys", () => {
    test.each([
      ["at the top", { apiKey: KEY, authorization: `Bearer ${KEY}`, token: KEY, password: KEY, secret: KEY }],
      ["one deep", { model: { apiKey: KEY }, headers: { authorization: KEY, Authorization: KEY }, nats: { token: KEY } }],
      ["two deep", { config: { model: { apiKey: KEY } }, request: { headers: { authorization: KEY } } }],
      ["three deep", { system: { models: { default: { apiKey: KEY, baseUrl: "kept" } } } }],
      ["in a URL", { url: `nats://karst:${KEY}@127.0.0.1:4222`, tokenUrl: `nats://${KEY}@127.0.0.1:4222` }],
    ])("%s never reach the log", (_, fields) => {
      const { log, lines } = record();
      log.info("started", fields);
      log.child(fields).info("and in a child");
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        expect(line).not.toContain(KEY);
        expect(line).toContain("[redacted]");
      }
    });
    test("credentials of a URL in the message never reach the log", () => {
      const { log, parsed } = record();
      log.info(`connecting to nats://karst:${KEY}@127.0.0.1:4222`);
      expect(parsed()).toMatchObject([{ msg: "connecting to nats://[redacted]@127.0.0.1:4222" }]);
    });
    test("what is beside them is kept", () => {
      const { log, parsed } = record();
      log.info("x", { model: { apiKey: KEY, name: "small" }, tokens: 12 });
      expect(parsed()).toMatchObject([{ model: { apiKey: "[redacted]", name: "small" }, tokens: 12 }]);
    });
  });
});
