import { mergeShapes, nameShape, printShape } from "./type-shape.ts";
import type { Shape } from "./type-shape.ts";
import { ACCESSOR, className, dataProperty, firstMembers, functionName, sizeOf, someKeys, valueKind } from "./reflect-value.ts";

export interface InferOptions {
  /** Levels of objects and arrays that are looked into. Default 3. */
  readonly depth?: number;
  /** Keys shown of an object; more are counted. Default 24. */
  readonly maxKeys?: number;
  /** Names for classes and schemas that are declared elsewhere. A class not named here goes by its own name. */
  readonly classText?: (value: object, name: string) => string | undefined;
}

export interface InferredType {
  /** Such as `number`, `{ id: number; note?: string }[]`, `Map<string, number>`, `Light`. */
  readonly type: string;
  /** Length, size, or count of keys; of plain objects only when it is above `maxKeys`. */
  readonly size?: number;
}

/**
 * The TypeScript type of a value, from a bounded look at it.
 *
 * T1. Runs no code of the value: an accessor is `unknown`, a proxy is `object`.
 * T2. Looks at ≤ 64 elements of an array (first 25, last 4, the rest drawn by a fixed seed: a fixed stride would miss what repeats
 *     with its period), at ≤ 8 of an array inside one, and at ≤ 2,000 values in all, whatever the size of the data.
 * T3. The same value gives the same text.
 * Source of the sampling figures: docs/architecture.md, "Describe".
 */
export function inferType(value: unknown, options: InferOptions = {}): InferredType {
  const maxKeys = options.maxKeys ?? 24;
  const look: Look = { maxKeys, classText: options.classText, leftValues: 2_000, samples: OUTER_SAMPLES };
  const shape = shapeOf(value, look, options.depth ?? 3);
  const size =
    sizeOf(value) ??
    (shape.tag === "record" ? shape.keys : shape.tag === "object" && shape.more > 0 ? shape.fields.size + shape.more : undefined);
  return { type: printShape(shape), ...(size === undefined ? {} : { size }) };
}

interface Look {
  readonly maxKeys: number;
  readonly classText: InferOptions["classText"];
  leftValues: number;
  /** How many elements of the next array or map are looked at. */
  samples: number;
}

function shapeOf(value: unknown, look: Look, depth: number): Shape {
  look.leftValues -= 1;
  switch (typeof value) {
    case "string":
      return { tag: "string", values: new Set([value]), seen: 1 };
    case "function":
      return nameShape(functionType(value));
    case "object":
      return value === null ? nameShape("null") : shapeOfObject(value, look, depth);
    default:
      return nameShape(typeof value);
  }
}

function functionType(value: object): string {
  const name = functionName(value);
  return valueKind(value) === "class" && name !== undefined ? `typeof ${name}` : "Function";
}

function shapeOfObject(value: object, look: Look, depth: number): Shape {
  const kind = valueKind(value);
  switch (kind) {
    case "proxy":
      return nameShape(look.classText?.(value, "") ?? "object");
    case "array":
      if (!isBare(value, "Array")) return nameShape(nameOf(value, look));
      return {
        tag: "array",
        item: depth > 0 ? mergeAll(sampleArray(value as readonly unknown[], look.samples), look, depth - 1) : undefined,
      }; // kind says array
    case "map": {
      if (depth <= 0) return nameShape("Map");
      const members = firstMembers(value, "map", look.samples);
      const keys = mergeAll(members.map(([key]) => key), look, depth - 1); // prettier-ignore
      return { tag: "generic", name: nameOf(value, look), of: [keys, mergeAll(members.map(([, member]) => member), look, depth - 1)] }; // prettier-ignore
    }
    case "set": {
      if (depth <= 0) return nameShape("Set");
      const members = firstMembers(value, "set", look.samples).map(([member]) => member);
      return { tag: "generic", name: nameOf(value, look), of: [mergeAll(members, look, depth - 1)] };
    }
    case "promise":
      return nameShape("Promise<unknown>");
    case "plain":
      return depth > 0 ? shapeOfPlain(value, look, depth - 1) : nameShape("object");
    default:
      return nameShape(nameOf(value, look));
  }
}

const isBare = (value: object, name: string): boolean => (className(value) ?? name) === name;

function nameOf(value: object, look: Look): string {
  const name = className(value) ?? "object";
  return look.classText?.(value, name) ?? name;
}

function shapeOfPlain(value: object, look: Look, depth: number): Shape {
  const { keys, total } = someKeys(value, look.maxKeys + 1);
  const shapes = new Map<string, Shape>();
  for (const key of keys) {
    if (look.leftValues <= 0) break;
    const member = dataProperty(value, key);
    shapes.set(key, member === ACCESSOR ? nameShape("unknown") : shapeOf(member, look, depth));
  }
  if (total > look.maxKeys) {
    const merged = mergeShapes([...shapes.values()]);
    if (merged !== undefined && isUniform(merged)) return { tag: "record", value: merged, keys: total };
  }
  const fields = new Map([...shapes].slice(0, look.maxKeys).map(([name, shape]) => [name, { shape, optional: false }] as const));
  return { tag: "object", fields, more: total - fields.size };
}

/** Whether values that merged into `shape` were alike: none lacked a property that others had. */
function isUniform(shape: Shape): boolean {
  if (shape.tag === "object") return [...shape.fields.values()].every(({ optional }) => !optional);
  return shape.tag !== "union";
}

/** One shape for all values, or for as many as may be looked at: one that was cut short would tell of gaps that are not there. */
function mergeAll(values: readonly unknown[], look: Look, depth: number): Shape | undefined {
  const { samples } = look;
  look.samples = INNER_SAMPLES;
  const shapes: Shape[] = [];
  for (const value of values) {
    const shape = value === ACCESSOR ? nameShape("unknown") : shapeOf(value, look, depth);
    if (look.leftValues <= 0 && shapes.length > 0) break;
    shapes.push(shape);
  }
  look.samples = samples;
  return mergeShapes(shapes);
}

/** Elements looked at of an array, and of one inside it. */
const OUTER_SAMPLES = 64;
const INNER_SAMPLES = 8;

/** Elements of an array by T2; holes are left out, accessors are `ACCESSOR`. */
function sampleArray(array: readonly unknown[], samples: number): unknown[] {
  return sampleIndexes(array.length, samples)
    .filter((index) => Object.hasOwn(array, index))
    .map((index) => dataProperty(array, index));
}

/** Ascending places of a sample of at most `samples` (≥ 8) of `length`: two fifths from the start, a sixteenth from the end, the rest drawn between. */
export function sampleIndexes(length: number, samples: number): number[] {
  if (length <= samples) return Array.from({ length }, (_, index) => index);
  const first = Math.floor(samples * 0.4);
  const last = Math.max(1, Math.floor(samples / 16));
  const chosen = new Set<number>();
  for (let index = 0; index < first; index += 1) chosen.add(index);
  for (let index = length - last; index < length; index += 1) chosen.add(index);
  let state = length >>> 0;
  while (chosen.size < samples) {
    // A 32-bit linear congruential generator; its high bits are spread well enough to draw places.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.add(first + Math.floor((state / 2 ** 32) * (length - first - last)));
  }
  return [...chosen].sort((a, b) => a - b);
}
