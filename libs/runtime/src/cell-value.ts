import { ownName } from "./cell-ast.ts";
import type { Node } from "./cell-ast.ts";

/**
 * The statement whose expression is the value of the cell: the last one, when it is an expression or an `export default` of one.
 * Statements after it that do nothing when they are reached (functions, imports, types, stray `;`) do not count.
 */
export function valueStatement(body: readonly Node[]): Node | undefined {
  const last = body.findLast(runs);
  if (last?.type === "ExpressionStatement") return last;
  return last?.type === "ExportDefaultDeclaration" && !isNamedDeclaration(last.declaration) ? last : undefined;
}

/** Whether a top-level statement does something when it is reached. */
export function runs(statement: Node): boolean {
  switch (statement.type) {
    case "EmptyStatement":
    case "ExportAllDeclaration":
    case "ImportDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSModuleDeclaration":
    case "TSTypeAliasDeclaration":
      return false;
    case "FunctionDeclaration":
      // Only `export default function () {}` has no name: it is an expression to us.
      return ownName(statement).length === 0;
    case "ExportNamedDeclaration":
      return statement.declaration !== null && runs(statement.declaration);
    case "ExportDefaultDeclaration":
      return runs(statement.declaration);
    default:
      return true;
  }
}

export function isNamedDeclaration(node: Node): boolean {
  return (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && ownName(node).length > 0;
}
