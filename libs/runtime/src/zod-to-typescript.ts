import type { z } from "zod";
import { keyText } from "./inspect-head.ts";
import { docComment, grouped, oneOf } from "./type-text.ts";

export interface ZodTypeOptions {
  /** Which side of the schema: what it takes (a default makes a key optional) or what it gives. Default `output`. */
  readonly side?: "input" | "output";
  /** Schemas that are declared under a name: they are printed by it, except the one asked for. */
  readonly names?: ReadonlyMap<z.ZodType, string>;
  /** Levels of objects printed in full. Default 8. */
  readonly depth?: number;
  /** Whether descriptions of properties are printed as comments. Default true. */
  readonly comments?: boolean;
}

export interface ZodTypeText {
  /** The type on one line. */
  readonly type: string;
  /** Types made for parts that contain themselves, name and text; `type` refers to them. */
  readonly recursive: readonly { readonly name: string; readonly type: string }[];
}

/**
 * A zod 4 schema as compact TypeScript.
 *
 * Knows every schema type of zod 4, also those that zod's own JSON-schema export refuses (dates, bigints, maps, sets, classes). What a schema
 * does to values beyond their type (refinements, transforms) is not printed: the output of a transform is `unknown`. A schema that
 * contains itself gets a name, its own from `names` or `Recursive1`, `Recursive2`, …
 */
export function zodToTypeScript(schema: z.ZodType, options: ZodTypeOptions = {}): ZodTypeText {
  const printing = startPrinting(options);
  const depth = options.depth ?? 8;
  return {
    type: printing.names.has(schema) ? printWhole(schema, printing, depth) : print(schema, printing, depth),
    recursive: printing.recursive,
  };
}

/** The same of the properties of an object that has no schema of its own. */
export function zodShapeToTypeScript(shape: z.ZodRawShape, options: ZodTypeOptions = {}): ZodTypeText {
  const printing = startPrinting(options);
  return { type: printObject({ shape }, printing, options.depth ?? 8), recursive: printing.recursive };
}

const startPrinting = ({ side = "output", names = new Map(), comments = true }: ZodTypeOptions): Printing => ({
  side,
  names,
  comments,
  open: new Set(),
  made: new Map(),
  recursive: [],
});

type Schema = z.core.$ZodType;
/** Every def of zod 4, told apart by `type`. */
type Def = z.core.$ZodTypes["_zod"]["def"];
type DefOf<T extends Def["type"]> = Extract<Def, { type: T }>;

interface Printing {
  readonly side: "input" | "output";
  readonly names: ReadonlyMap<z.core.$ZodType, string>;
  readonly comments: boolean;
  /** The schemas around the one printed: meeting one again is recursion. */
  readonly open: Set<Schema>;
  /** Names made for recursive schemas. */
  readonly made: Map<Schema, string>;
  readonly recursive: { readonly name: string; readonly type: string }[];
}

/** The schema's type; by name where it has one. */
function print(schema: Schema, printing: Printing, depth: number): string {
  const name = printing.names.get(schema);
  if (name !== undefined) return name;
  if (printing.open.has(schema)) {
    const made = printing.made.get(schema) ?? `Recursive${String(printing.made.size + 1)}`;
    printing.made.set(schema, made);
    return made;
  }
  const type = printWhole(schema, printing, depth);
  const made = printing.made.get(schema);
  if (made === undefined) return type;
  if (!printing.recursive.some((each) => each.name === made)) printing.recursive.push({ name: made, type });
  return made;
}

function printWhole(schema: Schema, printing: Printing, depth: number): string {
  printing.open.add(schema);
  try {
    return printDef(schema, defOf(schema), printing, depth);
  } finally {
    printing.open.delete(schema);
  }
}

// Every schema zod makes is one of `$ZodTypes`; a class of somebody else's falls to the last case of printDef.
const defOf = (schema: Schema): Def => schema._zod.def as Def;

