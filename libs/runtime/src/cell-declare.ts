import { ownName } from "./cell-ast.ts";
import type { ClassNode, EnumNode, FunctionNode, VariableNode } from "./cell-ast.ts";
import { reference, terminate } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { visitClass } from "./cell-class.ts";
import { visitEnum } from "./cell-enum.ts";
import { visitFunction } from "./cell-function.ts";
import { boundNames, isTopLevelName } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { visitNamed, visitTarget } from "./cell-pattern.ts";
import { eraseMark } from "./cell-types.ts";

/** Where a variable declaration stands. In the head of a loop it ends without `;`, and in for-in and for-of it has no value of its own. */
export type DeclarationPlace = "statement" | "for" | "for-each";

/** `let`, `const`, `var`, `using`, at the top level or below. */
export function visitVariables(rewriting: Rewriting, node: VariableNode, scope: Scope, place: DeclarationPlace): void {
  const { edits } = rewriting;
  if (node.declare === true) {
    edits.erase(node.start, node.end, ";");
    return;
  }
  for (const { id, definite } of node.declarations) {
    // With a type the mark goes with it; without one the parser does not count it to the name.
    if (definite === true && id.type === "Identifier" && (id.typeAnnotation === null || id.typeAnnotation === undefined))
      eraseMark(rewriting, id.end);
  }
  if (node.kind === "using" || node.kind === "await using") rewriting.usingOffset ??= node.start;
  if (isOnScopeObject(node, scope)) assignVariables(rewriting, node, scope, place);
  else {
    for (const { id, init } of node.declarations) {
      visitTarget(rewriting, id, scope, "declare");
      if (init !== null) rewriting.visit(init, scope);
    }
  }
  if (place === "statement") terminate(rewriting, node);
  if (place === "statement" && node.kind === "const" && isOnScopeObject(node, scope))
    edits.insert(
      node.end,
      sealed(
        rewriting,
        node.declarations.flatMap(({ id }) => boundNames(id)),
      ),
    );
}

/** Whether a declaration becomes assignments. One that binds no name at all (`const {} = x`) stays as it is. */
function isOnScopeObject(node: VariableNode, scope: Scope): boolean {
  return node.declarations.flatMap(({ id }) => boundNames(id)).some((name) => isTopLevelName(scope, name));
}

/** `const a = 1, {b} = c` becomes `$k$.a = 1, ({b: $k$.b} = c)`. */
function assignVariables(rewriting: Rewriting, node: VariableNode, scope: Scope, place: DeclarationPlace): void {
  const { edits } = rewriting;
  edits.replace(node.start, node.start + node.kind.length, "");
  for (const declarator of node.declarations) {
    const { id, init } = declarator;
    const isPattern = id.type !== "Identifier";
    if (isPattern && place !== "for-each") edits.insert(id.start, "(");
    // `var x;` leaves x as it is; a comma list needs an expression there all the same.
    if (node.kind === "var" && init === null && place !== "for-each") edits.insert(id.start, "void ");
    visitTarget(rewriting, id, scope, "declare");
    if (init !== null) visitNamed(rewriting, id, init, scope);
    else if (node.kind !== "var" && place !== "for-each") edits.insert(declarator.end, "=void 0");
    if (isPattern && place !== "for-each") edits.insert(declarator.end, ")");
  }
}

/** What makes names constants, after the statement that gave them values. */
export function sealed(rewriting: Rewriting, names: readonly string[]): string {
  return names.length === 0 ? "" : `${rewriting.generated.hooks}.s(${names.map((name) => JSON.stringify(name)).join(",")});`;
}

/** A function of the top level: it stays where it is, and is on the scope object before the first line runs. */
export function visitTopFunction(rewriting: Rewriting, node: FunctionNode, scope: Scope): void {
  for (const name of ownName(node)) rewriting.edits.head(`${reference(rewriting, name)}=${name};`, node.start);
  visitFunction(rewriting, node, scope);
}

/** A class of the top level: a class expression, assigned where it stands. */
export function visitTopClass(rewriting: Rewriting, node: ClassNode, scope: Scope): void {
  if (node.declare === true) {
    rewriting.edits.erase(node.start, node.end, ";");
    return;
  }
  for (const name of ownName(node)) rewriting.edits.insert(node.start, `${reference(rewriting, name)}=`);
  visitClass(rewriting, node, scope);
  rewriting.edits.insert(node.end, ";");
}

/** An enum, at the top level or below; `seen` holds the enums of its scope so far, which it extends. */
export function visitEnumDeclaration(rewriting: Rewriting, node: EnumNode, scope: Scope, seen: Set<string>): void {
  if (node.declare === true) {
    rewriting.edits.erase(node.start, node.end, ";");
    return;
  }
  const { name } = node.id;
  const isTop = isTopLevelName(scope, name);
  const target = isTop ? reference(rewriting, name) : name;
  const isFirst = !seen.has(name);
  seen.add(name);
  // The name is set when the members are there, so that a failing member leaves the old one; inside a function its scope needs it first.
  if (isTop) visitEnum(rewriting, node, scope, `{const ${name}=${isFirst ? "{}" : target};`, `${target}=${name};}`);
  else visitEnum(rewriting, node, scope, isFirst ? `let ${name}={};{` : "{", "}");
}
