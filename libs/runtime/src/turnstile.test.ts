import { describe, expect, it } from "vitest";
import { RuntimeStoppedError } from "./errors.ts";
import { createTurnstile } from "./turnstile.ts";

const gate = (): { readonly opened: Promise<void>; open: () => void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

describe("turnstile", () => {
  it("lets jobs through one at a time, in order, failed ones too", async () => {
    const turnstile = createTurnstile(10);
    const log: string[] = [];
    const job =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} in`);
        await Promise.resolve();
        log.push(`${name} out`);
        if (fails) throw new RuntimeStoppedError(name);
        return name;
      };
    const passed = [turnstile.pass(job("a")), turnstile.pass(job("b", true)), turnstile.pass(job("c"))];
    expect(await Promise.allSettled(passed)).toMatchObject([
      { value: { type: "done", value: "a" } },
      { reason: { code: "RuntimeStopped" } },
      { value: { type: "done", value: "c" } },
    ]);
    expect(log).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("refuses what comes when all places to wait are taken", async () => {
    const turnstile = createTurnstile(1);
    const { opened, open } = gate();
    const inside = turnstile.pass(() => opened);
    const waiting = turnstile.pass(() => opened);
    await expect(turnstile.pass(() => opened)).rejects.toMatchObject({ code: "Overloaded", retryable: true });
    open();
    await Promise.all([inside, waiting]);
    expect(await turnstile.pass(() => Promise.resolve(1))).toEqual({ type: "done", value: 1 });
  });

  it("gives up a place when its signal is aborted, and lets the next one have it", async () => {
    const turnstile = createTurnstile(1);
    const { opened, open } = gate();
    const controller = new AbortController();
    const inside = turnstile.pass(() => opened);
    const waiting = turnstile.pass(() => Promise.resolve("never"), controller.signal);
    controller.abort("gone");
    expect(await waiting).toEqual({ type: "aborted", reason: "gone" });
    const other = turnstile.pass(() => Promise.resolve("ran"));
    open();
    await inside;
    expect(await other).toEqual({ type: "done", value: "ran" });
  });

  it("runs a job whose signal is aborted after it went in", async () => {
    const turnstile = createTurnstile(2);
    const controller = new AbortController();
    const { opened, open } = gate();
    void turnstile.pass(() => opened);
    const { opened: laterOpened, open: openLater } = gate();
    const second = turnstile.pass(async () => {
      await laterOpened;
      return 2;
    }, controller.signal);
    open();
    await opened;
    while (turnstile.waiting > 0) await Promise.resolve();
    const third = turnstile.pass(() => Promise.resolve(3));
    controller.abort();
    openLater();
    expect(await second).toEqual({ type: "done", value: 2 });
    expect(await third).toEqual({ type: "done", value: 3 });
    await turnstile.idle();
  });

  it("after close refuses those that wait and those that come, and idle waits for the one inside", async () => {
    const turnstile = createTurnstile(5);
    const { opened, open } = gate();
    let ended = false;
    const inside = turnstile.pass(async () => {
      await opened;
      ended = true;
    });
    const waiting = turnstile.pass(() => Promise.resolve());
    turnstile.close(new RuntimeStoppedError("execute"));
    await expect(waiting).rejects.toMatchObject({ code: "RuntimeStopped" });
    await expect(turnstile.pass(() => Promise.resolve())).rejects.toMatchObject({ code: "RuntimeStopped" });
    open();
    await turnstile.idle();
    expect(ended).toBe(true);
    await inside;
  });
});
