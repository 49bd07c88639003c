import { afterEach, beforeEach, describe } from "vitest";
import type { TransportCase, TransportFixture } from "./testing/transport-case.ts";
import { describeCalls } from "./transport-calls.contract.ts";
import { describeLife } from "./transport-life.contract.ts";

/** The sentences T1 to T9 of `Transport`, and those of its methods. */
export function transportContract(name: string, make: () => Promise<TransportFixture>): void {
  describe(`transport contract: ${name}`, () => {
    const its = {} as TransportCase; // filled before each test
    beforeEach(async () => {
      its.fixture = await make();
      its.a = await its.fixture.node();
      its.b = await its.fixture.node();
    });
    afterEach(async () => {
      await its.fixture[Symbol.asyncDispose]();
    });
    describeCalls(its);
    describeLife(its);
  });
}
