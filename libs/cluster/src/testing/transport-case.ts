import type { CallHandler, Transport, TransportLimits } from "../transport.ts";
import { aborted } from "./calls.ts";

/** A network of nodes under test; disposing it closes them all. */
export interface TransportFixture extends AsyncDisposable {
  /** A new node that reaches the others. */
  node(limits?: Partial<TransportLimits>): Promise<Transport>;
  /** What the closed nodes left: timers, subscriptions. Empty when nothing is. */
  leftovers(): Promise<readonly string[]>;
}

/** What each test of the suite starts with: new for each. */
export interface TransportCase {
  fixture: TransportFixture;
  a: Transport;
  b: Transport;
}

export const TENANT = "acme";
export const LONG = { timeoutMs: 10_000 };
export const echo: CallHandler = (call) => Promise.resolve(call.body);
/** A handler that ends as soon as its signal aborts, as handlers should. */
export const untilAborted: CallHandler = async (call) => {
  throw (await aborted(call.signal)) as Error; // the transport's reasons are errors
};
