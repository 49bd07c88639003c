import { TooLargeError } from "@karst/events";
import { NotAnEventStreamError } from "./errors.ts";

/** How much of a body that is no stream of events is read, to see what it says. */
const MAX_ERROR_BYTES = 64 * 1024;
/** A reply larger than this is a fault; without a bound one line that never ends would fill the memory. */
export const MAX_REPLY_BYTES = 64 * 2 ** 20;

/**
 * `response`, once the first byte of its body shows that it can be a stream of server-sent events; other statuses pass unread.
 *
 * Some providers answer 200 with a JSON error or a page of HTML, which an event parser takes for silence. The content type is not
 * asked, for it is wrong as often. Order: the returned response is the body's only reader; cancelling it cancels the connection.
 *
 * @throws {NotAnEventStreamError} when the body begins with `{`, `[` or `<`, which no line of an event stream does.
 */
export async function requireEventStream(response: Response, maxBytes: number = MAX_REPLY_BYTES): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const held: Uint8Array[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      held.push(value);
      const first = firstByte(value);
      if (first === undefined) continue;
      if (!isNoEventStream(first)) break;
      throw new NotAnEventStreamError(await readText(reader, held));
    }
  } catch (error) {
    if (error instanceof NotAnEventStreamError) throw error;
    failure = { error };
  }
  return new Response(replay(reader, held, failure, maxBytes), { status: response.status, headers: response.headers });
}

const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]); // and the byte order mark

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !WHITESPACE.has(byte));
}

function isNoEventStream(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x3c; // { [ <
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, held: readonly Uint8Array[]): Promise<string> {
  const decoder = new TextDecoder();
  let text = held.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
  while (text.length < MAX_ERROR_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, MAX_ERROR_BYTES);
}

function replay(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  held: Uint8Array[],
  failure: { readonly error: unknown } | undefined,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  let sizeBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (held.length === 0 && failure !== undefined) throw failure.error;
        const value = held.shift() ?? (await reader.read()).value;
        if (value === undefined) {
          controller.close();
          return;
        }
        sizeBytes += value.byteLength;
        if (sizeBytes > maxBytes) {
          reader.cancel().catch(() => undefined);
          throw new TooLargeError("the model's reply", sizeBytes, maxBytes);
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
