import type { Node, Range } from "./cell-ast.ts";
import type { Edits } from "./cell-edits.ts";
import type { GeneratedNames, Scope } from "./cell-names.ts";

/** What the parts of the compiler share while they walk one cell. */
export interface Rewriting {
  readonly source: string;
  readonly edits: Edits;
  readonly generated: GeneratedNames;
  readonly guard: boolean;
  /** Names of the top level that may be constants when an assignment runs: declared so in this cell or held so before it. */
  readonly consts: ReadonlySet<string>;
  /** Names of the top level that the code uses. */
  readonly used: Set<string>;
  /** Identifiers that are called: they must not pass the scope object as `this`. */
  readonly callees: Set<Node>;
  /** Text to put after a statement, such as the assignments of parameter properties after `super()`. */
  readonly afterStatement: Map<Node, string>;
  /** What was erased so far: names in it may be those of types. */
  readonly erased: Range[];
  /** Enums that a scope declared so far: another of the name extends the first. */
  enumsOf(scope: Scope): Set<string>;
  /** First offset of a `using` declaration. */
  usingOffset: number | undefined;
  /** Visits an expression or statement: the one dispatcher, so that the parts need not import each other in circles. */
  visit(node: Node, scope: Scope): void;
  /** @throws {CellSyntaxError} at the start of `at`. */
  refuse(at: Range, message: string): never;
}

/** `$k$.name`, noted as used. */
export function reference(rewriting: Rewriting, name: string): string {
  rewriting.used.add(name);
  return `${rewriting.generated.scope}.${name}`;
}

/** What to assign to: a constant goes through the hook, which throws the language's own error. */
export function assignable(rewriting: Rewriting, name: string): string {
  if (!rewriting.consts.has(name)) return reference(rewriting, name);
  rewriting.used.add(name);
  return `${rewriting.generated.hooks}.c(${JSON.stringify(name)}).v`;
}

/** Ends a statement that relied on the end of its line: what follows may start with a parenthesis now (ASI). */
export function terminate(rewriting: Rewriting, statement: Range): void {
  if (rewriting.source.charAt(statement.end - 1) !== ";") rewriting.edits.insert(statement.end, ";");
}
