import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { natsTestConfig } from "./config.ts";
import { findTestServer, startNatsServer } from "./nats-server.ts";

describe("finding and starting a server", () => {
  let folder: string;
  let broken: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "karst-find-"));
    broken = path.join(folder, "nats-server");
    await writeFile(broken, "#!/bin/sh\necho no such option >&2\nexit 1\n");
    await chmod(broken, 0o755);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test("a server named by NATS_SERVER is taken; one that is not there is missing, by name", async () => {
    expect(await findTestServer({ serverPath: broken, pathVariable: "", required: false })).toEqual({ path: broken });
    const missing = await findTestServer({ serverPath: path.join(folder, "none"), pathVariable: "", required: false });
    expect(missing).toMatchObject({
      missing: expect.stringContaining("none") as string,
      howTo: expect.stringContaining("NATS_SERVER") as string,
    });
  });
  test("what the test command found out is believed, not looked for again", async () => {
    const config = natsTestConfig({ KARST_NATS_MISSING: "none on PATH", KARST_NATS_HOW_TO: "get one" });
    expect(await findTestServer(config)).toEqual({ missing: "none on PATH", howTo: "get one" });
  });
  test("starting one where none is says how to get one", async () => {
    vi.stubEnv("NATS_SERVER", path.join(folder, "none"));
    await expect(startNatsServer()).rejects.toMatchObject({
      code: "MissingTool",
      data: { howTo: expect.stringContaining("ensure-nats") as string },
    });
    vi.unstubAllEnvs();
  });
  test("a program that ends at once is an error with what it said", async () => {
    await expect(startNatsServer({ program: broken })).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("no such option") as string,
    });
    await expect(startNatsServer({ program: path.join(folder, "none") })).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringContaining("ENOENT") as string,
    });
  });
  test.each([
    [{}, false],
    [{ CI: "true" }, true],
    [{ REQUIRE_NATS: "1" }, true],
    [{ CI: "false" }, false],
  ])("with the environment %j a server is required: %s", (env, required) => {
    expect(natsTestConfig(env).required).toBe(required);
    expect(natsTestConfig({ NATS_SERVER: "" }).serverPath).toBeUndefined();
  });
});
