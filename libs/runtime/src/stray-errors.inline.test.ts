import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Runs a module in a process of its own, where `createInlineRuntime` is at hand, and gives how it ended. */
function inOwnProcess(code: string): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const module = `import { createInlineRuntime } from ${JSON.stringify(new URL("./runtime.inline.ts", import.meta.url).href)};\n${code}`;
  const parameters = ["--conditions=karst-source", "--import", "tsx", "--input-type=module", "--eval", module];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      parameters,
      { cwd: fileURLToPath(new URL("../../..", import.meta.url)), timeout: 20_000 },
      (error, stdout, stderr) => {
        resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, stdout, stderr });
      },
    );
  });
}

describe("stray errors and the process", { timeout: 30_000 }, () => {
  it("an error of a cell does not reach listeners of the host that would end the process", async () => {
    const { exitCode, stdout } = await inOwnProcess(`
      process.on("uncaughtException", () => process.exit(9));
      process.on("unhandledRejection", () => process.exit(8));
      const runtime = createInlineRuntime({ modules: { "node:events": "node:events" } });
      await runtime.execute("import { EventEmitter } from 'node:events'; setTimeout(() => new EventEmitter().emit('error', new Error('event')), 1)");
      const seen = [];
      seen.push(...(await runtime.execute("process0 = 1; (async () => { throw new Error('rejected') })(); 1")).background);
      while (seen.length < 2) seen.push(...(await runtime.execute("await new Promise((resolve) => setTimeout(resolve, 2))")).background);
      await runtime.close();
      console.log(seen.map(({ message }) => message).sort().join());`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "event,rejected\n" });
  });

  it("an error of the host ends the process as it would without a runtime", async () => {
    const start = `const runtime = createInlineRuntime(); await runtime.execute("1"); setTimeout(() => {}, 5_000);`;
    const [rejected, thrown, listened] = await Promise.all([
      inOwnProcess(`${start} Promise.reject(new Error("of the host"));`),
      inOwnProcess(`${start} setImmediate(() => { throw new RangeError("of the host") });`),
      inOwnProcess(
        `${start} process.on("uncaughtException", (error) => { console.log("heard", error.message); process.exit(3) }); setImmediate(() => { throw new Error("of the host") });`,
      ),
    ]);
    expect([rejected.exitCode, thrown.exitCode, listened.exitCode]).toEqual([1, 1, 3]);
    expect(rejected.stderr).toMatch(/Error: of the host/);
    expect(thrown.stderr).toMatch(/RangeError: of the host/);
    expect(listened.stdout).toBe("heard of the host\n");
  });

  it("an error that lost its context is known by the cell in its stack", async () => {
    const { exitCode, stdout } = await inOwnProcess(`
      const runtime = createInlineRuntime();
      await runtime.inject({ kind: "function", name: "later", value: (run) => globalThis.queueMicrotask(run) });
      const { cell, background } = await runtime.execute("later(() => { throw new Error('microtask') }); 1");
      const seen = [...background];
      while (seen.length < 1) seen.push(...(await runtime.execute("1")).background);
      await runtime.close();
      console.log(cell, seen[0].cell, seen[0].message);`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "1 1 microtask\n" });
  });

  it("gives process.emit back, also when another one had wrapped it", async () => {
    const { exitCode, stdout } = await inOwnProcess(`
      const before = Object.hasOwn(process, "emit");
      const [a, b] = [createInlineRuntime(), createInlineRuntime()];
      const fresh = Object.hasOwn(process, "emit");
      await a.execute("1"); await b.execute("1"); await a.close();
      const during = Object.hasOwn(process, "emit");
      await b.close();
      const after = Object.hasOwn(process, "emit");
      const theirs = function (...event) { return Reflect.apply(Object.getPrototypeOf(process).emit, this, event) };
      process.emit = theirs;
      const c = createInlineRuntime(); await c.execute("1"); await c.close();
      console.log(before, fresh, during, after, process.emit === theirs);`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "false false true false true\n" });
  });
});