function printDef(schema: Schema, def: Def, printing: Printing, depth: number): string {
  const inner = (part: Schema): string => print(part, printing, depth);
  switch (def.type) {
    case "string":
    case "number":
    case "bigint":
      return `${def.type}${printing.comments ? limitsText(def) : ""}`;
    case "boolean":
    case "symbol":
    case "null":
    case "undefined":
    case "void":
    case "never":
    case "any":
    case "unknown":
      return def.type;
    case "nan":
      return "number";
    case "date":
      return "Date";
    case "file":
      return "File";
    case "success":
      return "boolean";
    case "transform":
      return "unknown";
    case "object":
      return depth <= 0 ? "object" : printObject(def, printing, depth - 1);
    case "array":
      return `${grouped(inner(def.element))}[]`;
    case "tuple":
      return `[${tupleItems(def, printing, depth).join(", ")}]`;
    case "map":
      return `Map<${inner(def.keyType)}, ${inner(def.valueType)}>`;
    case "set":
      return `Set<${inner(def.valueType)}>`;
    case "record":
      return recordText(def, inner);
    case "union":
      return oneOf(def.options.map(inner));
    case "intersection":
      return `${grouped(inner(def.left))} & ${grouped(inner(def.right))}`;
    case "enum":
      return oneOf([...(schema._zod.values ?? [])].map(literalText));
    case "literal":
      return oneOf(def.values.map(literalText));
    case "template_literal":
      return templateText(def, printing, depth);
    case "optional":
      return oneOf([inner(def.innerType), "undefined"]);
    case "nullable":
      return oneOf([inner(def.innerType), "null"]);
    case "default":
    case "prefault":
      return printing.side === "input" ? oneOf([inner(def.innerType), "undefined"]) : inner(def.innerType);
    case "nonoptional":
      return inner(withoutOptional(def.innerType, "output"));
    case "catch":
      return inner(def.innerType);
    case "readonly":
      return readonlyText(def.innerType, inner(def.innerType));
    case "promise":
      return `Promise<${inner(def.innerType)}>`;
    case "lazy":
      return inner(def.getter());
    case "pipe":
      return inner(printing.side === "input" && defOf(def.in).type !== "transform" ? def.in : def.out);
    case "function":
      return functionText(def, printing, depth);
    case "custom":
      return customText(schema);
    default:
      return "unknown";
  }
}

function printObject(def: Pick<DefOf<"object">, "shape" | "catchall">, printing: Printing, depth: number): string {
  const members = Object.entries(def.shape).map(([key, schema]) => {
    const optional = isOptional(schema, printing.side);
    const shown = optional ? withoutOptional(schema, printing.side) : schema;
    const comment = printing.comments ? commentOf(schema) : "";
    return `${comment}${keyText(key)}${optional ? "?" : ""}: ${print(shown, printing, depth)}`;
  });
  const rest = def.catchall === undefined || defOf(def.catchall).type === "never" ? undefined : def.catchall;
  if (rest !== undefined) members.push(`[key: string]: ${print(rest, printing, depth)}`);
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}

function isOptional(schema: Schema, side: "input" | "output"): boolean {
  return (side === "input" ? schema._zod.optin : schema._zod.optout) !== undefined;
}

/** What an optional property holds when it is there: `?` says the rest. */
function withoutOptional(schema: Schema, side: "input" | "output"): Schema {
  const def = defOf(schema);
  if (def.type === "optional" || (side === "input" && (def.type === "default" || def.type === "prefault")))
    return withoutOptional(def.innerType, side);
  return schema;
}

function tupleItems(def: DefOf<"tuple">, printing: Printing, depth: number): string[] {
  const items = def.items.map((schema) => {
    const optional = isOptional(schema, printing.side);
    const text = print(optional ? withoutOptional(schema, printing.side) : schema, printing, depth);
    return optional ? `${grouped(text)}?` : text;
  });
  if (def.rest !== null) items.push(`...${grouped(print(def.rest, printing, depth))}[]`);
  return items;
}

