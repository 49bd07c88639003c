import { expect } from "vitest";
import { ALL, errorOf, runCells, valueOf } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

/** The order of cells, stopping them, and the end: R4 and R8 of the port, reference rows I8 and K3. */
export const lifeCases: readonly ContractCase[] = [
  {
    title: "R4 cells asked for at once run one after the other, in that order, and are numbered so",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "const log = []");
      const results = await Promise.all(
        [1, 2, 3].map((n) => runtime.execute(`log.push('start ${String(n)}'); await null; await null; log.push('end ${String(n)}')`)),
      );
      expect(results.map(({ cell }) => cell)).toEqual([2, 3, 4]);
      expect(await runtime.retrieve("log")).toEqual([1, 2, 3].flatMap((n) => [`start ${String(n)}`, `end ${String(n)}`]));
    },
  },
  {
    title: "R4 a cell that fails does not hold up the next",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const [bad, good] = await Promise.all([runtime.execute("throw new Error('no')"), runtime.execute("1")]);
      expect([bad.ok, good.ok]).toEqual([false, true]);
    },
  },
  {
    title: "R4 more waiting cells than the limit are refused as Overloaded",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open({ limits: { queuedCells: 2 } });
      const taken = [1, 2, 3].map((n) => runtime.execute(`await null; ${String(n)}`));
      await expect(runtime.execute("4")).rejects.toMatchObject({ code: "Overloaded", retryable: true });
      expect((await Promise.all(taken)).map(({ value }) => value)).toEqual([1, 2, 3]);
      expect(await valueOf(runtime, "5")).toBe(5);
    },
  },
  {
    title: "R4 a name injected while a cell waits is there when it goes on",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      let release: ((value: unknown) => void) | undefined;
      await runtime.inject({
        kind: "function",
        name: "wait",
        value: () =>
          new Promise((resolve) => {
            release = resolve;
          }),
      });
      const running = runtime.execute("await wait(); typeof arrived");
      await untilCalled(() => release !== undefined);
      await runtime.inject({ kind: "variable", name: "arrived", value: 1 });
      release?.(undefined);
      expect((await running).value).toBe("number");
    },
  },
  {
    title: "cancel: a signal that was aborted before runs nothing",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const { ok, error } = await runtime.execute("globalThis.ran = 1", { signal: AbortSignal.abort("not wanted") });
      expect(ok).toBe(false);
      expect(error).toMatchObject({ code: "Cancelled" });
      expect(error?.message).toMatch(/not wanted/);
      expect(await valueOf(runtime, "typeof ran")).toBe("undefined");
    },
  },
  {
    title: "cancel: a signal ends a cell that waits for ever, and the next cell runs with the state it left",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const controller = new AbortController();
      await runtime.inject({
        kind: "function",
        name: "reached",
        value: () => {
          controller.abort();
        },
      });
      const { error, diff } = await runtime.execute("let half = 1; await reached(); await new Promise(() => {}); half = 2", {
        signal: controller.signal,
      });
      expect(error).toMatchObject({ code: "Cancelled", name: "Cancelled" });
      expect(diff.added.map(({ name }) => name)).toEqual(["half"]);
      expect(await valueOf(runtime, "half")).toBe(1);
    },
  },
  {
    title: "cancel: a cell cancelled while it waits for its turn never runs, and the others do",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const controller = new AbortController();
      await runCells(runtime, "const seen = []");
      const [first, second, third] = [
        runtime.execute("await null; seen.push(1)"),
        runtime.execute("seen.push(2)", { signal: controller.signal }),
        runtime.execute("seen.push(3)"),
      ];
      controller.abort();
      expect((await second).error).toMatchObject({ code: "Cancelled" });
      await Promise.all([first, third]);
      expect(await runtime.retrieve("seen")).toEqual([1, 3]);
    },
  },
  {
    title: "cancel: aborting after the end has no effect",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const controller = new AbortController();
      expect((await runtime.execute("1", { signal: controller.signal })).ok).toBe(true);
      controller.abort();
      expect(await valueOf(runtime, "2")).toBe(2);
    },
  },
  {
    title: "interrupt: without a running cell it says idle and changes nothing",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await runtime.interrupt()).toBe("idle");
      expect(await valueOf(runtime, "1")).toBe(1);
      expect(await runtime.interrupt()).toBe("idle");
      expect(await valueOf(runtime, "2")).toBe(2);
    },
  },
  {
    title: "interrupt: twice during a cell stops that one, and the one behind it runs",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const reached = new Promise<void>((resolve) => {
        void runtime.inject({
          kind: "function",
          name: "reached",
          value: () => {
            resolve();
          },
        });
      });
      const stuck = runtime.execute("await reached(); await new Promise(() => {})");
      const behind = runtime.execute("'ran'");
      await reached;
      const answers = await Promise.all([runtime.interrupt("enough"), runtime.interrupt("enough")]);
      expect(answers[0]).toBe("interrupted");
      expect((await stuck).error).toMatchObject({ code: "Cancelled" });
      expect((await stuck).error?.message).toMatch(/enough/);
      expect((await behind).value).toBe("ran");
    },
  },
  {
    title: "deadline: a runtime that is not preemptible refuses one, and says what it needs",
    kinds: ["inline"],
    run: async (open) => {
      const runtime = await open();
      expect(runtime.preemptible).toBe(false);
      await expect(runtime.execute("1", { timeoutMs: 1_000 })).rejects.toThrow(/timeoutMs.*guard/);
      expect((await runCells(runtime, "1")).cell).toBe(1);
    },
  },
  {
    title: "R5 reset waits for the running cell",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const running = runtime.execute("let made = 1; await null; await null; made = 2; made");
      await runtime.reset();
      expect((await running).value).toBe(2);
      expect(runtime.has("made")).toBe(false);
    },
  },
  {
    title: "R8 close lets the running cell end and refuses those that wait",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const running = runtime.execute("await null; await null; 'done'");
      const waiting = runtime.execute("2");
      const refused = expect(waiting).rejects.toMatchObject({ code: "RuntimeStopped" });
      await runtime.close();
      expect((await running).value).toBe("done");
      await refused;
    },
  },
  {
    title: "R8 close ends a cell that waits for ever once the grace is over",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open({ closeGraceMs: 20 });
      const running = runtime.execute("await new Promise(() => {})");
      await runtime.close();
      expect((await running).error).toMatchObject({ code: "Cancelled" });
    },
  },
  {
    title: "R8 after close every operation throws RuntimeStopped, and closing again does not",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runtime.inject({ kind: "variable", name: "x", value: 1 });
      await errorOf(runtime, "nothing");
      await runtime.close();
      const stopped = { code: "RuntimeStopped" };
      await expect(runtime.execute("1")).rejects.toMatchObject(stopped);
      await expect(runtime.inject({ kind: "variable", name: "y", value: 1 })).rejects.toMatchObject(stopped);
      await expect(runtime.retrieve("x")).rejects.toMatchObject(stopped);
      await expect(runtime.bindUnique("_output", 1)).rejects.toMatchObject(stopped);
      await expect(runtime.interrupt()).rejects.toMatchObject(stopped);
      await expect(runtime.reset()).rejects.toMatchObject(stopped);
      expect(() => runtime.has("x")).toThrow(expect.objectContaining(stopped));
      expect(() => runtime.describe()).toThrow(expect.objectContaining(stopped));
      await runtime.close();
      await runtime[Symbol.asyncDispose]();
    },
  },
];

/** Lets the event loop turn until `reached`; cells reach their first await within a few turns. */
async function untilCalled(reached: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !reached(); turn += 1)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}
