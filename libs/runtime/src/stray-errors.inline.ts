import { runningCell } from "./running-cell.inline.ts";

/** A runtime, to the watch over stray errors. */
export interface StraySink {
  /** Whether this runtime has run cell `cell`; asked when an error has lost its context and only its stack names a cell. */
  hasCell(cell: number): boolean;
  stray(cell: number, error: unknown, promise: unknown): void;
  /** A promise reported as rejected got a handler after all. */
  handled(promise: unknown): void;
}

interface Watch {
  readonly sinks: Set<StraySink>;
  /** Makes `process.emit` what it was before. */
  readonly restore: () => void;
}

const WATCH = Symbol.for("karst.runtime.stray-errors");

type Emit = typeof process.emit;

/**
 * Keeps errors that cells left behind (rejected promises nobody awaited, throws in callbacks) from ending the process, while at least one
 * watcher is there; the returned function ends the watch of `sink`.
 *
 * E1. An error whose asynchronous context is a cell goes to that cell, and to nobody else: neither Node's default nor a listener of the
 *     host, which may well end the process, sees it. A listener could not do that, so it is `process.emit` that is wrapped.
 * E2. Every other error takes the way it would take without us: to the host's listeners, or to Node's default.
 * E3. Without watchers `process.emit` is what it was. The wrapper and its watchers live on `process`, which they are about.
 */
export function watchStrayErrors(sink: StraySink): () => void {
  const watch = watchNow() ?? install();
  watch.sinks.add(sink);
  return () => {
    watch.sinks.delete(sink);
    if (watch.sinks.size === 0 && watchNow() === watch) watch.restore();
  };
}

/** `process.emit`, to be called on `process` or put back. */
const emitNow = (): Emit & { readonly [WATCH]?: Watch } => Reflect.get<NodeJS.Process, "emit">(process, "emit"); // its mark is set by install alone

const watchNow = (): Watch | undefined => emitNow()[WATCH];

function install(): Watch {
  const own = Object.getOwnPropertyDescriptor(process, "emit");
  const original = emitNow();
  const sinks = new Set<StraySink>();
  /** Rejected promises of cells. */
  const claimed = new WeakSet();
  const emit = function (this: NodeJS.Process, ...event: unknown[]): boolean {
    const [name, first, second] = event;
    if (name === "uncaughtException" && claim(sinks, first, undefined)) return true;
    if (name === "unhandledRejection" && claim(sinks, first, second)) {
      claimed.add(second as object); // a promise: Node's documentation of the event
      return true;
    }
    if (name === "rejectionHandled" && claimed.delete(first as object)) {
      for (const sink of sinks) sink.handled(first);
      return true;
    }
    return Boolean(Reflect.apply(original, this, event));
  };
  const restore = (): void => {
    if (own === undefined) Reflect.deleteProperty(process, "emit");
    else Object.defineProperty(process, "emit", own);
  };
  const watch: Watch = { sinks, restore };
  // The overloads of `emit` all take a name and what belongs to it; it is passed on as it came.
  process.emit = Object.assign(emit, { [WATCH]: watch }) as unknown as Emit;
  return watch;
}

function claim(sinks: ReadonlySet<StraySink>, error: unknown, promise: unknown): boolean {
  const context = runningCell.getStore();
  if (context !== undefined) {
    context.stray(error, promise);
    return true;
  }
  const cell = cellInStack(error);
  if (cell === undefined) return false;
  const sink = [...sinks].reverse().find((each) => each.hasCell(cell));
  sink?.stray(cell, error, promise);
  return sink !== undefined;
}

/** The cell that threw, for the few errors without context (`queueMicrotask` of the host on Node 20 and 22): its file name in the first frame. */
function cellInStack(error: unknown): number | undefined {
  if (!(error instanceof Error) || typeof error.stack !== "string") return undefined;
  const frame = error.stack.split("\n").find((line) => /^\s+at /.test(line));
  const match = frame?.match(/\bcell:(\d+):\d+:\d+\)?$/);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
