/** A stretch of the source: UTF-16 offsets, `end` exclusive. Types are only ever erased, so a stretch is all we keep of them. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Of<Type extends string> extends Range {
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

export interface FunctionNode extends Of<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression"> {
  readonly id: Identifier | null;
  readonly params: readonly (Node | ParameterProperty)[];
  readonly body: Node;
  readonly async: boolean;
  readonly generator: boolean;
  readonly expression: boolean;
  readonly typeParameters?: Range | null;
  readonly returnType?: Range | null;
}

/** A signature without a body: an overload, an abstract method, a declared function. */
export interface Signature extends Of<"TSDeclareFunction" | "TSDeclareMethod" | "TSEmptyBodyFunctionExpression"> {
  readonly id?: Identifier | null;
}

export interface ParameterProperty extends Of<"TSParameterProperty"> {
  readonly parameter: Node;
}

export interface ClassNode extends Of<"ClassDeclaration" | "ClassExpression">, Decorated {
  /** Absent in `class implements I {}`. */
  readonly id?: Identifier | null;
  readonly superClass: Node | null;
  readonly body: ClassBody;
  readonly abstract?: boolean;
  readonly declare?: boolean;
  readonly typeParameters?: Range | null;
  readonly superTypeParameters?: Range | null;
  readonly implements?: readonly Range[];
}

export interface ClassBody extends Of<"ClassBody"> {
  readonly body: readonly (ClassMember | StaticBlock | IndexSignature)[];
}

export interface ClassMember
  extends Of<"MethodDefinition" | "PropertyDefinition" | "TSAbstractMethodDefinition" | "TSAbstractPropertyDefinition">, Decorated {
  readonly key: Node;
  readonly value: FunctionNode | Signature | Node | null;
  readonly computed: boolean;
  readonly static: boolean;
  readonly kind?: "constructor" | "method" | "get" | "set";
  readonly abstract?: boolean;
  readonly declare?: boolean;
  readonly accessor?: boolean;
  readonly optional?: boolean;
  readonly definite?: boolean;
  readonly typeParameters?: Range | null;
  readonly typeAnnotation?: Range | null;
}

export interface StaticBlock extends Of<"StaticBlock"> {
  readonly body: readonly Node[];
}

export type IndexSignature = Of<"TSIndexSignature">;

export interface EnumNode extends Of<"TSEnumDeclaration"> {
  readonly id: Identifier;
  readonly members: readonly EnumMember[];
  readonly declare?: boolean;
}

export interface EnumMember extends Range {
  readonly id: Node;
  readonly initializer?: Node | null;
}

export interface Declarator extends Of<"VariableDeclarator"> {
  readonly id: Node;
  readonly init: Node | null;
  readonly definite?: boolean;
}

export interface VariableNode extends Of<"VariableDeclaration"> {
  readonly kind: "var" | "let" | "const" | "using" | "await using";
  readonly declarations: readonly Declarator[];
  readonly declare?: boolean;
}

export interface ExpressionStatement extends Of<"ExpressionStatement"> {
  readonly expression: Node;
  readonly directive?: string;
}

export interface Block extends Of<"BlockStatement"> {
  readonly body: readonly Node[];
}

export interface ForNode extends Of<"ForStatement"> {
  readonly init: Node | null;
  readonly test: Node | null;
  readonly update: Node | null;
  readonly body: Node;
}

export interface ForEach extends Of<"ForInStatement" | "ForOfStatement"> {
  readonly left: Node;
  readonly right: Node;
  readonly body: Node;
  readonly await?: boolean;
}

export interface WhileNode extends Of<"WhileStatement" | "DoWhileStatement"> {
  readonly test: Node;
  readonly body: Node;
}

export interface IfStatement extends Of<"IfStatement"> {
  readonly test: Node;
  readonly consequent: Node;
  readonly alternate: Node | null;
}

export interface TryStatement extends Of<"TryStatement"> {
  readonly block: Block;
  readonly handler: CatchClause | null;
  readonly finalizer: Block | null;
}

export interface SwitchNode extends Of<"SwitchStatement"> {
  readonly discriminant: Node;
  readonly cases: readonly { readonly test: Node | null; readonly consequent: readonly Node[] }[];
}

export interface CatchClause extends Of<"CatchClause"> {
  readonly param: Node | null;
  readonly body: Block;
}

export interface ReturnStatement extends Of<"ReturnStatement"> {
  readonly argument: Node | null;
}

export interface LabelNode extends Of<"LabeledStatement"> {
  readonly body: Node;
}

export interface Specifier extends Of<"ImportSpecifier" | "ImportDefaultSpecifier" | "ImportNamespaceSpecifier"> {
  readonly local: Identifier;
  readonly imported?: Identifier | Literal;
  readonly importKind?: "type" | "value";
}

export interface ImportAttribute {
  readonly key: Identifier | Literal;
  readonly value: Literal;
}

export interface ImportNode extends Of<"ImportDeclaration"> {
  readonly specifiers: readonly Specifier[];
  readonly source: Literal;
  readonly attributes?: readonly ImportAttribute[];
  readonly importKind?: "type" | "value";
}

export interface ExportSpecifier extends Range {
  readonly local: Identifier | Literal;
  readonly exportKind?: "type" | "value";
}

export interface ExportNamed extends Of<"ExportNamedDeclaration"> {
  readonly declaration: Node | null;
  readonly specifiers: readonly ExportSpecifier[];
  readonly source: Literal | null;
  readonly attributes?: readonly ImportAttribute[];
  readonly exportKind?: "type" | "value";
}

export interface ExportDefault extends Of<"ExportDefaultDeclaration"> {
  readonly declaration: Node;
}

export interface ModuleNode extends Of<"TSModuleDeclaration"> {
  readonly body?: ModuleNode | (Of<"TSModuleBlock"> & { readonly body: readonly Node[] }) | null;
  readonly declare?: boolean;
}

export interface ImportEquals extends Of<"TSImportEqualsDeclaration"> {
  readonly importKind?: "type" | "value";
}

/** Nodes that are types and nothing else, or that we refuse by name. */
export type TypeOnly = Of<"TSInterfaceDeclaration" | "TSTypeAliasDeclaration">;
export type Refused = Of<"ExportAllDeclaration" | "TSExportAssignment" | "TSNamespaceExportDeclaration">;

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
