import { expect, test } from "vitest";
import { requireEventStream } from "./event-stream-body.ts";

const body = (...pieces: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });

test("a stream of events passes byte for byte, white space before it too", async () => {
  const response = await requireEventStream(new Response(body("\n", " \r\n", "data: 1\n\n", "data: {\n\n")));
  expect(await response.text()).toBe("\n \r\ndata: 1\n\ndata: {\n\n");
});

test("a body of JSON or HTML is refused with what it says, in whatever pieces it comes", async () => {
  await expect(requireEventStream(new Response(body("\n", "{", '"error":', "1}")))).rejects.toMatchObject({
    code: "Malformed",
    body: '\n{"error":1}',
  });
  await expect(requireEventStream(new Response(body("<html>")))).rejects.toMatchObject({ body: "<html>" });
});

test("of an endless wrong body only the beginning is read, and the rest is let go", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode("[".repeat(1_000)));
    },
    cancel() {
      cancelled = true;
    },
  });
  await expect(requireEventStream(new Response(endless))).rejects.toMatchObject({ body: expect.stringMatching(/^\[{65536}$/) as string });
  expect(cancelled).toBe(true);
});

test("another status passes unread", async () => {
  const response = new Response(body("{}"), { status: 500 });
  expect(await requireEventStream(response)).toBe(response);
});

test("a reply over the limit breaks off as too large", async () => {
  const response = await requireEventStream(new Response(body("data: ", "x".repeat(100))), 50);
  await expect(response.text()).rejects.toMatchObject({ code: "TooLarge", data: { limitBytes: 50 } });
});

test("a body that breaks while it is looked at breaks for its reader", async () => {
  const fault = new Error("gone");
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(fault);
    },
  });
  const response = await requireEventStream(new Response(broken));
  await expect(response.text()).rejects.toBe(fault);
});
