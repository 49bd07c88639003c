import { atomText, bounded, errorHead, keyText, valueHead } from "./inspect-head.ts";
import type { Brackets } from "./inspect-head.ts";
import { ACCESSOR, dataProperty, firstMembers, sizeOf, someKeys, valueKind } from "./reflect-value.ts";
import type { ValueKind } from "./reflect-value.ts";

export interface InspectOptions {
  /** Most characters returned. Default 5,000. */
  readonly maxChars?: number;
  /** Levels of nesting shown; deeper ones are named. Default 4. */
  readonly depth?: number;
  /** Entries shown of each array, map or set. Default 100. */
  readonly maxItems?: number;
  /** Keys shown of each object. Default 50. */
  readonly maxKeys?: number;
  /** Characters shown of each string. Default 1,000. */
  readonly maxStringChars?: number;
  /** Width up to which an object stays on one line. Default 100; `Infinity` puts all on one. */
  readonly lineChars?: number;
  /** Leaves out the `_names` of class instances. Default false. */
  readonly hidePrivate?: boolean;
  /** How an error starts. Default `TypeError: message`. */
  readonly errorText?: (error: Error) => string;
}

/**
 * A value as text for the model: bounded, and the same for equal values on every run.
 *
 * V1. Runs no code of the value: accessors show as `[getter]`, proxies as `[Proxy]`, promises and iterators by name.
 *     (`node:util` `inspect` reads `Symbol.toStringTag`, an error's `stack` and a class's static `name` through getters: not used.)
 * V2. Ends on every value: cycles are marked `[Circular]`; depth, width and length are bounded.
 * V3. Never longer than `maxChars`; what was left out is counted or marked with `…`.
 */
export function inspectValue(value: unknown, options: InspectOptions = {}): string {
  const maxChars = options.maxChars ?? 5_000;
  const text = show(
    value,
    {
      depth: options.depth ?? 4,
      maxItems: options.maxItems ?? 100,
      maxKeys: options.maxKeys ?? 50,
      maxStringChars: Math.min(options.maxStringChars ?? 1_000, maxChars),
      lineChars: options.lineChars ?? 100,
      hidePrivate: options.hidePrivate ?? false,
      errorText: options.errorText ?? errorHead,
      path: new Set(),
      leftChars: maxChars,
    },
    0,
  );
  return bounded(text, maxChars);
}

interface Inspection {
  readonly depth: number;
  readonly maxItems: number;
  readonly maxKeys: number;
  readonly maxStringChars: number;
  readonly lineChars: number;
  readonly hidePrivate: boolean;
  readonly errorText: (error: Error) => string;
  /** The objects around the one shown: meeting one of them again is a cycle. */
  readonly path: Set<object>;
  /** What may still be written; at 0 the walk stops. */
  leftChars: number;
}

function show(value: unknown, inspection: Inspection, level: number): string {
  if (typeof value === "object" && value !== null) return showObject(value, inspection, level);
  const text = atomText(value, inspection.maxStringChars);
  inspection.leftChars -= text.length;
  return text;
}

function showObject(value: object, inspection: Inspection, level: number): string {
  const kind = valueKind(value);
  const { text, brackets, empty } = valueHead(value, kind, inspection.errorText);
  inspection.leftChars -= text.length + 4;
  if (brackets === undefined) return text;
  if (inspection.path.has(value)) return "[Circular]";
  if (level >= inspection.depth)
    return text === "" ? (kind === "array" ? `[Array(${String(sizeOf(value) ?? 0)})]` : "[Object]") : `[${text}]`;
  inspection.path.add(value);
  const entries = entriesOf(value, kind, inspection, level + 1);
  inspection.path.delete(value);
  return entries.length === 0 ? empty : layOut(text, brackets, entries, inspection.lineChars, level);
}

function entriesOf(value: object, kind: ValueKind, inspection: Inspection, level: number): string[] {
  switch (kind) {
    case "array":
      return [...itemsOf(value as readonly unknown[], inspection, level), ...extrasOf(value as readonly unknown[], inspection, level)]; // kind says so
    case "typed-array":
      return numbersOf(value as Uint8Array, inspection, level); // read by index, which all typed arrays have
    case "map":
    case "set":
      return [...membersOf(value, kind, inspection, level), ...propertiesOf(value, kind, inspection, level)];
    default:
      return propertiesOf(value, kind, inspection, level);
  }
}

const more = (count: number): string => `… ${String(count)} more`;

function itemsOf(array: readonly unknown[], inspection: Inspection, level: number): string[] {
  const shown: string[] = [];
  const length = array.length;
  let holes = 0;
  const closeHoles = (): void => {
    if (holes > 0) shown.push(`<${String(holes)} empty>`);
    holes = 0;
  };
  let index = 0;
  for (; index < length && index < inspection.maxItems && inspection.leftChars > 0; index += 1) {
    if (Object.hasOwn(array, index)) {
      closeHoles();
      shown.push(showProperty(dataProperty(array, index), inspection, level));
    } else holes += 1;
  }
  closeHoles();
  if (index < length) shown.push(more(length - index));
  return shown;
}

