import type { ClassMember, ClassNode, FunctionNode, Node, Property, SpreadNode } from "./cell-ast.ts";
import { parseProgram } from "./cell-parse.ts";
import { ACCESSOR, dataProperty, sourceText, valueKind } from "./reflect-value.ts";
import { keyText } from "./inspect-head.ts";

/** What the source of a function tells about calling it: types are gone at run time, names are not. */
export interface CallOutline {
  /** Between the parentheses, such as `path, { depth }?, ...rest`. */
  readonly parameters: string;
  readonly async: boolean;
  readonly generator: boolean;
}

export interface MemberOutline {
  /** As it would be written, quoted when it is no identifier. */
  readonly name: string;
  readonly kind: "constructor" | "method" | "field" | "getter" | "setter";
  readonly static: boolean;
  readonly call?: CallOutline;
  /** Text of the doc comment before it, white space collapsed. */
  readonly doc?: string;
  /** Type of a field whose first value is a literal. */
  readonly type?: string;
}

/** The public side of a class: no `#private` and no `_internal` members, inherited ones last. */
export interface ClassOutline {
  readonly members: readonly MemberOutline[];
}

const UNKNOWN_CALL: CallOutline = { parameters: "...args", async: false, generator: false };

/** How a function is called, from its source; `...args` or `arg0, arg1` where the source is not to be had. Runs none of it. */
export function outlineFunction(value: object): CallOutline {
  const text = sourceText(value);
  if (text.endsWith("{ [native code] }")) return { ...UNKNOWN_CALL, parameters: countedParameters(value) };
  const node = parseExpression(text) ?? parseMethod(text);
  return node !== undefined && isFunction(node) ? outlineCall(node) : UNKNOWN_CALL;
}

function countedParameters(value: object): string {
  const length = dataProperty(value, "length");
  const count = typeof length === "number" && length <= 8 ? length : 0;
  return count === 0 ? "...args" : Array.from({ length: count }, (_, index) => `arg${String(index)}`).join(", ");
}

/** The members of a class and of the classes it extends, by their sources; of a class without readable source by its properties. */
export function outlineClass(value: object): ClassOutline {
  const members = new Map<string, MemberOutline>();
  for (let at: unknown = value; typeof at === "object" || typeof at === "function"; at = Object.getPrototypeOf(at)) {
    if (at === null || at === Function.prototype || valueKind(at) === "proxy") break;
    for (const member of ownMembers(at)) {
      const key = `${member.static ? "static " : ""}${member.name}`;
      const known = members.get(key);
      if (known === undefined) members.set(key, member);
      else if (isPair(known, member)) members.set(key, { ...known, kind: "field" });
    }
  }
  return { members: [...members.values()] };
}

/** A getter and a setter of one name read and write like a field. */
const isPair = (a: MemberOutline, b: MemberOutline): boolean =>
  (a.kind === "getter" && b.kind === "setter") || (a.kind === "setter" && b.kind === "getter");

function ownMembers(value: object): readonly MemberOutline[] {
  const text = sourceText(value);
  const node = text.startsWith("class") ? parseExpression(text) : undefined;
  return node?.type === "ClassExpression" ? membersInSource(node, `(${text})`) : membersByReflection(value);
}

function parseExpression(text: string): Node | undefined {
  const parsed = parseProgram(`(${text})`);
  const statement = parsed.ok ? parsed.node.body[0] : undefined;
  const expression = statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  return expression?.type === "ParenthesizedExpression" ? expression.expression : undefined;
}

/** Methods print as they stand in their class or object: `dim(pct) { … }`. */
function parseMethod(text: string): Node | undefined {
  const object = parseExpression(`{${text}}`);
  const property = object?.type === "ObjectExpression" ? object.properties[0] : undefined;
  return property?.type === "Property" ? property.value : undefined;
}

const isFunction = (node: { readonly type: string }): node is FunctionNode =>
  node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression" || node.type === "FunctionDeclaration";

function outlineCall({ params, async, generator }: FunctionNode): CallOutline {
  return { parameters: params.map(parameterText).join(", "), async, generator };
}

function parameterText(node: Node): string {
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "AssignmentPattern":
      return `${parameterText(node.left)}?`;
    case "RestElement":
      return `...${parameterText(node.argument)}`;
    case "ObjectPattern":
      return `{ ${node.properties.map(propertyName).join(", ")} }`;
    case "ArrayPattern":
      return `[${node.elements.map((element) => (element === null ? "" : parameterText(element))).join(", ")}]`;
    default:
      return "arg";
  }
}

