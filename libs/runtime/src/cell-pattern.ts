import { bare, ownName } from "./cell-ast.ts";
import type { Identifier, Node, Property } from "./cell-ast.ts";
import { assignable, reference } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { declaringScope, isTopLevelName } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { eraseAnnotation, identifierEnd } from "./cell-types.ts";

/** `declare`: the target gets its first value. `assign`: it may be a constant. */
export type WriteMode = "declare" | "assign";

/** An identifier that is read. */
export function visitIdentifier(rewriting: Rewriting, node: Identifier, scope: Scope): void {
  const { edits, source } = rewriting;
  const end = identifierEnd(source, node.start);
  // `f(a?)`: the parser lets it through, as a parameter could look so.
  if (node.optional === true && node.end > end) rewriting.refuse({ start: end, end: node.end }, "Unexpected token '?'");
  const alias = declaringScope(scope, node.name)?.aliases?.get(node.name);
  if (alias !== undefined) edits.replace(node.start, end, alias);
  if (!isTopLevelName(scope, node.name)) return;
  const read = reference(rewriting, node.name);
  // `(0,$k$.f)(x)`: called as a member, the function would get the scope object as `this`.
  edits.replace(node.start, end, rewriting.callees.has(node) ? `(0,${read})` : read);
}

/** A pattern, or a single target of an assignment; annotations are erased. */
export function visitTarget(rewriting: Rewriting, node: Node, scope: Scope, mode: WriteMode): void {
  const { edits, source } = rewriting;
  switch (node.type) {
    case "Identifier":
      if (isTopLevelName(scope, node.name))
        edits.replace(node.start, identifierEnd(source, node.start), written(rewriting, node.name, mode));
      eraseAnnotation(rewriting, node);
      return;
    case "ObjectPattern":
      for (const property of node.properties) {
        if (property.type === "Property") visitPatternProperty(rewriting, property, scope, mode);
        else visitTarget(rewriting, property, scope, mode);
      }
      eraseAnnotation(rewriting, node);
      return;
    case "ArrayPattern":
      for (const element of node.elements) if (element !== null) visitTarget(rewriting, element, scope, mode);
      eraseAnnotation(rewriting, node);
      return;
    case "RestElement":
      visitTarget(rewriting, node.argument, scope, mode);
      eraseAnnotation(rewriting, node);
      return;
    case "AssignmentPattern":
      visitTarget(rewriting, node.left, scope, mode);
      visitNamed(rewriting, node.left, node.right, scope);
      return;
    default:
      // What only an assignment can have as a target: the parser lets some of it through in declarations.
      if (mode === "declare") rewriting.refuse(node, "a declaration can bind names and patterns only");
      visitAssignmentTarget(rewriting, node, scope);
  }
}

function visitAssignmentTarget(rewriting: Rewriting, node: Node, scope: Scope): void {
  switch (node.type) {
    case "ParenthesizedExpression":
      visitTarget(rewriting, node.expression, scope, "assign");
      return;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      visitTarget(rewriting, node.expression, scope, "assign");
      rewriting.edits.erase(node.expression.end, node.end);
      return;
    case "MemberExpression":
      if (node.typeAnnotation !== null && node.typeAnnotation !== undefined) rewriting.refuse(node.typeAnnotation, "Unexpected token ':'");
      rewriting.visit(node, scope);
      return;
    default:
      rewriting.visit(node, scope);
  }
}

function written(rewriting: Rewriting, name: string, mode: WriteMode): string {
  return mode === "declare" ? reference(rewriting, name) : assignable(rewriting, name);
}

function visitPatternProperty(rewriting: Rewriting, property: Property, scope: Scope, mode: WriteMode): void {
  if (property.computed) rewriting.visit(property.key, scope);
  if (property.shorthand) insertKey(rewriting, property.value.type === "AssignmentPattern" ? property.value.left : property.value, scope);
  visitTarget(rewriting, property.value, scope, mode);
}

/** `{ x }` becomes `{ x: … }` when x is of the top level: a key needs its own text then. */
export function insertKey(rewriting: Rewriting, name: Node, scope: Scope): void {
  if (name.type !== "Identifier") return;
  const isAlias = declaringScope(scope, name.name)?.aliases !== undefined;
  if (!isAlias && !isTopLevelName(scope, name.name)) return;
  // A plain `__proto__: v` would set the prototype; the shorthand did not.
  const key = name.name === "__proto__" ? '["__proto__"]' : rewriting.source.slice(name.start, identifierEnd(rewriting.source, name.start));
  rewriting.edits.insert(name.start, `${key}:`);
}

/** The value that `target` gets. An anonymous function or class takes the target's name, which an assignment to a member would not give it. */
export function visitNamed(rewriting: Rewriting, target: Node, value: Node, scope: Scope): void {
  const named = target.type === "Identifier" && isTopLevelName(scope, target.name) && isAnonymous(value) ? target.name : undefined;
  visitAs(rewriting, named, value, scope);
}

/** Visits an anonymous function or class so that its `name` is `name`. */
export function visitAs(rewriting: Rewriting, name: string | undefined, value: Node, scope: Scope): void {
  if (name === undefined) {
    rewriting.visit(value, scope);
    return;
  }
  const key = JSON.stringify(name);
  rewriting.edits.insert(value.start, name === "__proto__" ? `{[${key}]:` : `{${key}:`);
  rewriting.visit(value, scope);
  rewriting.edits.insert(value.end, `}[${key}]`);
}

export function isAnonymous(value: Node): boolean {
  const inner = bare(value);
  return (
    inner.type === "ArrowFunctionExpression" ||
    ((inner.type === "FunctionExpression" || inner.type === "ClassExpression") && ownName(inner).length === 0)
  );
}