/** Above this length an array's own names (those of a match, for example) are not looked for: listing them lists its indexes too. */
const LONGEST_WITH_EXTRAS = 1_000;

function extrasOf(array: readonly unknown[], inspection: Inspection, level: number): string[] {
  if (array.length > LONGEST_WITH_EXTRAS) return [];
  const names = Object.keys(array).filter((key) => !/^\d+$/.test(key));
  return names.slice(0, inspection.maxKeys).map((key) => `${keyText(key)}: ${showProperty(dataProperty(array, key), inspection, level)}`);
}

function numbersOf(array: Uint8Array, inspection: Inspection, level: number): string[] {
  const length = sizeOf(array) ?? 0;
  const shown: string[] = [];
  for (let index = 0; index < length && index < inspection.maxItems && inspection.leftChars > 0; index += 1)
    shown.push(show(array[index], inspection, level));
  if (shown.length < length) shown.push(more(length - shown.length));
  return shown;
}

function membersOf(value: object, kind: "map" | "set", inspection: Inspection, level: number): string[] {
  const shown: string[] = [];
  for (const [key, member] of firstMembers(value, kind, inspection.maxItems)) {
    if (inspection.leftChars <= 0) break;
    shown.push(kind === "map" ? `${show(key, inspection, level)} => ${show(member, inspection, level)}` : show(member, inspection, level));
  }
  const count = sizeOf(value) ?? 0;
  if (shown.length < count) shown.push(more(count - shown.length));
  return shown;
}

/** Properties of errors that their head shows already. */
const IN_THE_HEAD: ReadonlySet<string> = new Set(["stack", "message", "name"]);

function propertiesOf(value: object, kind: ValueKind, inspection: Inspection, level: number): string[] {
  const { keys, total } = someKeys(value, inspection.maxKeys);
  const shown: string[] = [];
  let hidden = 0;
  for (const key of keys) {
    if (isHidden(key, kind, inspection)) hidden += 1;
    else if (inspection.leftChars > 0) shown.push(showEntry(key, dataProperty(value, key), inspection, level));
  }
  const omitted = total - hidden - shown.length;
  if (kind === "error") shown.push(...chainOf(value, inspection, level));
  if (omitted > 0) shown.push(more(omitted));
  return shown;
}

function isHidden(key: string, kind: ValueKind, { hidePrivate }: Inspection): boolean {
  return kind === "error" ? IN_THE_HEAD.has(key) : kind === "instance" && hidePrivate && key.startsWith("_");
}

function showEntry(key: string, value: unknown, inspection: Inspection, level: number): string {
  inspection.leftChars -= key.length + 2;
  return `${keyText(key)}: ${showProperty(value, inspection, level)}`;
}

/** `cause` and `errors` of an error are not enumerable, and say the most. */
function chainOf(error: object, inspection: Inspection, level: number): string[] {
  return ["cause", "errors"]
    .filter((key) => Object.getOwnPropertyDescriptor(error, key)?.enumerable === false)
    .map((key) => `[${key}]: ${showProperty(dataProperty(error, key), inspection, level)}`);
}

function showProperty(value: unknown, inspection: Inspection, level: number): string {
  if (value !== ACCESSOR) return show(value, inspection, level);
  inspection.leftChars -= 8;
  return "[getter]";
}

function layOut(head: string, [open, close]: Brackets, entries: readonly string[], lineChars: number, level: number): string {
  const start = `${head}${head === "" ? "" : " "}${open}`;
  const pad = open === "[" ? "" : " ";
  const line = `${start}${pad}${entries.join(", ")}${pad}${close}`;
  if (lineChars === Infinity || (line.length <= lineChars - level * 2 && !line.includes("\n"))) return line;
  const indent = "  ".repeat(level + 1);
  return `${start}\n${indent}${pack(entries, lineChars - indent.length).join(`,\n${indent}`)}\n${"  ".repeat(level)}${close}`;
}

/** Entries up to this length share a line. */
const SHORT_CHARS = 16;

function pack(entries: readonly string[], lineChars: number): string[] {
  const lines: string[] = [];
  let open = false;
  for (const entry of entries) {
    const short = entry.length <= SHORT_CHARS && !entry.includes("\n");
    const last = lines.at(-1);
    if (open && short && last !== undefined && last.length + entry.length + 2 <= lineChars) lines[lines.length - 1] = `${last}, ${entry}`;
    else lines.push(entry);
    open = short;
  }
  return lines;
}
