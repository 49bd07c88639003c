import { bare } from "./cell-ast.ts";
import type { EnumMember, EnumNode, Node } from "./cell-ast.ts";
import type { Rewriting } from "./cell-context.ts";
import { innerScope } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { skipTrivia } from "./cell-source.ts";

/**
 * `enum` becomes an object, built in place so that no line moves. Members are computed at compile time where TypeScript would;
 * `const enum` is no different, as no other file could have its members inlined.
 *
 * `before` makes a variable of the enum's name hold the object, `after` ends what `before` began.
 */
export function visitEnum(rewriting: Rewriting, node: EnumNode, scope: Scope, before: string, after: string): void {
  const { edits, source } = rewriting;
  const { name } = node.id;
  const brace = source.indexOf("{", skipTrivia(source, node.id.end));
  edits.erase(node.start, brace + 1, before);
  const known = new Map<string, number | string>();
  const aliases = new Map<string, string>();
  let next: number | undefined = 0;
  for (const member of node.members) {
    const key = memberName(rewriting, member);
    const value: number | string | undefined = member.initializer ? constantOf(member.initializer, name, known) : next;
    if (value !== undefined) {
      edits.erase(member.start, member.end, definition(name, key, literal(value), typeof value === "string"));
      known.set(key, value);
    } else if (member.initializer) {
      const isText = isStringLike(member.initializer);
      edits.erase(
        member.start,
        member.initializer.start,
        isText ? `${name}[${JSON.stringify(key)}]=(` : `${name}[${name}[${JSON.stringify(key)}]=(`,
      );
      rewriting.visit(member.initializer, innerScope(scope, [name, ...aliases.keys()], { aliases }));
      edits.insert(member.end, isText ? ");" : `)]=${JSON.stringify(key)};`);
    } else rewriting.refuse(member, `enum member ${key} needs an initialiser: the one before it is not a constant number`);
    aliases.set(key, `${name}[${JSON.stringify(key)}]`);
    next = typeof value === "number" ? value + 1 : undefined;
    const comma = skipTrivia(source, member.end);
    if (source.charAt(comma) === ",") edits.replace(comma, comma + 1, "");
  }
  edits.replace(node.end - 1, node.end, after);
}

function memberName(rewriting: Rewriting, member: EnumMember): string {
  if (member.id.type === "Identifier") return member.id.name;
  if (member.id.type === "Literal") return String(member.id.value);
  return rewriting.refuse(member, "enum members must be named by an identifier or a string");
}

/** Numbers are mapped both ways, texts are not. */
function definition(name: string, key: string, value: string, isText: boolean): string {
  const member = `${name}[${JSON.stringify(key)}]=${value}`;
  return isText ? `${member};` : `${name}[${member}]=${JSON.stringify(key)};`;
}

function literal(value: number | string): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

function isStringLike(node: Node): boolean {
  const inner = bare(node);
  if (inner.type === "TemplateLiteral") return true;
  if (inner.type === "Literal") return typeof inner.value === "string";
  return inner.type === "BinaryExpression" && inner.operator === "+" && (isStringLike(inner.left) || isStringLike(inner.right));
}

/** TypeScript's constant enum expressions. */
function constantOf(node: Node, enumName: string, known: ReadonlyMap<string, number | string>): number | string | undefined {
  const inner = bare(node);
  const part = (child: Node): number | string | undefined => constantOf(child, enumName, known);
  switch (inner.type) {
    case "Literal":
      return typeof inner.value === "number" || typeof inner.value === "string" ? inner.value : undefined;
    case "Identifier":
      return known.get(inner.name);
    case "MemberExpression":
      return inner.object.type === "Identifier" && inner.object.name === enumName
        ? known.get(propertyName(inner.property, inner.computed) ?? "")
        : undefined;
    case "TemplateLiteral": {
      let text = "";
      for (const [index, quasi] of inner.quasis.entries()) {
        text += quasi.value.cooked ?? "";
        const expression = inner.expressions[index];
        const value = expression === undefined ? "" : part(expression);
        if (value === undefined) return undefined;
        text += String(value);
      }
      return text;
    }
    case "UnaryExpression":
      return unary(inner.operator, part(inner.argument));
    case "BinaryExpression":
      return binary(inner.operator, part(inner.left), part(inner.right));
    default:
      return undefined;
  }
}

function propertyName(property: Node, computed: boolean): string | undefined {
  if (property.type === "Identifier") return computed ? undefined : property.name;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

function unary(operator: string, value: number | string | undefined): number | undefined {
  if (typeof value !== "number") return undefined;
  if (operator === "-") return -value;
  if (operator === "+") return value;
  return operator === "~" ? ~value : undefined;
}

function binary(operator: string, left: number | string | undefined, right: number | string | undefined): number | string | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === "string" || typeof right === "string") return operator === "+" ? String(left) + String(right) : undefined;
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return left ** right;
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case ">>>":
      return left >>> right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    default:
      return undefined;
  }
}
