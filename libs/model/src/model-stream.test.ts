import { expect, test } from "vitest";
import { modelStream } from "./model-stream.ts";
import type { ModelPart } from "./model.ts";

const FINISH: ModelPart = { type: "finish", reason: "stop", raw: "stop" };
const never = (): AbortSignal => new AbortController().signal;

async function partsOf(stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test("S2: what comes after the first finish is not given", async () => {
  const stream = modelStream(never(), async function* () {
    yield FINISH;
    yield await Promise.resolve<ModelPart>({ type: "text", text: "more" });
  });
  expect(await partsOf(stream)).toEqual([FINISH]);
});

test("S2: parts that only stop end as cut", async () => {
  const stream = modelStream(never(), async function* () {
    yield await Promise.resolve<ModelPart>({ type: "text", text: "half" });
  });
  expect(await partsOf(stream)).toMatchObject([{ type: "text" }, { type: "error", error: { kind: "cut" } }]);
});

test("S4: the inner signal aborts when the stream has finished, when it is left, and when its maker throws", async () => {
  const inners: AbortSignal[] = [];
  const make = (throws: boolean) =>
    modelStream(never(), async function* (inner) {
      inners.push(inner);
      yield await Promise.resolve<ModelPart>({ type: "text", text: "a" });
      if (throws) throw new RangeError("defect");
      yield FINISH;
    });
  await partsOf(make(false));
  for await (const part of make(false)) {
    expect(part.type).toBe("text");
    break;
  }
  await expect(partsOf(make(true))).rejects.toThrow(RangeError);
  expect(inners.map((inner) => inner.aborted)).toEqual([true, true, true]);
});

test("S5: a failure while closing does not replace the outcome", async () => {
  const stream = modelStream(never(), async function* () {
    try {
      yield await Promise.resolve(FINISH);
    } finally {
      throw new RangeError("closing failed");
    }
  });
  expect(await partsOf(stream)).toEqual([FINISH]);
});

test("S1: a stream that is left before its first part never starts", async () => {
  let started = false;
  const stream = modelStream(never(), async function* () {
    started = true;
    yield await Promise.resolve(FINISH);
  });
  await stream.return?.();
  expect(await partsOf(stream)).toEqual([]);
  expect(started).toBe(false);
});
