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
  const groups = new Map<string, [Shape, ...Shape[]]>();
  for (const shape of shapes.flatMap((each) => (each.tag === "union" ? each.members : [each]))) {
    const key = groupOf(shape);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [shape]);
    else group.push(shape);
  }
  const members = [...groups.values()].map(mergeAlike);
  const [first] = members;
  return members.length <= 1 ? first : { tag: "union", members };
}

/** Shapes of one group merge into one; those of different groups stand beside each other in a union. */
function groupOf(shape: Shape): string {
  if (shape.tag === "name") return `name ${shape.name}`;
  return shape.tag === "generic" ? `generic ${shape.name} ${String(shape.of.length)}` : shape.tag;
}

function mergeAlike([first, ...rest]: [Shape, ...Shape[]]): Shape {
  if (rest.length === 0) return first;
  // All of one group have the tag of the first.
  const all = [first, ...rest];
  switch (first.tag) {
    case "string": {
      const strings = all as readonly Tagged<"string">[];
      const values = new Set(strings.flatMap((each) => [...each.values]));
      return {
        tag: "string",
        values: new Set([...values].slice(0, MOST_LITERALS + 1)),
        seen: strings.reduce((sum, each) => sum + each.seen, 0),
      };
    }
    case "array":
      return { tag: "array", item: mergeKnown((all as readonly Tagged<"array">[]).map(({ item }) => item)) };
    case "generic":
      return { ...first, of: first.of.map((_, index) => mergeKnown((all as readonly Tagged<"generic">[]).map(({ of }) => of[index]))) };
    case "record": {
      const records = all as readonly Tagged<"record">[];
      return {
        tag: "record",
        value: mergeShapes(records.map(({ value }) => value)) ?? first.value,
        keys: Math.max(...records.map(({ keys }) => keys)),
      };
    }
    case "object":
      return mergeObjects(all as readonly Tagged<"object">[]);
    case "name":
    case "union":
      return first;
  }
}

type Tagged<Tag extends Shape["tag"]> = Extract<Shape, { tag: Tag }>;

const mergeKnown = (shapes: readonly (Shape | undefined)[]): Shape | undefined =>
  mergeShapes(shapes.filter((shape) => shape !== undefined));

function mergeObjects(objects: readonly Tagged<"object">[]): Shape {
  const met = new Map<string, { readonly shapes: Shape[]; optional: boolean }>();
  for (const { fields } of objects)
    for (const [name, { shape, optional }] of fields) {
      const known = met.get(name);
      if (known === undefined) met.set(name, { shapes: [shape], optional });
      else {
        known.shapes.push(shape);
        known.optional ||= optional;
      }
    }
  // A key left out for width is not known to be missing.
  const complete = objects.filter(({ more }) => more === 0);
  const fields = new Map<string, ShapeField>();
  for (const [name, { shapes, optional }] of met) {
    const [first] = shapes;
    const shape = mergeShapes(shapes) ?? first;
    if (shape !== undefined) fields.set(name, { shape, optional: optional || complete.some((object) => !object.fields.has(name)) });
  }
  return { tag: "object", fields, more: Math.max(...objects.map(({ more }) => more)) };
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
  return (
    seen >= FEWEST_SEEN &&
    values.size >= FEWEST_LITERALS &&
    values.size <= MOST_LITERALS &&
    seen >= values.size * 2 &&
    [...values].every((text) => text.length <= LONGEST_LITERAL_CHARS)
  );
}

function printObject({ fields, more }: Tagged<"object">): string {
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
