import type { z } from "zod";

/**
 * The JavaScript realm that one agent owns: names that live between cells, and the code that works on them.
 *
 * R1. Names persist between cells; `let`, `const`, `class` and functions can be declared again in a later cell.
 * R2. One name table for variables, functions, types, handles and hidden bindings; a collision is an error that names both owners.
 * R3. A batch is injected whole or not at all.
 * R4. One cell at a time, in the order asked; a failed cell keeps what it had assigned.
 * R5. `reset` drops what cells made and restores what was injected.
 * R6. Output is captured per cell, in order, capped at `limits.outputChars`; late output is attributed to its cell.
 * R7. Errors in a cell are a result, never a throw, and show only the cell's own frames, with line, column and source.
 * R8. After `close()` every operation throws `RuntimeStopped`, and nothing is left behind.
 */
export interface Runtime extends AsyncDisposable {
  readonly kind: RuntimeKind;
  /** Whether a deadline can stop a cell that never yields. */
  readonly preemptible: boolean;
  /**
   * Adds or updates bindings, all or none. A variable, handle or hidden binding may be injected again under its own kind: that updates it, and
   * keeps what the new binding leaves out. The value of a variable must fit its schema, unless it is undefined: not set yet. Without a schema
   * no value is walked. @throws {KarstError} `NameTaken`, `InvalidName`, `InvalidValue`.
   */
  inject(bindings: Binding | readonly Binding[]): Promise<void>;
  /**
   * The live value of a name, injected or made by a cell; a thenable comes as what it resolves to, since a promise cannot hold one.
   * @throws {KarstError} `NoSuchName`, listing the names there are, hidden ones not.
   */
  retrieve(name: string): Promise<unknown>;
  /** Whether a name is there now. */
  has(name: string): boolean;
  /** Binds `value` to `<prefix>_<n>`, the first n ≥ `start` never used before, and returns the name. Survives `reset`. */
  bindUnique(prefix: string, value: unknown, start?: number): Promise<string>;
  /** Runs one cell. Queued behind a running one. @throws {KarstError} `Overloaded` when too many wait, `InvalidConfig` for a deadline it cannot keep. */
  execute(code: string, o?: ExecuteOptions): Promise<CellResult>;
  /** What the model is shown of the injected names: TypeScript declarations. */
  describe(o?: DescribeOptions): string;
  /** Stops the running cell if there is one: its result is `Cancelled`. A runtime that is not preemptible stops it while it waits, and abandons it. */
  interrupt(reason?: string): Promise<"idle" | "interrupted">;
  /** Takes its turn as a cell does: the running cell, and those asked for before, end first. */
  reset(): Promise<void>;
  /** Refuses the cells that wait, lets the running one go on for a grace (5 s unless the kind was told otherwise), stops it, and ends. */
  close(): Promise<void>;
}

export type RuntimeKind = "sandbox" | "process" | "inline";

export type BindingKind = "variable" | "function" | "type" | "handle" | "hidden";

/** One name put into a runtime. `hidden`: usable, never shown. */
export interface Binding {
  readonly kind: BindingKind;
  readonly name: string;
  readonly value: unknown;
  readonly description?: string;
  /** TypeScript text that is shown as it is: a type for variables and handles (`{ run(task: string): Promise<string> }`), a parameter list and result for functions. */
  readonly typeText?: string;
  /** Schema of a variable or type; shown as TypeScript when there is no `typeText`. */
  readonly schema?: z.ZodType;
  /** Schemas of a function that takes one object. */
  readonly input?: z.ZodRawShape;
  readonly output?: z.ZodType;
  /** Whether a short preview of the value is shown. Default true for variables. */
  readonly preview?: boolean;
  /** How much of a host class is shown. Default `full`. */
  readonly doc?: "full" | "signatures" | "hidden";
}

export interface ExecuteOptions {
  /** Deadline of the cell. Refused at construction of a runtime that cannot keep it. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface DescribeOptions {
  readonly names?: readonly string[];
  /** Most characters returned in all. Default 20,000. */
  readonly budgetChars?: number;
}

export interface CellResult {
  /** Number of the cell in this runtime, from 1. */
  readonly cell: number;
  readonly ok: boolean;
  /** Whether the cell had a value: its last expression or a top-level `return`. */
  readonly hasValue: boolean;
  readonly value?: unknown;
  /** The value as text for the model, bounded. */
  readonly valueText?: string;
  /** True when a top-level `return` ended the cell. */
  readonly returned: boolean;
  /** What the cell printed, in order. */
  readonly output: string;
  /** Characters past the limit that were dropped. */
  readonly outputDroppedChars: number;
  /** Printed after their cell had ended, since the last result. */
  readonly late: readonly LateOutput[];
  /** Errors that no code awaited, attributed to their cell, since the last result. */
  readonly background: readonly CellError[];
  readonly error?: CellError;
  readonly durationMs: number;
  readonly diff: NamespaceDiff;
}

export interface LateOutput {
  readonly cell: number;
  readonly text: string;
}

export interface CellError {
  /** `CellSyntax`, `CellFailed`, `CellTimeout`, `Cancelled` or `PolicyViolation`. */
  readonly code: "CellSyntax" | "CellFailed" | "CellTimeout" | "Cancelled" | "PolicyViolation";
  /** Name of the thrown class, such as `TypeError`. */
  readonly name: string;
  readonly message: string;
  readonly cell: number;
  readonly line?: number;
  readonly column?: number;
  /** The report for the model: message, cell frames with source lines, causes. */
  readonly report: string;
  /** What was thrown, when it is in this realm. */
  readonly thrown?: unknown;
}

/** Names a cell added, changed or removed, with type and size. */
export interface NamespaceDiff {
  readonly added: readonly NameInfo[];
  readonly changed: readonly NameInfo[];
  readonly removed: readonly string[];
}

export interface NameInfo {
  readonly name: string;
  /** Short TypeScript-like type: `number`, `Row[]`, `Map<string, number>`, `Light`. */
  readonly type: string;
  /** Length, size or count, where the value has one. */
  readonly size?: number;
}
