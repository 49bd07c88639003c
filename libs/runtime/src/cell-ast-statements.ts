import type { Decorated, Identifier, Literal, Node, Of, Range } from "./cell-ast.ts";

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
