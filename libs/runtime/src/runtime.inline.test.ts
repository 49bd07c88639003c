import { createSimulatedClock } from "@karst/events";
import { describe, expect, it } from "vitest";
import { errorOf, runCells, untilResult, valueOf } from "./contract-case.ts";
import { createInlineRuntime } from "./runtime.inline.ts";

const megabytes = (count: number): object => ({
  rows: Array.from({ length: count * 1_000 }, (_, id) => ({ id, text: "x".repeat(1_000) })),
});

describe("inline runtime: options", () => {
  it.each([1_000, 0, -1, Infinity])("refuses a deadline of %d at construction and says that it takes a guard", (timeoutMs) => {
    expect(() => createInlineRuntime({ timeoutMs })).toThrow(/timeoutMs.*guard/);
  });

  it("refuses a limit that makes no sense", () => {
    expect(() => createInlineRuntime({ limits: { outputChars: 0 } })).toThrow(expect.objectContaining({ code: "InvalidConfig" }));
  });
});

describe("inline runtime: zero copy", () => {
  it("injects 100 MB in a millisecond, without a look at it, and cells get the very object", async () => {
    await using runtime = createInlineRuntime();
    const data = megabytes(100);
    const tookMs: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const startedMs = performance.now();
      await runtime.inject({ kind: "variable", name: "data", value: data });
      tookMs.push(performance.now() - startedMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(1);
    expect(await valueOf(runtime, "data.rows.length")).toBe(100_000);
    expect(await runtime.retrieve("data")).toBe(data);
  });

  it("reads no property of what is injected", async () => {
    await using runtime = createInlineRuntime();
    const read: PropertyKey[] = [];
    const watched = new Proxy(
      {},
      {
        get: (_, key) => void read.push(key),
        ownKeys: () => (read.push("keys"), []),
        getPrototypeOf: () => (read.push("prototype"), null),
      },
    );
    await runtime.inject({ kind: "variable", name: "watched", value: watched });
    await runCells(runtime, "1");
    expect(read).toEqual([]);
  });
});

describe("inline runtime: the realm", () => {
  it("keeps what cells set on globalThis from the host, and lets them use the host's own", async () => {
    await using runtime = createInlineRuntime();
    expect(
      await valueOf(
        runtime,
        "globalThis.own = 1; globalThis.Array === Array && new URL('http://x/y').pathname === '/y' && typeof structuredClone",
      ),
    ).toBe("function");
    expect(await valueOf(runtime, "global === globalThis && Object.keys(globalThis).join()")).toBe("own");
    expect(await valueOf(runtime, "globalThis.Math = { floor: () => 'mine' }; Math.floor(1)", "Math.floor(2)")).toBe("mine");
    expect(await valueOf(runtime, "delete globalThis.Math; Math.floor(1.5)")).toBe(1);
    expect(Math.floor(1.5)).toBe(1);
    expect("own" in globalThis).toBe(false);
  });

  it("sees a global that the host adds later", async () => {
    await using runtime = createInlineRuntime();
    expect(await valueOf(runtime, "typeof lateGlobal")).toBe("undefined");
    Object.assign(globalThis, { lateGlobal: 5 });
    try {
      expect(await valueOf(runtime, "lateGlobal")).toBe(5);
    } finally {
      Reflect.deleteProperty(globalThis, "lateGlobal");
    }
  });

  it("gives cells the modules it was given as objects, and asks the hook for others", async () => {
    const asked: string[] = [];
    await using runtime = createInlineRuntime({
      modules: { shapes: { area: (w: number) => w * w } },
      imports: (specifier) => {
        asked.push(specifier);
        return specifier === "found" ? { default: 7 } : undefined;
      },
    });
    expect(await valueOf(runtime, "import { area } from 'shapes'; import seven from 'found'; area(3) + seven")).toBe(16);
    expect((await errorOf(runtime, "import 'lost'")).message).toMatch(/lost.*shapes/);
    expect(asked).toEqual(["found", "lost"]);
  });

  it("shows the import in the cell when it refuses a module", async () => {
    await using runtime = createInlineRuntime();
    const { report, line } = await errorOf(runtime, "const a = 1\nconst fs = await import('fs')");
    expect(line).toBe(2);
    expect(report).toMatch(/no modules are provided[\s\S]*cell 1, line 2/);
  });

  it("keeps the cell's line of an error thrown deep in host code", async () => {
    await using runtime = createInlineRuntime();
    const deep = (n: number): never => {
      if (n > 0) deep(n - 1);
      throw new TypeError("deep down");
    };
    await runtime.inject({ kind: "function", name: "deep", value: deep });
    expect(await errorOf(runtime, "const a = 1\ndeep(30)")).toMatchObject({ name: "TypeError", line: 2 });
    expect(Error.stackTraceLimit).toBeLessThan(64);
  });

  it("tells a syntax that the engine lacks as a syntax error of the cell", async () => {
    await using runtime = createInlineRuntime();
    const { error, ok } = await runtime.execute("using res = { [Symbol.dispose ?? 'x']() {} }");
    if (!ok) expect(error).toMatchObject({ code: "CellSyntax", line: 1 });
    expect(await valueOf(runtime, "1")).toBe(1);
  });
});

describe("inline runtime: timers", () => {
  it("runs, repeats and clears timers of cells", async () => {
    await using runtime = createInlineRuntime();
    const code = `let ticks = 0
const done = new Promise((resolve) => {
  const interval = setInterval((by) => { ticks += by; if (ticks === 4) { clearInterval(interval); resolve() } }, 1, 2)
})
const never = setTimeout(() => { ticks = 99 }, 1)
clearTimeout(never); clearTimeout(undefined); clearTimeout(987654321)
const byNumber = setTimeout(() => { ticks = 98 }, 1)
clearTimeout(Number(byNumber))
await done
await new Promise((resolve) => setImmediate(resolve))
ticks`;
    expect(await valueOf(runtime, code)).toBe(4);
    expect((await errorOf(runtime, "setTimeout('alert(1)')")).name).toBe("TypeError");
    expect((await errorOf(runtime, "queueMicrotask(1)")).name).toBe("TypeError");
    await runCells(
      runtime,
      "const immediate = setImmediate(() => { ticks = 97 }); clearImmediate(immediate)",
      "await new Promise((resolve) => setImmediate(resolve))",
    );
    expect(await runtime.retrieve("ticks")).toBe(4);
  });

  it("clears them on reset and on close", async () => {
    const fired: string[] = [];
    await using runtime = createInlineRuntime();
    await runtime.inject({ kind: "function", name: "fire", value: (what: string) => fired.push(what) });
    await runCells(runtime, "setInterval(() => fire('before reset'), 1)");
    await runtime.reset();
    fired.length = 0;
    await runCells(runtime, "await new Promise((resolve) => setTimeout(resolve, 10))");
    expect(fired).toEqual([]);
    const closing = createInlineRuntime();
    await closing.inject({ kind: "function", name: "fire", value: (what: string) => fired.push(what) });
    await runCells(closing, "setInterval(() => fire('before close'), 1); setTimeout(() => fire('late'), 1)");
    await closing.close();
    fired.length = 0;
    await runCells(runtime, "await new Promise((resolve) => setTimeout(resolve, 10))");
    expect(fired).toEqual([]);
  });

  it("refuses more timers than the limit, in the cell", async () => {
    await using runtime = createInlineRuntime({ limits: { timers: 3 } });
    expect(await errorOf(runtime, "for (let i = 0; i < 5; i++) setTimeout(() => {}, 10_000)")).toMatchObject({
      name: "RuntimeOverloadedError",
    });
    await runtime.reset();
    expect(await valueOf(runtime, "await new Promise((resolve) => setTimeout(() => resolve('free again'), 1))")).toBe("free again");
  });
});

describe("inline runtime: cells that are stopped", () => {
  it("clears the timers of an abandoned cell, lets it go on when what it awaited comes, and tells what it does then as late", async () => {
    await using runtime = createInlineRuntime();
    let release: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await runtime.inject({ kind: "function", name: "gate", value: () => (reached?.(), opened) });
    const stopped = runtime.execute(
      "let step = 1; const ticking = setInterval(() => { step = 99 }, 1); await gate(); step = 2; console.log('went on'); throw new Error('after the end')",
    );
    await waiting;
    expect(await runtime.interrupt()).toBe("interrupted");
    const { cell, error } = await stopped;
    expect(error).toMatchObject({ code: "Cancelled" });
    await runCells(runtime, "step = 1; await new Promise((resolve) => setTimeout(resolve, 5))");
    expect(await runtime.retrieve("step")).toBe(1);
    release?.();
    const late = await untilResult(runtime, (result) => (result.background.length > 0 ? result : undefined));
    expect(late.late).toEqual([{ cell, text: "went on\n" }]);
    expect(late.background[0]).toMatchObject({ cell, message: "after the end" });
    expect(await runtime.retrieve("step")).toBe(2);
  });

  it("keeps an abandoned cell from the names after a reset", async () => {
    await using runtime = createInlineRuntime();
    let release: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    const controller = new AbortController();
    await runtime.inject({ kind: "function", name: "gate", value: () => (controller.abort(), opened) });
    await runtime.execute("let zombie = 1; await gate(); zombie = 2; console.log('still here')", { signal: controller.signal });
    await runtime.reset();
    release?.();
    await untilResult(runtime, (result) => result.late[0]);
    expect(runtime.has("zombie")).toBe(false);
  });

  it("waits for a running cell on close as long as the clock says", async () => {
    const clock = createSimulatedClock();
    const runtime = createInlineRuntime({ clock, closeGraceMs: 1_000 });
    const running = runtime.execute("await new Promise(() => {})");
    const closing = runtime.close();
    clock.advance(999);
    let ended = false;
    void running.then(() => {
      ended = true;
    });
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    expect(ended).toBe(false);
    clock.advance(1);
    expect((await running).error).toMatchObject({ code: "Cancelled", message: expect.stringMatching(/closing/) as string });
    await closing;
    expect(clock.pending).toBe(0);
  });
});

describe("inline runtime: output without a context of its own", () => {
  it("goes to the cell that ran last when the host calls a cell's function", async () => {
    await using runtime = createInlineRuntime();
    const { cell } = await runCells(runtime, "globalThis.unused = 0; function report() { console.log('called by the host') } 1");
    const report = (await runtime.retrieve("report")) as () => void;
    report();
    expect((await runCells(runtime, "1")).late).toEqual([{ cell, text: "called by the host\n" }]);
  });

  it("of a runtime inside a cell of another goes to the inner one", async () => {
    await using outer = createInlineRuntime();
    await using inner = createInlineRuntime();
    const results: string[] = [];
    await outer.inject({ kind: "function", name: "delegate", value: async () => { results.push((await inner.execute("console.log('inner'); Promise.reject(new Error('inner lost')); 1")).background[0]?.message ?? ""); } }); // prettier-ignore
    const { output, background } = await runCells(outer, "await delegate(); console.log('outer')");
    expect([output, background, results]).toEqual(["outer\n", [], ["inner lost"]]);
  });

  it("goes to the runtime whose console it is, also when a cell of another one calls", async () => {
    await using outer = createInlineRuntime();
    await using inner = createInlineRuntime();
    const { cell } = await runCells(outer, "function say() { console.log('by the outer') } 1");
    await inner.inject({ kind: "function", name: "say", value: await outer.retrieve("say") });
    expect((await runCells(inner, "say()")).output).toBe("");
    expect((await runCells(outer, "1")).late).toEqual([{ cell, text: "by the outer\n" }]);
  });

  it("prints errors with the cell's own lines", async () => {
    await using runtime = createInlineRuntime();
    const { output } = await runCells(runtime, "try { null.x } catch (error) { console.log(error) }");
    expect(output).toMatch(/^TypeError: Cannot read[^\n]*\n\s+at \(cell 1, line 1, col \d+\)/);
    expect(output).not.toMatch(/node:|\.ts/);
  });
});
