import { expect, test } from "vitest";
import { CONFIG_KEYS, readConfig } from "./config.ts";

const GOOD = { KARST_NATS: "nats://127.0.0.1:4222", KARST_CLASSES: "./classes.ts", KARST_GRANT_SECRET: "0123456789abcdef" };

test("what is set is taken, and the rest has defaults", () => {
  expect(readConfig({ ...GOOD, KARST_HEALTH_PORT: "8080" })).toEqual({
    ...GOOD,
    KARST_HEALTH_PORT: 8080,
    KARST_TENANT: "default",
    KARST_LOG_LEVEL: "info",
    KARST_GRACE_MS: 10_000,
    KARST_HEALTH_HOST: "127.0.0.1",
  });
});

for (const key of Object.keys(GOOD)) {
  test(`without ${key} the error names it`, () => {
    expect(() => readConfig({ ...GOOD, [key]: undefined })).toThrow(`${key}: it is not set`);
    expect(() => readConfig({ ...GOOD, [key]: "" })).toThrow(`${key}: it is not set`);
  });
}

test("each wrong key is named, and no value is shown", () => {
  const wrong = { ...GOOD, KARST_NATS: "http://x", KARST_GRANT_SECRET: "short-one", KARST_HEALTH_PORT: "many", KARST_TENANT: "a b" };
  let message = "";
  try {
    readConfig(wrong);
  } catch (error) {
    message = String(error);
  }
  for (const key of ["KARST_NATS", "KARST_GRANT_SECRET", "KARST_HEALTH_PORT", "KARST_TENANT"]) expect(message).toContain(key);
  expect(message).not.toContain("short-one");
});

test("the keys are those that a manifest may set", () => {
  expect(CONFIG_KEYS).toContain("KARST_NATS");
  expect(CONFIG_KEYS.every((key) => key.startsWith("KARST_"))).toBe(true);
});
