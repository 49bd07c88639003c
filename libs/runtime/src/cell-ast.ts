import type {
  FunctionNode,
  Signature,
  ParameterProperty,
  ClassNode,
  ClassBody,
  ClassMember,
  StaticBlock,
  IndexSignature,
  EnumNode,
  Declarator,
  VariableNode,
  ExpressionStatement,
  Block,
  ForNode,
  ForEach,
  WhileNode,
  IfStatement,
  TryStatement,
  SwitchNode,
  CatchClause,
  ReturnStatement,
  LabelNode,
  ImportNode,
  ExportNamed,
  ExportDefault,
  ModuleNode,
  ImportEquals,
  TypeOnly,
  Refused,
} from "./cell-ast-statements.ts";

export type {
  Block,
  CatchClause,
  ClassMember,
  ClassNode,
  EnumMember,
  EnumNode,
  ExportDefault,
  ExportNamed,
  ExpressionStatement,
  ForEach,
  FunctionNode,
  ImportAttribute,
  ImportNode,
  ModuleNode,
  ParameterProperty,
  ReturnStatement,
  VariableNode,
} from "./cell-ast-statements.ts";

/** A stretch of the source: UTF-16 offsets, `end` exclusive. Types are only ever erased, so a stretch is all we keep of them. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Of<Type extends string> extends Range {
  readonly type: Type;
}

/** Decorators may stand at classes, members and parameters; they are refused everywhere. */
export interface Decorated {
  readonly decorators?: readonly Range[] | null;
}

export interface Identifier extends Of<"Identifier">, Decorated {
  /** Cooked: escapes are resolved, so its length may differ from the source's. */
  readonly name: string;
  readonly optional?: boolean;
  readonly typeAnnotation?: Range | null;
}

export interface Literal extends Of<"Literal"> {
  readonly value: unknown;
}

export interface TemplateLiteral extends Of<"TemplateLiteral"> {
  readonly quasis: readonly { readonly value: { readonly cooked?: string | null } }[];
  readonly expressions: readonly Node[];
}

export interface Property extends Of<"Property"> {
  readonly key: Node;
  readonly value: Node;
  readonly computed: boolean;
  readonly shorthand: boolean;
  readonly method: boolean;
  readonly kind: "init" | "get" | "set";
  readonly typeParameters?: Range | null;
}

export interface ObjectNode extends Of<"ObjectExpression" | "ObjectPattern">, Decorated {
  readonly properties: readonly (Property | SpreadNode)[];
  readonly typeAnnotation?: Range | null;
  readonly optional?: boolean;
}

export interface ArrayNode extends Of<"ArrayExpression" | "ArrayPattern">, Decorated {
  readonly elements: readonly (Node | null)[];
  readonly typeAnnotation?: Range | null;
  readonly optional?: boolean;
}

export interface SpreadNode extends Of<"SpreadElement" | "RestElement"> {
  readonly argument: Node;
  readonly typeAnnotation?: Range | null;
}

export interface AssignmentPattern extends Of<"AssignmentPattern">, Decorated {
  readonly left: Node;
  readonly right: Node;
  readonly typeAnnotation?: Range | null;
}

