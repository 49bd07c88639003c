import { keyText } from "./inspect-head.ts";
import { grouped } from "./type-text.ts";

/** A type as far as a look at values tells it. Shapes of several values merge into one that holds them all. */
export type Shape =
  /** A type by its name: `number`, `null`, `Date`, `Light`. */
  | { readonly tag: "name"; readonly name: string }
  /** Strings, with up to `MOST_LITERALS` + 1 of the values met. */
  | { readonly tag: "string"; readonly values: ReadonlySet<string>; readonly seen: number }
  /** `item` is undefined when nothing is known of the elements. */
  | { readonly tag: "array"; readonly item: Shape | undefined }
  | { readonly tag: "generic"; readonly name: string; readonly of: readonly (Shape | undefined)[] }
  | { readonly tag: "object"; readonly fields: ReadonlyMap<string, ShapeField>; readonly more: number }
  /** Many keys whose values are alike. */
  | { readonly tag: "record"; readonly value: Shape; readonly keys: number }
  | { readonly tag: "union"; readonly members: readonly Shape[] };

export interface ShapeField {
  readonly shape: Shape;
  readonly optional: boolean;
}

export const nameShape = (name: string): Shape => ({ tag: "name", name });

/** A union of literals says more than `string` when there are few, short ones, met often. One alone is chance. */
const FEWEST_LITERALS = 2;
const MOST_LITERALS = 4;
const LONGEST_LITERAL_CHARS = 24;
const FEWEST_SEEN = 8;

/** One shape that holds all; undefined for none. */
export function mergeShapes(shapes: readonly Shape[]): Shape | undefined {
  const members: Shape[] = [];
  for (const shape of shapes.flatMap((each) => (each.tag === "union" ? each.members : [each]))) {
    const at = members.findIndex((member) => alike(member, shape));
    const known = members[at];
    if (known === undefined) members.push(shape);
    else members[at] = mergeTwo(known, shape);
  }
  const [first] = members;
  return members.length <= 1 ? first : { tag: "union", members };
}

/** Whether two shapes merge into one, rather than stand beside each other in a union. */
function alike(a: Shape, b: Shape): boolean {
  if (a.tag === "name" && b.tag === "name") return a.name === b.name;
  if (a.tag === "generic" && b.tag === "generic") return a.name === b.name && a.of.length === b.of.length;
  return a.tag === b.tag;
}

function mergeTwo(a: Shape, b: Shape): Shape {
  if (a.tag === "string" && b.tag === "string") return { tag: "string", values: new Set([...a.values, ...b.values].slice(0, MOST_LITERALS + 1)), seen: a.seen + b.seen };
  if (a.tag === "array" && b.tag === "array") return { tag: "array", item: mergeMaybe(a.item, b.item) };
  if (a.tag === "generic" && b.tag === "generic") return { ...a, of: a.of.map((shape, index) => mergeMaybe(shape, b.of[index])) };
  if (a.tag === "record" && b.tag === "record") return { tag: "record", value: mergeShapes([a.value, b.value]) ?? a.value, keys: Math.max(a.keys, b.keys) };
  if (a.tag === "object" && b.tag === "object") return mergeObjects(a, b);
  return a;
}

const mergeMaybe = (a: Shape | undefined, b: Shape | undefined): Shape | undefined => (a === undefined ? b : b === undefined ? a : mergeShapes([a, b]));

type ObjectShape = Extract<Shape, { tag: "object" }>;

function mergeObjects(a: ObjectShape, b: ObjectShape): Shape {
  const fields = new Map<string, ShapeField>();
  for (const [name, field] of a.fields) {
    const other = b.fields.get(name);
    // A key left out for width is not known to be missing.
    if (other === undefined) fields.set(name, { shape: field.shape, optional: field.optional || b.more === 0 });
    else fields.set(name, { shape: mergeShapes([field.shape, other.shape]) ?? field.shape, optional: field.optional || other.optional });
  }
  for (const [name, field] of b.fields) if (!fields.has(name)) fields.set(name, { shape: field.shape, optional: field.optional || a.more === 0 });
  return { tag: "object", fields, more: Math.max(a.more, b.more) };
}

/** A shape as TypeScript. */
export function printShape(shape: Shape): string {
  switch (shape.tag) {
    case "name":
      return shape.name;
    case "string":
      return isLiteralUnion(shape.values, shape.seen) ? [...shape.values].map((text) => JSON.stringify(text)).join(" | ") : "string";
    case "array":
      return shape.item === undefined ? "unknown[]" : `${grouped(printShape(shape.item))}[]`;
    case "generic":
      return `${shape.name}<${shape.of.map((part) => (part === undefined ? "unknown" : printShape(part))).join(", ")}>`;
    case "record":
      return `Record<string, ${printShape(shape.value)}>`;
    case "object":
      return printObject(shape);
    case "union":
      return inReadingOrder(shape.members).map(printShape).join(" | ");
  }
}

function isLiteralUnion(values: ReadonlySet<string>, seen: number): boolean {
  return seen >= FEWEST_SEEN && values.size >= FEWEST_LITERALS && values.size <= MOST_LITERALS && seen >= values.size * 2 && [...values].every((text) => text.length <= LONGEST_LITERAL_CHARS);
}

function printObject({ fields, more }: ObjectShape): string {
  const members = [...fields].map(([name, { shape, optional }]) => {
    const missing = optional ? withoutUndefined(shape) : shape;
    return `${keyText(name)}${optional ? "?" : ""}: ${printShape(missing)}`;
  });
  if (more > 0) members.push(`/* +${String(more)} more */`);
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}

/** `?` says it. */
function withoutUndefined(shape: Shape): Shape {
  if (shape.tag !== "union") return shape;
  const [first, ...rest] = shape.members.filter((member) => !(member.tag === "name" && member.name === "undefined"));
  return first === undefined ? shape : rest.length === 0 ? first : { tag: "union", members: [first, ...rest] };
}

/** What a value usually is comes before that it may be missing. */
function inReadingOrder(members: readonly Shape[]): Shape[] {
  const isMissing = (shape: Shape): boolean => shape.tag === "name" && (shape.name === "null" || shape.name === "undefined");
  return [...members.filter((member) => !isMissing(member)), ...members.filter(isMissing)];
}
