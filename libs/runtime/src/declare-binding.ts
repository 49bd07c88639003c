import type { z } from "zod";
import { inferType } from "./infer-type.ts";
import { inspectValue } from "./inspect-value.ts";
import { ACCESSOR, constructorOf, dataProperty, sizeOf, sourceText, valueKind } from "./reflect-value.ts";
import type { Binding } from "./runtime.ts";
import { outlineClass, outlineFunction } from "./source-outline.ts";
import type { CallOutline, MemberOutline } from "./source-outline.ts";
import { docComment } from "./type-text.ts";
import { zodShapeToTypeScript, zodToTypeScript } from "./zod-to-typescript.ts";
import type { ZodTypeOptions, ZodTypeText } from "./zod-to-typescript.ts";

/** How much is said of one name. */
export interface Detail {
  readonly depth: number;
  readonly maxKeys: number;
  /** Members of a class. */
  readonly maxMembers: number;
  /** Characters of the example value; 0 shows none. */
  readonly previewChars: number;
  readonly comments: boolean;
}

/** The name, its kind, and its outermost type. */
export const NO_DETAIL: Detail = { depth: 0, maxKeys: 0, maxMembers: 0, previewChars: 0, comments: false };

/** From most to least. The first is the depth and width of docs/architecture.md, "Describe". */
export const DETAILS: readonly Detail[] = [
  { depth: 3, maxKeys: 24, maxMembers: 60, previewChars: 120, comments: true },
  { depth: 2, maxKeys: 12, maxMembers: 30, previewChars: 60, comments: true },
  { depth: 1, maxKeys: 8, maxMembers: 12, previewChars: 0, comments: false },
  NO_DETAIL,
];

/** Writes the declaration of one name. */
export interface Declarer {
  /** Lines of TypeScript. `declared` holds the classes that stand in the text already; those this writes are added. */
  declare(binding: Binding, detail: Detail, declared: Set<object>): string[];
}