export interface AssignmentExpression extends Of<"AssignmentExpression"> {
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

export interface UpdateExpression extends Of<"UpdateExpression"> {
  readonly argument: Node;
}

export interface ThrowStatement extends Of<"ThrowStatement"> {
  readonly argument: Node;
}

/** Statements that hold nothing to rewrite: a label is no name. */
export type Jump = Of<"BreakStatement" | "ContinueStatement" | "DebuggerStatement">;

export interface UnaryExpression extends Of<"UnaryExpression"> {
  readonly operator: string;
  readonly argument: Node;
}

export interface BinaryExpression extends Of<"BinaryExpression"> {
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
}

export interface MemberExpression extends Of<"MemberExpression"> {
  /** Where the parser lets a type through that does not belong there. */
  readonly typeAnnotation?: Range | null;
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
}

export interface CallExpression extends Of<"CallExpression" | "NewExpression"> {
  readonly callee: Node;
  readonly arguments: readonly Node[];
  readonly typeArguments?: Range | null;
}

export interface TaggedTemplate extends Of<"TaggedTemplateExpression"> {
  readonly tag: Node;
  readonly quasi: Node;
  readonly typeArguments?: Range | null;
}

export interface ImportCall extends Of<"ImportExpression"> {
  readonly source: Node;
  readonly arguments?: readonly Node[];
}

export interface MetaProperty extends Of<"MetaProperty"> {
  readonly meta: Identifier;
}

export interface Parenthesized extends Of<"ParenthesizedExpression"> {
  readonly expression: Node;
}

/** `e as T`, `e satisfies T`, `e!`, `e<T>`: the type comes after the expression. */
export interface TypeSuffix extends Of<"TSAsExpression" | "TSSatisfiesExpression" | "TSNonNullExpression" | "TSInstantiationExpression"> {
  readonly expression: Node;
}

/** `<T>e`. */
export interface TypeAssertion extends Of<"TSTypeAssertion"> {
  readonly expression: Node;
  readonly typeAnnotation: Range;
}

/** `e: T` where only an arrow's parameter could have a type; the parser lets it through. */
export interface TypeCast extends Of<"TSTypeCastExpression"> {
  readonly typeAnnotation: Range;
}

export interface AwaitExpression extends Of<"AwaitExpression"> {
  readonly argument: Node;
}

/** Nodes that need nothing but a visit of their children. */
export type Plain = Of<
  | "ChainExpression"
  | "ConditionalExpression"
  | "EmptyStatement"
  | "LogicalExpression"
  | "PrivateIdentifier"
  | "SequenceExpression"
  | "Super"
  | "TemplateElement"
  | "ThisExpression"
  | "YieldExpression"
>;

export interface Program extends Range {
  readonly body: readonly Node[];
}

export type Node =
  | ArrayNode
  | AssignmentExpression
  | AssignmentPattern
  | AwaitExpression
  | BinaryExpression
  | Block
  | CallExpression
  | CatchClause
  | ClassBody
  | ClassMember
  | ClassNode
  | EnumNode
  | ExportDefault
  | ExportNamed
  | ExpressionStatement
  | ForEach
  | ForNode
  | FunctionNode
  | Identifier
  | IfStatement
  | ImportCall
  | ImportEquals
  | ImportNode
  | IndexSignature
  | Jump
  | LabelNode
  | Literal
  | MemberExpression
  | MetaProperty
  | ModuleNode
  | ObjectNode
  | ParameterProperty
  | Parenthesized
  | Plain
  | Property
  | Refused
  | ReturnStatement
  | Signature
  | SpreadNode
  | StaticBlock
  | SwitchNode
  | TaggedTemplate
  | TemplateLiteral
  | ThrowStatement
  | TryStatement
  | TypeAssertion
  | TypeCast
  | TypeOnly
  | TypeSuffix
  | UnaryExpression
  | UpdateExpression
  | VariableNode
  | Declarator
  | WhileNode;

/** The nodes directly below a plain node, in source order. A plain node holds no types. */
export function childrenOf(node: Plain): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children.sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value;
}

/** The name a function or class gives itself: one or none. */
export function ownName(node: FunctionNode | ClassNode): string[] {
  return node.id === null || node.id === undefined ? [] : [node.id.name];
}

/** The expression without the parentheses and types around it. */
export function bare(node: Node): Node {
  let inner = node;
  while (
    inner.type === "ParenthesizedExpression" ||
    inner.type === "TSAsExpression" ||
    inner.type === "TSSatisfiesExpression" ||
    inner.type === "TSNonNullExpression" ||
    inner.type === "TSInstantiationExpression" ||
    inner.type === "TSTypeAssertion"
  )
    inner = inner.expression;
  return inner;
}
