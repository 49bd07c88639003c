import { afterEach, describe, expect, test } from "vitest";
import { openHealthServer } from "./health.ts";
import type { HealthChecks, HealthServer } from "./health.ts";
import { codeOf } from "./testing/calls.ts";

describe("health server", () => {
  let server: HealthServer | undefined;
  afterEach(async () => {
    await server?.close();
  });
  const open = async (checks: HealthChecks): Promise<(path: string, method?: string) => Promise<readonly [number, string]>> => {
    server = await openHealthServer(checks, { port: 0 });
    const { port } = server;
    return async (path, method = "GET") => {
      const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method });
      return [response.status, (await response.text()).trim()];
    };
  };

  test("a process that is alive and ready says ok", async () => {
    const ask = await open({ ready: () => undefined });
    expect(await ask("/livez")).toEqual([200, "ok"]);
    expect(await ask("/readyz")).toEqual([200, "ok"]);
    expect(await ask("/readyz?verbose")).toEqual([200, "ok"]);
    expect(await ask("/readyz", "HEAD")).toEqual([200, ""]);
  });
  test("one that is not ready says why, and stays alive", async () => {
    let reason: string | undefined = "no connection to NATS";
    const ask = await open({ ready: () => reason });
    expect(await ask("/readyz")).toEqual([503, "no connection to NATS"]);
    expect(await ask("/livez")).toEqual([200, "ok"]);
    reason = undefined;
    expect(await ask("/readyz")).toEqual([200, "ok"]);
  });
  test("one that is not alive says why; a check that throws is a reason", async () => {
    const ask = await open({
      live: () => "the event loop is blocked",
      ready: () => {
        throw new RangeError("broken check");
      },
    });
    expect(await ask("/livez")).toEqual([503, "the event loop is blocked"]);
    expect(await ask("/readyz")).toEqual([503, "broken check"]);
  });
  test("nothing else is answered", async () => {
    const ask = await open({ ready: () => undefined });
    expect((await ask("/"))[0]).toBe(404);
    expect((await ask("/livez/x"))[0]).toBe(404);
    expect((await ask("/livez", "POST"))[0]).toBe(405);
  });
  test("a port in use is Unavailable and named", async () => {
    await open({ ready: () => undefined });
    const second = openHealthServer({ ready: () => undefined }, { port: server?.port ?? 0 });
    await expect(second).rejects.toThrow(String(server?.port));
    expect(await codeOf(second)).toBe("Unavailable");
  });
  test("closing twice is closing once, and frees the port", async () => {
    const ask = await open({ ready: () => undefined });
    await Promise.all([server?.close(), server?.close()]);
    await expect(ask("/livez")).rejects.toThrow();
  });
});