/** Knows all bindings, so that a type that has a name is written by it. */
export function createDeclarer(bindings: readonly Binding[]): Declarer {
  const schemaNames = new Map<z.ZodType, string>();
  const classNames = new Map<object, string>();
  for (const { kind, name, schema, value } of bindings) {
    if (kind !== "type") continue;
    if (schema !== undefined) schemaNames.set(schema, name);
    else if (typeof value === "function") classNames.set(value, name);
  }
  return {
    declare(binding, detail, declared) {
      const { lines, comment } = declarationOf(binding, detail, { schemaNames, classNames, declared });
      const doc = binding.description === undefined || !detail.comments ? [] : [docComment(binding.description)];
      const last = lines.length - 1;
      // What a declaration needs comes first; its own description stands right before it.
      return [...lines.slice(0, last), ...doc, `${lines[last] ?? ""}${comment === "" ? "" : ` // ${comment}`}`];
    },
  };
}

interface Known {
  readonly schemaNames: ReadonlyMap<z.ZodType, string>;
  readonly classNames: ReadonlyMap<object, string>;
  readonly declared: Set<object>;
}

interface Declaration {
  /** The declaration itself is the last. */
  readonly lines: readonly string[];
  readonly comment: string;
}

function declarationOf(binding: Binding, detail: Detail, known: Known): Declaration {
  switch (binding.kind) {
    case "type":
      return { lines: typeLines(binding, detail, known), comment: "" };
    case "function":
      return { lines: functionLines(binding, detail, known), comment: "" };
    default:
      return callableDeclaration(binding, detail, known) ?? variableDeclaration(binding, detail, known);
  }
}

/** A variable that holds a function or a class, as cells make them, says more as one. */
function callableDeclaration(binding: Binding, detail: Detail, known: Known): Declaration | undefined {
  const { kind, typeText, schema, value } = binding;
  if (kind !== "variable" || typeText !== undefined || schema !== undefined || typeof value !== "function") return undefined;
  const lines = valueKind(value) === "class" ? typeLines(binding, detail, known) : functionLines(binding, detail, known);
  return { lines, comment: "" };
}

/** A type, and the lines that declare what it refers to. */
interface TypeText {
  readonly type: string;
  readonly lines: readonly string[];
}

const withDeclared = ({ type, recursive }: ZodTypeText): TypeText => ({
  type,
  lines: recursive.map((each) => `type ${each.name} = ${each.type};`),
});

function zodOptions(side: "input" | "output", { depth, comments }: Detail, { schemaNames }: Known): ZodTypeOptions {
  // A schema was written to be read, and has no more levels than its author gave it: twice the depth of what is inferred.
  return { side, names: schemaNames, depth: depth * 2, comments };
}

function schemaText(schema: z.ZodType, detail: Detail, known: Known): TypeText {
  const name = known.schemaNames.get(schema);
  return name === undefined ? withDeclared(zodToTypeScript(schema, zodOptions("output", detail, known))) : { type: name, lines: [] };
}

function typeLines({ name, typeText, schema, value, doc }: Binding, detail: Detail, known: Known): readonly string[] {
  if (typeText !== undefined) return [`type ${name} = ${typeText};`];
  if (schema !== undefined) {
    const { type, lines } = withDeclared(zodToTypeScript(schema, zodOptions("output", detail, known)));
    return [...lines, `type ${name} = ${type};`];
  }
  if (typeof value !== "function") return [`type ${name} = unknown;`];
  known.declared.add(value);
  return [classText(name, value, doc === "signatures" ? { ...detail, comments: false } : detail)];
}

function functionLines({ name, typeText, input, output, value }: Binding, detail: Detail, known: Known): readonly string[] {
  if (typeText !== undefined) return [`declare function ${name}${typeText};`];
  const call = typeof value === "function" ? outlineFunction(value) : undefined;
  const taken =
    input === undefined
      ? undefined
      : withDeclared(zodShapeToTypeScript(input, zodOptions("input", { ...detail, depth: detail.depth + 1 }, known)));
  const given = output === undefined ? undefined : schemaText(output, detail, known);
  const parameters =
    taken === undefined ? (call?.parameters ?? "...args") : Object.keys(input ?? {}).length === 0 ? "" : `input: ${taken.type}`;
  return [
    ...(taken?.lines ?? []),
    ...(given?.lines ?? []),
    `declare function ${name}(${parameters})${given === undefined ? resultOf(call) : `: ${awaited(given.type)}`};`,
  ];
}

/** A function with schemas is called through checks and a log, which take their time: it is awaited on every kind of runtime. */
const awaited = (type: string): string => (type.startsWith("Promise<") ? type : `Promise<${type}>`);

function resultOf(call: CallOutline | undefined): string {
  if (call === undefined || (!call.async && !call.generator)) return "";
  if (call.generator) return call.async ? ": AsyncIterable<any>" : ": Iterable<any>";
  return ": Promise<any>";
}

function variableDeclaration(binding: Binding, detail: Detail, known: Known): Declaration {
  const { name, kind, value, preview } = binding;
  const { type, lines } = variableType(binding, detail, known);
  const comment = kind === "handle" ? "" : commentOn(value, preview ?? true, detail);
  return { lines: [...lines, `declare ${kind === "handle" ? "const" : "let"} ${name}: ${type};`], comment };
}

function variableType({ typeText, schema, value }: Binding, detail: Detail, known: Known): TypeText {
  if (typeText !== undefined) return { type: typeText, lines: [] };
  if (schema !== undefined) return schemaText(schema, detail, known);
  const lines: string[] = [];
  const classText = (instance: object, name: string): string | undefined => {
    const constructor = constructorOf(instance);
    if (constructor === undefined) return undefined;
    if (detail.maxMembers > 0) lines.push(...introduce(constructor, name, detail, known));
    return known.classNames.get(constructor);
  };
  const { type } = inferType(value, { depth: detail.depth, maxKeys: detail.maxKeys, classText });
  return { type: value === undefined ? "unknown" : type, lines };
}

/** Classes met in values are declared once, before their first use; built-in ones are known. */
function introduce(constructor: object, name: string, detail: Detail, { declared, classNames }: Known): string[] {
  if (declared.has(constructor) || classNames.has(constructor) || isBuiltIn(constructor, name)) return [];
  declared.add(constructor);
  return [classText(name, constructor, detail)];
}

function isBuiltIn(constructor: object, name: string): boolean {
  const value = dataProperty(globalThis, name);
  return value === constructor || sourceText(constructor).endsWith("{ [native code] }") || (name in globalThis && value === ACCESSOR);
}

/** Size and a short example. */
function commentOn(value: unknown, preview: boolean, { previewChars }: Detail): string {
  if (value === undefined) return "not set yet";
  const size = sizeText(value);
  if (!preview || previewChars === 0) return size;
  const example = inspectValue(value, {
    maxChars: previewChars,
    maxStringChars: previewChars / 2,
    maxItems: 3,
    maxKeys: 8,
    depth: 3,
    lineChars: Infinity,
    hidePrivate: true,
  });
  return `${size}${size === "" ? "" : ", "}${typeof value === "object" ? "e.g." : "="} ${example}`;
}

function sizeText(value: unknown): string {
  const size = sizeOf(value);
  if (size === undefined || (typeof value === "string" && size < 100)) return "";
  const kind = valueKind(value);
  return kind === "map" || kind === "set" ? `size ${String(size)}` : kind === "buffer" ? `${String(size)} bytes` : `length ${String(size)}`;
}

/** A class longer than this stands on several lines. */
const LONGEST_LINE_CHARS = 120;

function classText(name: string, constructor: object, { maxMembers, comments }: Detail): string {
  const { members } = outlineClass(constructor);
  const shown = members
    .slice(0, maxMembers)
    .map((member) => `${comments && member.doc !== undefined ? `${docComment(member.doc)} ` : ""}${memberText(member)};`);
  if (members.length > maxMembers) shown.push(`/* +${String(members.length - maxMembers)} more */`);
  const line = `declare class ${name} { ${shown.join(" ")} }`;
  if (shown.length === 0) return `declare class ${name} {}`;
  return line.length <= LONGEST_LINE_CHARS ? line : `declare class ${name} {\n  ${shown.join("\n  ")}\n}`;
}

function memberText({ name, kind, static: isStatic, call, type }: MemberOutline): string {
  const prefix = `${isStatic ? "static " : ""}${kind === "getter" ? "readonly " : ""}`;
  if (call === undefined) return `${prefix}${name}${type === undefined ? "" : `: ${type}`}`;
  return `${prefix}${name}(${call.parameters})${resultOf(call)}`;
}
