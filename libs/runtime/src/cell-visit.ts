import { bare, childrenOf } from "./cell-ast.ts";
import type { CatchClause, ForEach, Node, Property, ReturnStatement, UnaryExpression } from "./cell-ast.ts";
import { visitClass } from "./cell-class.ts";
import { terminate } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { visitEnumDeclaration, visitVariables } from "./cell-declare.ts";
import { visitFunction, visitStatement } from "./cell-function.ts";
import { guardStatement, visitAwaited, visitLoopBody } from "./cell-guard.ts";
import { boundNames, innerScope, isTopLevelName, lexicalNames } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { insertKey, visitIdentifier, visitNamed, visitTarget } from "./cell-pattern.ts";
import { lineEndsOf } from "./cell-source.ts";
import { eraseType, visitTypeAssertion, visitTypeSuffix } from "./cell-types.ts";

/** The dispatcher: what becomes of each kind of node below the top level. Source order everywhere, as the edits need it. */
export function visitNode(rewriting: Rewriting, node: Node, scope: Scope): void {
  const { edits } = rewriting;
  const visit = (child: Node | null | undefined, inside = scope): void => {
    if (child !== null && child !== undefined) rewriting.visit(child, inside);
  };
  switch (node.type) {
    // names and what they are assigned
    case "Identifier":
      visitIdentifier(rewriting, node, scope);
      return;
    case "AssignmentExpression":
      visitTarget(rewriting, node.left, scope, "assign");
      if (/^(?:\?\?|\|\||&&)?=$/.test(node.operator)) visitNamed(rewriting, node.left, node.right, scope);
      else visit(node.right);
      return;
    case "UpdateExpression":
      visitTarget(rewriting, node.argument, scope, "assign");
      return;

    // expressions
    case "UnaryExpression":
      visitUnary(rewriting, node, scope);
      return;
    case "BinaryExpression":
      visit(node.left);
      visit(node.right);
      return;
    case "MemberExpression":
      visit(node.object);
      if (node.computed) visit(node.property);
      return;
    case "CallExpression":
    case "NewExpression":
      if (node.type === "CallExpression") rewriting.callees.add(bare(node.callee));
      visit(node.callee);
      eraseType(rewriting, node.typeArguments);
      node.arguments.forEach((argument) => {
        visit(argument);
      });
      return;
    case "TaggedTemplateExpression":
      rewriting.callees.add(bare(node.tag));
      visit(node.tag);
      eraseType(rewriting, node.typeArguments);
      visit(node.quasi);
      return;
    case "TemplateLiteral":
      for (const expression of node.expressions) visit(expression);
      return;
    case "ObjectExpression":
      for (const property of node.properties) {
        if (property.type === "Property") visitProperty(rewriting, property, scope);
        else visit(property);
      }
      return;
    case "ArrayExpression":
      for (const element of node.elements) visit(element);
      return;
    case "SpreadElement":
      visit(node.argument);
      return;
    case "ParenthesizedExpression":
      visit(node.expression);
      return;
    case "AwaitExpression":
      visitAwaited(rewriting, node.argument, scope, "a");
      return;
    case "ImportExpression":
      edits.replace(node.start, node.start + "import".length, `${rewriting.generated.hooks}.import`);
      visit(node.source);
      for (const argument of node.arguments ?? []) visit(argument);
      return;
    case "MetaProperty":
      if (node.meta.name === "import") edits.replace(node.start, node.end, `${rewriting.generated.hooks}.meta`);
      return;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      visitFunction(rewriting, node, scope);
      return;
    case "ClassDeclaration":
    case "ClassExpression":
      if (node.declare === true) edits.erase(node.start, node.end, ";");
      else visitClass(rewriting, node, scope);
      return;

    // types
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSInstantiationExpression":
      visitTypeSuffix(rewriting, node, scope);
      return;
    case "TSTypeAssertion":
      visitTypeAssertion(rewriting, node, scope);
      return;
    case "TSTypeCastExpression":
      rewriting.refuse(node.typeAnnotation, "Unexpected token ':'");
      return;
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSDeclareFunction":
      edits.erase(node.start, node.end, ";");
      return;
    case "TSEnumDeclaration":
      visitEnumDeclaration(rewriting, node, scope, rewriting.enumsOf(scope));
      return;

    // statements
    case "VariableDeclaration":
      visitVariables(rewriting, node, scope, "statement");
      return;
    case "ExpressionStatement":
      visit(node.expression);
      terminate(rewriting, node);
      return;
    case "ReturnStatement":
      visitReturn(rewriting, node, scope);
      return;
    case "BlockStatement": {
      const inside = innerScope(scope, lexicalNames(node.body));
      for (const statement of node.body) visitStatement(rewriting, statement, inside);
      return;
    }
    case "IfStatement":
      visit(node.test);
      visit(node.consequent);
      visit(node.alternate);
      return;
    case "ForStatement": {
      const inside = node.init === null ? scope : innerScope(scope, lexicalNames([node.init]));
      if (node.init?.type === "VariableDeclaration") visitVariables(rewriting, node.init, inside, "for");
      else visit(node.init, inside);
      visit(node.test, inside);
      visit(node.update, inside);
      visitLoopBody(rewriting, node.body, inside);
      return;
    }
    case "ForInStatement":
    case "ForOfStatement":
      visitForEach(rewriting, node, scope);
      return;
    case "WhileStatement":
      visit(node.test);
      visitLoopBody(rewriting, node.body, scope);
      return;
    case "DoWhileStatement":
      visitLoopBody(rewriting, node.body, scope);
      visit(node.test);
      terminate(rewriting, node);
      return;
    case "SwitchStatement": {
      visit(node.discriminant);
      const inside = innerScope(scope, lexicalNames(node.cases.flatMap(({ consequent }) => consequent)));
      for (const { test, consequent } of node.cases) {
        visit(test, inside);
        for (const statement of consequent) visitStatement(rewriting, statement, inside);
      }
      return;
    }
    case "TryStatement":
      visit(node.block);
      if (node.handler !== null) visitCatch(rewriting, node.handler, scope);
      visit(node.finalizer);
      return;
    case "LabeledStatement":
      visit(node.body);
      return;
    case "BreakStatement":
    case "ContinueStatement":
    case "DebuggerStatement":
      terminate(rewriting, node);
      return;
    case "ThrowStatement":
      visit(node.argument);
      terminate(rewriting, node);
      return;
    case "ChainExpression":
    case "ConditionalExpression":
    case "LogicalExpression":
    case "SequenceExpression":
    case "YieldExpression":
      for (const child of childrenOf(node)) visit(child);
      return;
    case "EmptyStatement":
    case "Literal":
    case "PrivateIdentifier":
    case "Super":
    case "TemplateElement":
    case "ThisExpression":
      return;
    default:
      // Types where an expression should be: the parser lets some through.
      rewriting.refuse(node, "this is no code that runs");
  }
}

