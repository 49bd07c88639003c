import { ownName } from "./cell-ast.ts";
import type { Block, FunctionNode, Node, ParameterProperty } from "./cell-ast.ts";
import type { Rewriting } from "./cell-context.ts";
import { guardExpressionOpener, guardStatement } from "./cell-guard.ts";
import { boundNames, innerScope, lexicalNames, varNames } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { visitTarget } from "./cell-pattern.ts";
import { lineEndsOf, skipTrivia } from "./cell-source.ts";
import { eraseModifiers, eraseType, refuseDecorators } from "./cell-types.ts";

/** A function of any form; `derived` when it belongs to a class with a superclass. */
export function visitFunction(rewriting: Rewriting, node: FunctionNode, outer: Scope, derived = false): void {
  const isArrow = node.type === "ArrowFunctionExpression";
  const own = node.type === "FunctionExpression" ? innerScope(outer, ownName(node)) : outer;
  const params = innerScope(own, [...node.params.flatMap(boundNames), ...(isArrow ? [] : ["arguments"])], { inFunction: true });
  if (isArrow) eraseArrowTypes(rewriting, node);
  else eraseType(rewriting, node.typeParameters);
  for (const param of node.params) visitParameter(rewriting, param, params);
  if (!isArrow) eraseType(rewriting, node.returnType);
  if (node.body.type === "BlockStatement") visitBody(rewriting, node, node.body, params, derived);
  else visitExpressionBody(rewriting, node, params);
}

function visitParameter(rewriting: Rewriting, param: Node | ParameterProperty, scope: Scope): void {
  const { edits, source } = rewriting;
  const bound = param.type === "TSParameterProperty" ? param.parameter : param;
  if ("decorators" in bound) refuseDecorators(rewriting, bound);
  if (param.type === "Identifier" && param.name === "this") {
    // A type for `this`: gone, with its comma.
    const next = skipTrivia(source, param.end);
    edits.erase(param.start, source.charAt(next) === "," ? next + 1 : param.end);
  } else if (param.type === "TSParameterProperty") {
    const inner = param.parameter;
    // acorn-typescript lets a default start at the modifier; the name does not.
    eraseModifiers(rewriting, param.start, inner.type === "AssignmentPattern" ? inner.left.start : inner.start);
    visitTarget(rewriting, inner, scope, "declare");
  } else visitTarget(rewriting, param, scope, "declare");
}

/** An arrow's types may hold line ends where JavaScript allows none: before `=>`, after `async`, after `return`. The parentheses move over them. */
function eraseArrowTypes(rewriting: Rewriting, node: FunctionNode): void {
  const { edits, source } = rewriting;
  const { typeParameters, returnType } = node;
  if (typeParameters !== null && typeParameters !== undefined) {
    const open = skipTrivia(source, typeParameters.end);
    if (lineEndsOf(source.slice(typeParameters.start, open)) === "") eraseType(rewriting, typeParameters);
    else edits.erase(typeParameters.start, open + 1, "(");
  }
  if (returnType !== null && returnType !== undefined) {
    const arrow = skipTrivia(source, returnType.end);
    if (!source.startsWith("=>", arrow)) rewriting.refuse(returnType, "Unexpected token ':'");
    const close = source.lastIndexOf(")", returnType.start);
    if (lineEndsOf(source.slice(close, arrow)) === "") eraseType(rewriting, returnType);
    else {
      edits.erase(close, returnType.end);
      edits.insert(arrow, ")");
    }
  }
}

function visitBody(rewriting: Rewriting, node: FunctionNode, body: Block, params: Scope, derived: boolean): void {
  const { edits } = rewriting;
  const scope = innerScope(params, [...varNames(body.body), ...lexicalNames(body.body)]);
  const directives = body.body.filter((statement) => statement.type === "ExpressionStatement" && statement.directive !== undefined);
  const entry = guardStatement(rewriting) + parameterProperties(rewriting, node, body, derived);
  const last = directives.at(-1);
  if (last === undefined) edits.insert(body.start + 1, entry);
  for (const statement of body.body) {
    visitStatement(rewriting, statement, scope);
    if (statement === last) edits.insert(statement.end, entry);
  }
}

/** A statement of a list, and what other parts want after it. */
export function visitStatement(rewriting: Rewriting, statement: Node, scope: Scope): void {
  rewriting.visit(statement, scope);
  const after = rewriting.afterStatement.get(statement);
  if (after !== undefined) rewriting.edits.insert(statement.end, after);
}

/** `constructor(private x)`: what sets `this.x`, to go at the start of the body, or after `super()`. */
function parameterProperties(rewriting: Rewriting, node: FunctionNode, body: Block, derived: boolean): string {
  const properties = node.params.filter((param) => param.type === "TSParameterProperty");
  const [first] = properties;
  if (first === undefined) return "";
  const text = properties
    .flatMap(boundNames)
    .map((name) => `this.${name}=${name};`)
    .join("");
  if (!derived) return text;
  const call = body.body.find(isSuperCall);
  if (call === undefined)
    rewriting.refuse(first, "a class with parameter properties must call super() in a statement of its own in the constructor");
  rewriting.afterStatement.set(call, text);
  return "";
}

function isSuperCall(statement: Node): boolean {
  return (
    statement.type === "ExpressionStatement" &&
    statement.expression.type === "CallExpression" &&
    statement.expression.callee.type === "Super"
  );
}

function visitExpressionBody(rewriting: Rewriting, node: FunctionNode, scope: Scope): void {
  if (rewriting.guard) rewriting.edits.insert(node.body.start, guardExpressionOpener(rewriting));
  rewriting.visit(node.body, scope);
  if (rewriting.guard) rewriting.edits.insert(node.body.end, ")");
}