function recordText(def: DefOf<"record">, inner: (schema: Schema) => string): string {
  const text = `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`;
  // A key schema without listed values is open, and every key of it may be missing anyway.
  return def.partial === true && def.keyType._zod.values !== undefined ? `Partial<${text}>` : text;
}

function templateText(def: DefOf<"template_literal">, printing: Printing, depth: number): string {
  const parts = def.parts.map((part) =>
    typeof part === "object" && part !== null
      ? `\${${print(part, { ...printing, comments: false }, depth)}}`
      : String(part).replace(/[`\\$]/g, "\\$&"),
  );
  return `\`${parts.join("")}\``;
}

function readonlyText(schema: Schema, text: string): string {
  switch (defOf(schema).type) {
    case "array":
    case "tuple":
      return `readonly ${text}`;
    case "map":
    case "set":
      return `Readonly${text}`;
    case "object":
    case "record":
      return `Readonly<${text}>`;
    default:
      return text;
  }
}

function functionText(def: DefOf<"function">, printing: Printing, depth: number): string {
  const input = defOf(def.input);
  const parameters =
    input.type === "tuple"
      ? tupleItems(input, printing, depth).map((item, index) => parameterText(item, index))
      : [`...args: ${grouped(print(def.input, printing, depth))}`];
  return `(${parameters.join(", ")}) => ${print(def.output, printing, depth)}`;
}

function parameterText(item: string, index: number): string {
  if (item.startsWith("...")) return `...rest: ${item.slice(3)}`;
  const optional = item.endsWith("?");
  return `arg${String(index)}${optional ? "?" : ""}: ${optional ? item.slice(0, -1) : item}`;
}

/** A class where the schema was made by `z.instanceof`; else nothing is known. */
function customText(schema: Schema): string {
  const of: unknown = schema._zod.bag["Class"];
  return typeof of === "function" && of.name !== "" ? of.name : "unknown";
}

function literalText(value: z.core.util.Primitive): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "bigint" ? `${String(value)}n` : String(value);
}

/** The description of a property as a comment before it, also when a wrapper such as `optional()` stands around the one described. */
function commentOf(schema: Schema): string {
  const text = describedAs(schema);
  return text === undefined ? "" : `${docComment(text)} `;
}

/** The description of a schema, or of what it wraps. */
export function describedAs(schema: Schema): string | undefined {
  if ("description" in schema && typeof schema.description === "string") return schema.description;
  const def = defOf(schema);
  return "innerType" in def && def.type !== "promise" ? describedAs(def.innerType) : undefined;
}

/** What a string or number must be besides its type, as a short comment: its formats and limits. */
function limitsText(def: Def): string {
  // The definitions of zod's own checks, and of formats that are schemas themselves; what a custom check demands cannot be said.
  const rules = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as unknown as readonly Readonly<Record<string, unknown>>[];
  const formats = new Set<string>();
  let low = "";
  let high = "";
  for (const rule of rules) {
    const { check, format } = rule;
    if (typeof format === "string" && format !== "regex") formats.add(format === "safeint" ? "int" : format);
    if (check === "greater_than") low = boundText(rule["value"], rule["inclusive"] === false ? ">" : "");
    else if (check === "less_than") high = boundText(rule["value"], rule["inclusive"] === false ? "<" : "");
    else if (check === "min_length") low = boundText(rule["minimum"]);
    else if (check === "max_length") high = boundText(rule["maximum"]);
    else if (check === "length_equals") low = high = boundText(rule["length"]);
  }
  const parts = [...formats, ...(low === "" && high === "" ? [] : [low === high ? low : `${low}..${high}`])];
  return parts.length === 0 ? "" : ` /* ${parts.join(", ")} */`;
}

const boundText = (bound: unknown, sign = "") => (typeof bound === "number" || typeof bound === "bigint" ? `${sign}${String(bound)}` : "");
