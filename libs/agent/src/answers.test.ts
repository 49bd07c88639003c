import { KarstError } from "@karst/events";
import { expect, test } from "vitest";
import { Answers } from "./answers.ts";

const bytes = (size: number): Uint8Array => new Uint8Array(size);

test("the same key gets the result of the first time, and is not carried out again (K1)", async () => {
  const answers = new Answers();
  let executed = 0;
  const execute = (): Promise<Uint8Array> => {
    executed += 1;
    return Promise.resolve(bytes(executed));
  };
  expect(await answers.once("a", execute)).toHaveLength(1);
  expect(await answers.once("a", execute)).toHaveLength(1);
  expect(await answers.once("b", execute)).toHaveLength(2);
});

test("the same key joins an execution that is still open (K1)", async () => {
  const answers = new Answers();
  let end: (body: Uint8Array) => void = () => undefined;
  const open = new Promise<Uint8Array>((resolve) => {
    end = resolve;
  });
  const first = answers.once("a", () => open);
  const second = answers.once("a", () => Promise.reject(new TypeError("carried out twice")));
  end(bytes(3));
  expect(await second).toBe(await first);
});

test("a failure is an answer too (K2)", async () => {
  const answers = new Answers();
  const failed = new KarstError("InvalidValue", "no");
  await expect(answers.once("a", () => Promise.reject(failed))).rejects.toBe(failed);
  await expect(answers.once("a", () => Promise.resolve(bytes(1)))).rejects.toBe(failed);
});

test("a call that may be made again is carried out again: a retryable error is not kept (K2)", async () => {
  const answers = new Answers();
  const full = new KarstError("Overloaded", "later", { retryable: true });
  await expect(answers.once("a", () => Promise.reject(full))).rejects.toBe(full);
  expect(await answers.once("a", () => Promise.resolve(bytes(2)))).toHaveLength(2);
});

test("past the bound of calls the oldest is forgotten (K3)", async () => {
  const answers = new Answers({ calls: 2, bytes: 1_000 });
  for (const key of ["a", "b", "c"]) await answers.once(key, () => Promise.resolve(bytes(1)));
  expect(answers.size).toBe(2);
  expect(await answers.once("c", () => Promise.resolve(bytes(9)))).toHaveLength(1);
  expect(await answers.once("a", () => Promise.resolve(bytes(9)))).toHaveLength(9);
});

test("past the bound of bytes the oldest are forgotten, until the rest fits (K3)", async () => {
  const answers = new Answers({ calls: 100, bytes: 10 });
  for (const key of ["a", "b", "c"]) await answers.once(key, () => Promise.resolve(bytes(3)));
  expect(answers.size).toBe(3);
  await answers.once("d", () => Promise.resolve(bytes(7)));
  expect(answers.size).toBe(2);
  expect(await answers.once("c", () => Promise.resolve(bytes(1)))).toHaveLength(3);
  await answers.once("big", () => Promise.resolve(bytes(11)));
  expect(answers.size).toBe(0);
});

test("a result that comes when its key was forgotten takes no room", async () => {
  const answers = new Answers({ calls: 1, bytes: 10 });
  let end: (body: Uint8Array) => void = () => undefined;
  const late = answers.once("late", () => new Promise((resolve) => (end = resolve)));
  await answers.once("next", () => Promise.resolve(bytes(9)));
  end(bytes(9));
  await late;
  expect(answers.size).toBe(1);
  expect(await answers.once("next", () => Promise.resolve(bytes(1)))).toHaveLength(9);
});