function visitUnary(rewriting: Rewriting, node: UnaryExpression, scope: Scope): void {
  const operand = bare(node.argument);
  if (node.operator === "typeof" && operand.type === "Identifier" && isTopLevelName(scope, operand.name)) {
    // Reading a name that does not exist throws; `typeof` of one does not.
    rewriting.used.add(operand.name);
    const text = `${rewriting.generated.hooks}.t(${JSON.stringify(operand.name)})`;
    rewriting.edits.replace(node.start, node.end, text + lineEndsOf(rewriting.source.slice(node.start, node.end)));
  } else rewriting.visit(node.argument, scope);
}

function visitProperty(rewriting: Rewriting, property: Property, scope: Scope): void {
  if (property.shorthand) insertKey(rewriting, property.value, scope);
  else if (property.computed) rewriting.visit(property.key, scope);
  eraseType(rewriting, property.typeParameters);
  rewriting.visit(property.value, scope);
}

/** `return` at the cell's top level: its argument is the value of the cell. Wrapped, so that a thenable is not adopted. */
function visitReturn(rewriting: Rewriting, node: ReturnStatement, scope: Scope): void {
  const { edits } = rewriting;
  const isCells = !scope.inFunction;
  if (node.argument === null) {
    if (isCells) edits.insert(node.start + "return".length, " {v:void 0,has:false,returned:true}");
  } else {
    if (isCells) edits.insert(node.argument.start, "{v:(");
    rewriting.visit(node.argument, scope);
    if (isCells) edits.insert(node.argument.end, "),has:true,returned:true}");
  }
  terminate(rewriting, node);
}

function visitForEach(rewriting: Rewriting, node: ForEach, scope: Scope): void {
  const inside = innerScope(scope, lexicalNames([node.left]));
  if (node.left.type === "VariableDeclaration") visitVariables(rewriting, node.left, inside, "for-each");
  else visitTarget(rewriting, node.left, inside, "assign");
  if (node.await === true) visitAwaited(rewriting, node.right, inside, "i");
  else rewriting.visit(node.right, inside);
  visitLoopBody(rewriting, node.body, inside);
}

/** A catch clause checks for an interrupt, and lets the hook clean what was caught; for that a pattern moves into the block. */
function visitCatch(rewriting: Rewriting, node: CatchClause, scope: Scope): void {
  const { edits, source } = rewriting;
  const { param, body } = node;
  const { hooks, thrown } = rewriting.generated;
  const inside = innerScope(scope, param === null ? [] : boundNames(param));
  const guard = guardStatement(rewriting);
  if (param === null) edits.insert(body.start + 1, guard);
  else if (param.type === "Identifier") {
    visitTarget(rewriting, param, inside, "declare");
    edits.insert(body.start + 1, `${guard}${hooks}.e(${param.name});`);
  } else {
    // `catch ({message}) {` becomes `catch ($e$) {let {message} = $h$.e($e$);`
    edits.insert(param.start, `${thrown}){${guard}let `);
    visitTarget(rewriting, param, inside, "declare");
    const close = source.lastIndexOf(")", body.start);
    edits.replace(close, close + 1, `=${hooks}.e(${thrown});`);
    edits.replace(body.start, body.start + 1, "");
  }
  rewriting.visit(body, inside);
}
