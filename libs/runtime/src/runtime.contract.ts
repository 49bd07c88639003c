import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ContractCase, ContractOptions, MakeRuntime } from "./contract-case.ts";
import type { Runtime } from "./runtime.ts";
import { cellCases } from "./runtime-cells.contract.ts";
import { describeCases } from "./runtime-describe.contract.ts";
import { errorCases } from "./runtime-errors.contract.ts";
import { lifeCases } from "./runtime-life.contract.ts";
import { nameCases } from "./runtime-names.contract.ts";
import { outputCases } from "./runtime-output.contract.ts";
import { uniqueNameCases } from "./runtime-unique-names.contract.ts";

/** Every case, of every kind. Each sentence R1 to R8 of the port has at least one. */
const CASES: readonly ContractCase[] = [
  ...cellCases,
  ...nameCases,
  ...uniqueNameCases,
  ...outputCases,
  ...errorCases,
  ...lifeCases,
  ...describeCases,
];

/** Runs the contract of the port `Runtime` on what `make` makes; cases for other kinds are left out. */
export function runtimeContract(name: string, make: MakeRuntime, { kind, skip = [] }: ContractOptions): void {
  describe(`runtime contract: ${name}`, () => {
    const opened: Runtime[] = [];
    let host = {};
    beforeEach(() => {
      host = hostState();
    });
    afterEach(async () => {
      for (const runtime of opened.splice(0)) await runtime.close();
      expect(hostState()).toEqual(host);
    });
    const mine = CASES.filter(({ kinds }) => kinds.includes(kind));

    it("every skipped test is one of this suite, and there is a reason", () => {
      const titles = new Set(mine.map(({ title }) => title));
      for (const { reason, tests } of skip) {
        expect(reason).not.toBe("");
        expect(tests.filter((title) => !titles.has(title))).toEqual([]);
      }
    });

    it("every title stands once", () => {
      expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
    });

    for (const { title, run } of mine) {
      const skipped = skip.find(({ tests }) => tests.includes(title));
      it(title, async (context) => {
        if (skipped !== undefined) context.skip(skipped.reason);
        await run(async (options) => {
          const runtime = await make(options);
          opened.push(runtime);
          return runtime;
        });
      });
    }
  });
}

/** What a runtime may touch of the process that hosts it, and must leave as it was. */
function hostState(): object {
  return {
    emit: Object.hasOwn(process, "emit"),
    listeners: ["uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM", "exit"].map((event) => process.listenerCount(event)),
    globals: Object.getOwnPropertyNames(globalThis).length,
    stackTraceLimit: Error.stackTraceLimit,
  };
}