function propertyName(property: Property | SpreadNode): string {
  if (property.type !== "Property") return `...${parameterText(property.argument)}`;
  const name = keyName(property.key, property.computed) ?? "…";
  return property.value.type === "AssignmentPattern" ? `${name}?` : name;
}

/** The name of a key that is known without running code. */
function keyName(key: Node, computed: boolean): string | undefined {
  if (computed) return undefined;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? keyText(key.value) : undefined;
}

const isPublic = (name: string | undefined): name is string => name !== undefined && !name.startsWith("_") && !name.startsWith("#");

function membersInSource(node: ClassNode, text: string): readonly MemberOutline[] {
  const members: MemberOutline[] = [];
  let before = node.body.start + 1;
  for (const member of node.body.body) {
    const gap = text.slice(before, member.start);
    before = member.end;
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") continue;
    const name = keyName(member.key, member.computed);
    if (!isPublic(name)) continue;
    const doc = docIn(gap);
    members.push({ ...outlineMember(name, member), ...(doc === undefined ? {} : { doc }) });
    if (member.kind === "constructor" && member.value !== null && isFunction(member.value)) members.push(...fieldsSetBy(member.value));
  }
  return members;
}

function outlineMember(name: string, member: ClassMember): MemberOutline {
  const { value, kind, static: isStatic } = member;
  if (kind === "get" || kind === "set") return { name, kind: kind === "get" ? "getter" : "setter", static: isStatic };
  if (value !== null && isFunction(value))
    return { name, kind: kind === "constructor" ? "constructor" : "method", static: isStatic, call: outlineCall(value) };
  const type = value?.type === "Literal" && value.value !== null && typeof value.value !== "object" ? typeof value.value : undefined;
  return { name, kind: "field", static: isStatic, ...(type === undefined ? {} : { type }) };
}

/** `this.x = …` at the top of a constructor makes a field. */
function fieldsSetBy({ body }: FunctionNode): MemberOutline[] {
  const statements = body.type === "BlockStatement" ? body.body : [];
  const names = statements.flatMap((statement) => {
    const assignment = statement.type === "ExpressionStatement" ? statement.expression : undefined;
    const target = assignment?.type === "AssignmentExpression" ? assignment.left : undefined;
    if (target?.type !== "MemberExpression" || target.object.type !== "ThisExpression") return [];
    const name = keyName(target.property, target.computed);
    return isPublic(name) ? [name] : [];
  });
  return [...new Set(names)].map((name) => ({ name, kind: "field", static: false }));
}

const LONGEST_DOC_CHARS = 240;

/** The last doc comment in the text before a member. */
function docIn(gap: string): string | undefined {
  const comments = gap.match(/\/\*\*[\s\S]*?\*\//g);
  const last = comments?.at(-1);
  if (last === undefined) return undefined;
  const text = last
    .slice(3, -2)
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? undefined : text.slice(0, LONGEST_DOC_CHARS);
}

/** For classes made of functions, or built in: what their prototype and they themselves hold. */
function membersByReflection(value: object): readonly MemberOutline[] {
  const prototype = dataProperty(value, "prototype");
  if (typeof prototype !== "object" || prototype === null || prototype === Object.prototype || valueKind(prototype) === "proxy") return [];
  const members: MemberOutline[] = [{ name: "constructor", kind: "constructor", static: false, call: outlineFunction(value) }];
  for (const name of Object.getOwnPropertyNames(prototype))
    if (name !== "constructor" && isPublic(name)) members.push(reflectMember(prototype, name, false));
  for (const name of Object.getOwnPropertyNames(value))
    if (!OF_EVERY_FUNCTION.has(name) && isPublic(name)) members.push(reflectMember(value, name, true));
  return members;
}

const OF_EVERY_FUNCTION: ReadonlySet<string> = new Set(["length", "name", "prototype", "arguments", "caller"]);

function reflectMember(holder: object, key: string, isStatic: boolean): MemberOutline {
  const value = dataProperty(holder, key);
  const name = keyText(key);
  if (value === ACCESSOR) return { name, kind: "getter", static: isStatic };
  if (typeof value === "function" && valueKind(value) === "function")
    return { name, kind: "method", static: isStatic, call: outlineFunction(value) };
  return { name, kind: "field", static: isStatic };
}
