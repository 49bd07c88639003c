import type { RuntimeLimits } from "./limits.ts";
import type { CellError, CellResult, Runtime, RuntimeKind } from "./runtime.ts";
import { CellContractError } from "./errors.ts";

/** What a case may ask of the runtime it gets. */
export interface ContractRuntimeOptions {
  readonly limits?: Partial<RuntimeLimits>;
  /** Modules of Node that cells may import, by the specifier they write. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly closeGraceMs?: number;
}

/** Makes a fresh runtime; the suite closes it. */
export type MakeRuntime = (options?: ContractRuntimeOptions) => Runtime | Promise<Runtime>;

export interface ContractOptions {
  readonly kind: RuntimeKind;
  /** Cases that this implementation does not pass yet, by title. A title that the suite lacks fails. */
  readonly skip?: readonly { readonly reason: string; readonly tests: readonly string[] }[];
}

/** One sentence about behaviour, and the kinds of runtime it holds for. */
export interface ContractCase {
  /** Starts with the id of the sentence or row it tests. */
  readonly title: string;
  readonly kinds: readonly RuntimeKind[];
  readonly run: (open: (options?: ContractRuntimeOptions) => Promise<Runtime>) => Promise<void>;
}

export const ALL: readonly RuntimeKind[] = ["sandbox", "process", "inline"];
/** Kinds whose cells have Node's own globals. */
export const ON_NODE: readonly RuntimeKind[] = ["process", "inline"];
/** Kinds whose cells get the host's own objects. */
export const BY_REFERENCE: readonly RuntimeKind[] = ["inline"];

/** Runs cells one after the other, each of which must end well; gives the last result. */
export async function runCells(runtime: Runtime, ...cells: readonly [string, ...string[]]): Promise<CellResult> {
  let last: CellResult | undefined;
  for (const code of cells) {
    last = await runtime.execute(code);
    if (!last.ok) throw new CellContractError(code, last.error?.report ?? "it ended badly without an error");
  }
  // There is at least one cell.
  return last as CellResult;
}

/** The value of the last of these cells. */
export async function valueOf(runtime: Runtime, ...cells: readonly [string, ...string[]]): Promise<unknown> {
  return (await runCells(runtime, ...cells)).value;
}

/** The error of a cell that must fail. */
export async function errorOf(runtime: Runtime, code: string): Promise<CellError> {
  const { error } = await runtime.execute(code);
  if (error === undefined) throw new CellContractError(code, "it was to fail, and did not");
  return error;
}

/** Runs small cells until `found` finds something in a result: how a test waits for what comes late. */
export async function untilResult<T>(runtime: Runtime, found: (result: CellResult) => T | undefined): Promise<T> {
  const deadline = performance.now() + 5_000;
  while (performance.now() < deadline) {
    const hit = found(await runCells(runtime, "await new Promise((resolve) => setTimeout(resolve, 2))"));
    if (hit !== undefined) return hit;
  }
  throw new CellContractError("", "what was to come late did not come within 5 s");
}
