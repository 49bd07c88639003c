import type { Node } from "./cell-ast.ts";
import type { Rewriting } from "./cell-context.ts";
import type { Scope } from "./cell-names.ts";

/**
 * The interrupt checks of guarded cells. A plain read of the flag, not `Atomics.load`: optimised code sees it on every engine tried, at a
 * sixth of the cost (measured).
 */

/** A statement that checks, or nothing in an unguarded cell. */
export function guardStatement(rewriting: Rewriting): string {
  if (!rewriting.guard) return "";
  const { flag, hooks } = rewriting.generated;
  return `if(${flag}[0])${hooks}.k();`;
}

/** The start of an expression body that checks first; it must be closed by `)`. */
export function guardExpressionOpener(rewriting: Rewriting): string {
  const { flag, hooks } = rewriting.generated;
  return `(${flag}[0]?${hooks}.k():0,`;
}

/** Visits the body of a loop, with a check at each turn. */
export function visitLoopBody(rewriting: Rewriting, body: Node, scope: Scope): void {
  if (!rewriting.guard) rewriting.visit(body, scope);
  else if (body.type === "BlockStatement") {
    rewriting.edits.insert(body.start + 1, guardStatement(rewriting));
    rewriting.visit(body, scope);
  } else {
    rewriting.edits.insert(body.start, `{${guardStatement(rewriting)}`);
    rewriting.visit(body, scope);
    rewriting.edits.insert(body.end, "}");
  }
}

/** Visits an expression whose value is waited for: through the hook `name` in guarded cells, so that an interrupt ends the wait. */
export function visitAwaited(rewriting: Rewriting, node: Node, scope: Scope, name: "a" | "i"): void {
  if (rewriting.guard) rewriting.edits.insert(node.start, ` ${rewriting.generated.hooks}.${name}(`); // `await(x)`: the blank keeps the words apart
  rewriting.visit(node, scope);
  if (rewriting.guard) rewriting.edits.insert(node.end, ")");
}
