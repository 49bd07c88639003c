import { expect, onTestFinished, test, vi } from "vitest";
import { WIRE_DONE, wireAnswer, wireChunk, wireStream } from "./wire-format.ts";
import { startWireServer } from "./wire-server.ts";

const post = (baseURL: string): Promise<Response> => fetch(`${baseURL}/chat/completions`, { method: "POST", body: "{}" });

test("a reply is the same bytes in whatever pieces", async () => {
  const written = wireChunk({ content: "é数🧑" }) + WIRE_DONE;
  const server = await startWireServer(...[Infinity, 1, 5].map((pieceBytes) => ({ ...wireStream(written), pieceBytes })));
  onTestFinished(() => server[Symbol.asyncDispose]());
  for (let round = 0; round < 3; round++) expect(await (await post(server.baseURL)).text()).toBe(written);
});

test("a request that nobody wrote a reply for is told so", async () => {
  const server = await startWireServer(wireAnswer(503, "down"));
  onTestFinished(() => server[Symbol.asyncDispose]());
  expect((await post(server.baseURL)).status).toBe(503);
  const response = await post(server.baseURL);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("no reply was written for request 1");
  server.reply(wireAnswer(200, "late"));
  expect(await (await post(server.baseURL)).text()).toBe("late");
});

test("disposing closes a connection that has fallen silent, and the port", async () => {
  const server = await startWireServer(wireStream("data: 1\n\n", { do: "stall" }));
  const response = await post(server.baseURL);
  await vi.waitFor(() => {
    expect(server.open).toBe(1);
  });
  await server[Symbol.asyncDispose]();
  await expect(response.text()).rejects.toThrow();
  await expect(post(server.baseURL)).rejects.toThrow();
  expect(server.open).toBe(0);
});
