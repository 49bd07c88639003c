import { ownName } from "./cell-ast.ts";
import type { ExportDefault, ExportNamed, ModuleNode, Node } from "./cell-ast.ts";
import { terminate } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { visitTopClass, visitTopFunction } from "./cell-declare.ts";
import { visitStatement } from "./cell-function.ts";
import { isValueImport, visitImport, visitReexport } from "./cell-module.ts";
import { lexicalNames, varNames } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { isAnonymous, visitAs } from "./cell-pattern.ts";
import { isNamedDeclaration, runs, valueStatement } from "./cell-value.ts";

/** What the top level of a cell declares. */
export interface TopNames {
  readonly declared: readonly string[];
  readonly consts: readonly string[];
  readonly vars: readonly string[];
  /** Names of `using`: variables of the engine, gone when the cell ends. */
  readonly locals: readonly string[];
  readonly imports: readonly string[];
}

export function topNames(body: readonly Node[]): TopNames {
  const declared: string[] = [];
  const consts: string[] = [];
  const vars: string[] = [];
  const locals: string[] = [];
  const imports: string[] = [];
  for (const outer of body) {
    const statement = exported(outer);
    if (statement.type === "ImportDeclaration" && isValueImport(statement)) {
      const names = statement.specifiers.filter(({ importKind }) => importKind !== "type").map(({ local }) => local.name);
      declared.push(...names);
      consts.push(...names);
      imports.push(String(statement.source.value));
    } else if (outer.type === "ExportNamedDeclaration" && outer.source !== null && outer.exportKind !== "type")
      imports.push(String(outer.source.value));
    const names = lexicalNames([statement]);
    if (statement.type === "VariableDeclaration" && (statement.kind === "using" || statement.kind === "await using")) locals.push(...names);
    else declared.push(...names);
    if (statement.type === "VariableDeclaration" && statement.kind === "const") consts.push(...names);
    const hoisted = varNames([statement]);
    declared.push(...hoisted);
    vars.push(...hoisted);
  }
  return { declared: unique(declared), consts: unique(consts), vars: unique(vars), locals: unique(locals), imports: unique(imports) };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** The declaration inside an `export`, or the statement itself. */
function exported(statement: Node): Node {
  if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? statement;
  return statement.type === "ExportDefaultDeclaration" ? statement.declaration : statement;
}

/** Rewrites the statements of the cell itself. Returns whether its end is a value. */
export function visitTop(rewriting: Rewriting, body: readonly Node[], scope: Scope): boolean {
  const value = valueStatement(body);
  /** Imports are written last: only then it is known which of their names are used as values. */
  const imports: (() => void)[] = [];
  let ran = false;
  for (const statement of body) {
    const inPlace = !ran;
    if (statement.type === "ImportDeclaration" && isValueImport(statement)) {
      imports.push(() => {
        visitImport(rewriting, statement, inPlace);
      });
    } else if (statement.type === "ExportNamedDeclaration" && statement.source !== null && statement.exportKind !== "type") {
      const { source } = statement;
      imports.push(() => {
        visitReexport(rewriting, statement, source, inPlace);
      });
    } else {
      ran ||= runs(statement) && !isDirective(statement);
      visitTopStatement(rewriting, statement, scope, statement === value);
    }
  }
  for (const write of imports) write();
  return value !== undefined;
}

function isDirective(statement: Node): boolean {
  return statement.type === "ExpressionStatement" && statement.directive !== undefined;
}

function visitTopStatement(rewriting: Rewriting, statement: Node, scope: Scope, isValue: boolean): void {
  switch (statement.type) {
    case "ExpressionStatement":
      if (isValue) visitValue(rewriting, statement, statement.expression, undefined, scope);
      else visitStatement(rewriting, statement, scope);
      return;
    case "FunctionDeclaration":
      visitTopFunction(rewriting, statement, scope);
      return;
    case "ClassDeclaration":
      visitTopClass(rewriting, statement, scope);
      return;
    case "ImportDeclaration":
      rewriting.edits.erase(statement.start, statement.end, ";");
      return;
    case "ExportNamedDeclaration":
      visitExport(rewriting, statement, scope);
      return;
    case "ExportDefaultDeclaration":
      visitExportDefault(rewriting, statement, scope, isValue);
      return;
    case "ExportAllDeclaration":
      rewriting.refuse(statement, "`export *` is not supported: a cell exports nothing; import what you need by name");
      return;
    case "TSModuleDeclaration":
      if (!isTypesOnly(statement)) rewriting.refuse(statement, "a namespace with values is not supported; use an object or a class");
      rewriting.edits.erase(statement.start, statement.end, ";");
      return;
    case "TSImportEqualsDeclaration":
      if (statement.importKind !== "type")
        rewriting.refuse(statement, "`import x = …` is not supported; write `import x from …` or `const x = …`");
      rewriting.edits.erase(statement.start, statement.end, ";");
      return;
    case "TSExportAssignment":
    case "TSNamespaceExportDeclaration":
      rewriting.refuse(statement, "`export =` and `export as` are not supported; a cell exports nothing");
      return;
    default:
      visitStatement(rewriting, statement, scope);
  }
}

/** The last expression: what the cell returns. */
function visitValue(rewriting: Rewriting, statement: Node, expression: Node, name: string | undefined, scope: Scope): void {
  rewriting.edits.insert(expression.start, "return {v:(");
  visitAs(rewriting, name, expression, scope);
  rewriting.edits.insert(expression.end, "),has:true,returned:false}");
  terminate(rewriting, statement);
}

function visitExport(rewriting: Rewriting, node: ExportNamed, scope: Scope): void {
  if (node.declaration === null || node.exportKind === "type") rewriting.edits.erase(node.start, node.end, ";");
  else {
    rewriting.edits.erase(node.start, node.declaration.start);
    visitTopStatement(rewriting, node.declaration, scope, false);
  }
}

function visitExportDefault(rewriting: Rewriting, node: ExportDefault, scope: Scope, isValue: boolean): void {
  const { edits } = rewriting;
  const { declaration } = node;
  if (declaration.type === "TSInterfaceDeclaration" || declaration.type === "TSDeclareFunction") {
    edits.erase(node.start, node.end, ";");
    return;
  }
  edits.erase(node.start, declaration.start);
  if (isNamedDeclaration(declaration)) {
    visitTopStatement(rewriting, declaration, scope, false);
    return;
  }
  const name = isAnonymous(declaration) || isAnonymousDeclaration(declaration) ? "default" : undefined;
  if (isValue) visitValue(rewriting, node, declaration, name, scope);
  else {
    edits.insert(declaration.start, "(");
    visitAs(rewriting, name, declaration, scope);
    edits.insert(declaration.end, ")");
    terminate(rewriting, node);
  }
}

function isAnonymousDeclaration(node: Node): boolean {
  return (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && ownName(node).length === 0;
}

/** Whether a namespace holds nothing that would exist at run time. */
function isTypesOnly(node: ModuleNode): boolean {
  if (node.declare === true || node.body === null || node.body === undefined) return true;
  if (node.body.type === "TSModuleDeclaration") return isTypesOnly(node.body);
  return node.body.body.every((inner) => {
    if (inner.type === "ExportNamedDeclaration" && inner.exportKind === "type") return true;
    const statement = exported(inner);
    if (statement.type === "TSModuleDeclaration") return isTypesOnly(statement);
    return (
      ["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction", "EmptyStatement"].includes(statement.type) ||
      isDeclared(statement)
    );
  });
}

function isDeclared(statement: Node): boolean {
  return "declare" in statement && (statement.declare ?? false);
}
