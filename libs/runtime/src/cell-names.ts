import { ownName } from "./cell-ast.ts";
import type { Node, ParameterProperty } from "./cell-ast.ts";

/** One lexical scope inside a cell. Names found in none of them are names of the cell's top level: they live on the scope object. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: ReadonlySet<string>;
  /** Whether code here belongs to a function of the cell: a `return` is its own, not the cell's. */
  readonly inFunction: boolean;
  /** What to write in place of some names: members of the enum around. */
  readonly aliases?: ReadonlyMap<string, string>;
}

/** The cell's top level. `locals` are its names that stay variables of the engine: those of `using`. */
export function topScope(locals: Iterable<string>): Scope {
  return { parent: undefined, names: new Set(locals), inFunction: false };
}

export function innerScope(
  parent: Scope,
  names: Iterable<string>,
  o: { inFunction?: boolean; aliases?: ReadonlyMap<string, string> } = {},
): Scope {
  const { inFunction = parent.inFunction, aliases } = o;
  return { parent, names: new Set(names), inFunction, ...(aliases !== undefined && { aliases }) };
}

/** The scope that declares `name`, or undefined when it is a name of the top level. */
export function declaringScope(scope: Scope, name: string): Scope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.names.has(name)) return at;
  return undefined;
}

/** Names that are the language's and never the scope object's. */
const CONSTANT_NAMES: ReadonlySet<string> = new Set(["undefined", "NaN", "Infinity"]);

export function isTopLevelName(scope: Scope, name: string): boolean {
  return !CONSTANT_NAMES.has(name) && declaringScope(scope, name) === undefined;
}

/** Names that a pattern or parameter binds. */
export function boundNames(pattern: Node | ParameterProperty): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
    case "ObjectExpression":
      return pattern.properties.flatMap((property) => boundNames(property.type === "Property" ? property.value : property.argument));
    case "ArrayPattern":
    case "ArrayExpression":
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case "RestElement":
    case "SpreadElement":
      return boundNames(pattern.argument);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "TSParameterProperty":
      return boundNames(pattern.parameter);
    default:
      // No pattern: refused when it is visited.
      return [];
  }
}

/** Names that `let`, `const`, `using`, `class`, `function` and `enum` bind directly in a list of statements. */
export function lexicalNames(statements: readonly Node[]): string[] {
  return statements.flatMap((statement) => {
    switch (statement.type) {
      case "VariableDeclaration":
        return statement.kind === "var" || statement.declare === true ? [] : statement.declarations.flatMap(({ id }) => boundNames(id));
      case "FunctionDeclaration":
        return ownName(statement);
      case "ClassDeclaration":
        return statement.declare === true ? [] : ownName(statement);
      case "TSEnumDeclaration":
        return statement.declare === true ? [] : [statement.id.name];
      case "LabeledStatement":
        return lexicalNames([statement.body]);
      default:
        return [];
    }
  });
}

/** Names that `var` binds anywhere in a list of statements, functions and classes left out. */
export function varNames(statements: readonly (Node | null)[]): string[] {
  return statements.flatMap((statement) => {
    switch (statement?.type) {
      case "VariableDeclaration":
        return statement.kind === "var" && statement.declare !== true ? statement.declarations.flatMap(({ id }) => boundNames(id)) : [];
      case "ExportNamedDeclaration":
        return varNames([statement.declaration]);
      case "BlockStatement":
        return varNames(statement.body);
      case "IfStatement":
        return varNames([statement.consequent, statement.alternate]);
      case "TryStatement":
        return varNames([statement.block, statement.handler?.body ?? null, statement.finalizer]);
      case "ForStatement":
        return varNames([statement.init, statement.body]);
      case "ForInStatement":
      case "ForOfStatement":
        return varNames([statement.left, statement.body]);
      case "WhileStatement":
      case "DoWhileStatement":
      case "LabeledStatement":
        return varNames([statement.body]);
      case "SwitchStatement":
        return statement.cases.flatMap(({ consequent }) => varNames(consequent));
      default:
        return [];
    }
  });
}

/** Names of the generated parameters and variables of one cell. */
export interface GeneratedNames {
  /** The scope object. */
  readonly scope: string;
  readonly hooks: string;
  readonly flag: string;
  /** What a catch clause with a pattern caught. */
  readonly thrown: string;
  /** The namespace of a static import. */
  readonly module: string;
}

/** Names that occur nowhere in the source, written plainly or with escapes, as an identifier or in it. */
export function generatedNames(source: string): GeneratedNames {
  const plain = source.replace(/\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/g, (escape, braced?: string, four?: string) => {
    const code = Number.parseInt(braced ?? four ?? "", 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
  });
  for (let n = 0; ; n += 1) {
    const suffix = n === 0 ? "" : String(n);
    const names = { scope: `$k${suffix}$`, hooks: `$h${suffix}$`, flag: `$f${suffix}$`, thrown: `$e${suffix}$`, module: `$m${suffix}$` };
    if (!Object.values(names).some((name) => plain.includes(name))) return names;
  }
}
