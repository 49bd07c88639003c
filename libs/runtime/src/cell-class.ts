import { ownName } from "./cell-ast.ts";
import type { ClassMember, ClassNode, Node } from "./cell-ast.ts";
import { terminate } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { visitFunction, visitStatement } from "./cell-function.ts";
import { boundNames, innerScope, lexicalNames, varNames } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { eraseMark, eraseModifiers, eraseType, refuseDecorators } from "./cell-types.ts";
import { skipTrivia } from "./cell-source.ts";

/** A class declaration or expression. Its own name is bound inside it, as in the language: methods keep their class over a later declaration. */
export function visitClass(rewriting: Rewriting, node: ClassNode, outer: Scope): void {
  const { edits } = rewriting;
  refuseDecorators(rewriting, node);
  if (node.abstract === true) eraseModifiers(rewriting, node.start, node.body.start);
  const scope = innerScope(outer, ownName(node));
  eraseType(rewriting, node.typeParameters);
  if (node.superClass !== null) rewriting.visit(node.superClass, scope);
  const heritageEnd = node.superTypeParameters?.end ?? node.superClass?.end ?? node.typeParameters?.end ?? node.id?.end;
  eraseType(rewriting, node.superTypeParameters);
  const [firstInterface] = node.implements ?? [];
  if (firstInterface !== undefined) edits.erase(heritageEnd ?? skipTrivia(rewriting.source, node.start) + "class".length, node.body.start);
  edits.insert(
    node.body.start + 1,
    parameterFields(node)
      .map((name) => `${name};`)
      .join(""),
  );
  for (const member of node.body.body) {
    if (member.type === "TSIndexSignature") edits.erase(member.start, member.end);
    else if (member.type === "StaticBlock") {
      const block = innerScope(scope, ["arguments", ...varNames(member.body), ...lexicalNames(member.body)], { inFunction: true });
      for (const statement of member.body) visitStatement(rewriting, statement, block);
    } else visitMember(rewriting, member, scope, node.superClass !== null);
  }
}

/** Fields that parameter properties declare: before all others, as TypeScript has it. */
function parameterFields(node: ClassNode): string[] {
  return node.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" || member.kind !== "constructor" || member.value?.type !== "FunctionExpression") return [];
    return member.value.params.filter((param) => param.type === "TSParameterProperty").flatMap(boundNames);
  });
}

function visitMember(rewriting: Rewriting, member: ClassMember, scope: Scope, derived: boolean): void {
  refuseDecorators(rewriting, member);
  const { edits, source } = rewriting;
  const { key, value } = member;
  if (member.abstract === true || member.declare === true || isSignature(value)) {
    edits.erase(member.start, member.end);
    return;
  }
  if (member.accessor === true) rewriting.refuse(member, "`accessor` fields are not supported; write a getter and a setter");
  eraseModifiers(rewriting, member.start, key.start);
  if (member.computed) rewriting.visit(key, scope);
  const keyEnd = member.computed ? skipTrivia(source, key.end) + 1 : key.end;
  if (member.optional === true || member.definite === true) eraseMark(rewriting, keyEnd);
  eraseType(rewriting, member.typeAnnotation);
  eraseType(rewriting, member.typeParameters);
  // Code of a field runs as a method does: `arguments` is an error there, and no `return` fits in.
  if (value?.type === "FunctionExpression" && member.type === "MethodDefinition") visitFunction(rewriting, value, scope, derived);
  else if (value !== null) rewriting.visit(value, innerScope(scope, [], { inFunction: true }));
  if (member.type === "PropertyDefinition") terminate(rewriting, member);
}

function isSignature(value: Node | null): boolean {
  return value?.type === "TSDeclareMethod" || value?.type === "TSEmptyBodyFunctionExpression";
}
