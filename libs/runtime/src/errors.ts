import { KarstError } from "@karst/events";

/** A name that somebody else holds; `owner` is what holds it, `wanted` what asked for it. */
export class NameTakenError extends KarstError {
  constructor(name: string, owner: string, wanted: string) {
    super("NameTaken", `the name ${JSON.stringify(name)} is taken by a ${owner}; a ${wanted} cannot have it too`, {
      data: { name, owner, wanted },
    });
  }
}

/** The most names an error lists: more would drown the message. */
const LISTED_NAMES = 50;

/** A name that is not there; the message lists the names that are. */
export class NoSuchNameError extends KarstError {
  constructor(name: string, names: readonly string[]) {
    const listed = names.slice(0, LISTED_NAMES).join(", ");
    const more = names.length > LISTED_NAMES ? `, and ${String(names.length - LISTED_NAMES)} more` : "";
    super(
      "NoSuchName",
      `there is no ${JSON.stringify(name)} here; there ${names.length === 0 ? "are no names yet" : `is: ${listed}${more}`}`,
      { data: { name, names: names.slice(0, LISTED_NAMES) } },
    );
  }
}

/** An operation on a runtime after `close()`. */
export class RuntimeStoppedError extends KarstError {
  constructor(operation: string) {
    super("RuntimeStopped", `${operation} after close: this runtime has ended`, { data: { operation } });
  }
}

/** A bound of the runtime is reached; the same request may succeed later. */
export class RuntimeOverloadedError extends KarstError {
  constructor(what: string, limit: number) {
    super("Overloaded", `${what}: the limit is ${String(limit)}`, { retryable: true, data: { what, limit } });
  }
}

/** An option that the runtime cannot keep, or that has no sense; `option` names it. */
export class InvalidRuntimeOptionError extends KarstError {
  constructor(option: string, reason: string) {
    super("InvalidConfig", `${option}: ${reason}`, { data: { option, reason } });
  }
}

/** A value that does not fit its binding: its kind or its schema. */
export class InvalidBindingError extends KarstError {
  constructor(name: string, reason: string, cause?: unknown) {
    super("InvalidValue", `${JSON.stringify(name)} cannot be injected: ${reason}`, { data: { name, reason }, cause });
  }
}

/** A module that cells may not import; the message lists those they may. Thrown at the import in the cell. */
export class ModuleRefusedError extends KarstError {
  constructor(specifier: string, modules: readonly string[]) {
    super(
      "NotFound",
      `cells cannot import ${JSON.stringify(specifier)}; ${modules.length === 0 ? "no modules are provided" : `they can import: ${modules.join(", ")}`}`,
      { data: { specifier, modules } },
    );
  }
}

/** Code that no cell can be made of; positions are from 1, `report` is what the model is shown. */
export class CellSyntaxError extends KarstError {
  readonly line: number;
  readonly column: number;
  readonly report: string;

  constructor(message: string, place: { readonly cell: number; readonly line: number; readonly column: number; readonly report: string }) {
    super("CellSyntax", message, { data: { cell: place.cell, line: place.line, column: place.column } });
    this.line = place.line;
    this.column = place.column;
    this.report = place.report;
  }
}

/** A cell of a contract suite did not do what the suite needs to go on. */
export class CellContractError extends KarstError {
  constructor(code: string, reason: string) {
    super("CellFailed", `cell ${JSON.stringify(code)}: ${reason}`, { data: { code, reason } });
  }
}
