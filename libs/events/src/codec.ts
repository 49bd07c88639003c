import { addExtension, Packr, Unpackr } from "msgpackr";
import { Envelope, Escape, NegativeZero } from "./envelope.ts";
import { openEnvelope } from "./envelope-open.ts";
import { MalformedError, NotSerialisableError, TooLargeError } from "./errors.ts";
import { DEEPEST, withDefaults } from "./value.ts";
import type { ReferenceExporter, ReferenceImporter, ValueLimits } from "./value.ts";
import { nodeBuffer } from "./value-kind.ts";
import { createPlainWriter } from "./plain-writer.ts";
import { walkValue } from "./value-walk.ts";
import { checkWire, ENVELOPE_TYPE, ESCAPE_TYPE } from "./wire-check.ts";

/**
 * Values as bytes and back, on msgpackr; the only file that knows it. What value.ts says crosses, comes back equal.
 *
 * C1. A plain value is written as it is, without a copy (plain-writer.ts); what msgpackr would change is copied, put in an Envelope
 *     and packed by msgpackr. Both are msgpackr's format, and its Unpackr reads both.
 * C2. `decode` reads what `encode` writes and refuses everything else, trailing bytes too, by MalformedError; it never runs what
 *     a message says, and what it allocates is bounded by the message's length.
 * C3. Decoded values share no memory with the bytes.
 */

export interface EncodeOptions {
  /** Without it a value that holds anything live is refused. */
  readonly references?: ReferenceExporter;
  readonly limits?: ValueLimits;
}

export interface Encoded {
  /** Valid for good: the memory is never written again. */
  readonly bytes: Uint8Array;
  /** Distinct references among them. */
  readonly refs: number;
}

export interface DecodeOptions {
  /** Without it bytes that hold references are refused. */
  readonly references?: ReferenceImporter;
}

/** What an envelope adds to the nesting of the value in it. */
const ENVELOPE_DEPTH = 8;

const settings = { structuredClone: true, moreTypes: true, useToJSON: false };
const writePlain = createPlainWriter();
const packr = new Packr(settings);
const unpackr = new Unpackr(settings);

addExtension({ Class: Escape, type: ESCAPE_TYPE, write: (escape: Escape) => escape.index, read: (index: number) => new Escape(index) });
addExtension({
  Class: Envelope,
  type: ENVELOPE_TYPE,
  write: ({ tree, table }: Envelope) => [tree, table],
  read: ([tree, table]: [unknown, unknown[]]) => new Envelope(tree, table),
});

/** How msgpackr's own extensions write: they ask for room and fill it. Not in its types. */
type Room = (size: number) => { readonly target: Uint8Array; readonly targetView: DataView; readonly position: number };
function writeNegativeZero(_zero: NegativeZero, room?: Room): Uint8Array {
  if (room === undefined) return new Uint8Array();
  const { target, targetView, position } = room(9);
  target[position] = 0xcb; // float 64
  targetView.setFloat64(position + 1, -0);
  return undefined as never; // nothing more is to be written, and msgpackr's types know no such answer
}
addExtension({ Class: NegativeZero, type: 0x4d, pack: writeNegativeZero });

/**
 * @throws {NotSerialisableError} with the path to what may not cross, or to what exceeds a limit.
 * @throws {TooLargeError} when there are more than `limits.bytes`. What the exporter throws with a code passes.
 */
export function encode(value: unknown, { references, limits: given }: EncodeOptions = {}): Encoded {
  const limits = withDefaults(given);
  const plain = writePlain(value, limits);
  if (plain !== undefined) return { bytes: requireSize(plain, limits), refs: 0 };
  const { tree, table, refs } = walkValue(value, limits, references);
  if (table.length === 0) return { bytes: pack(tree, limits), refs };
  const bytes = pack(new Envelope(tree, table), limits);
  requireReadable(bytes);
  return { bytes, refs };
}

function pack(value: unknown, limits: Required<ValueLimits>): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = packr.pack(value);
  } catch (error) {
    throw new NotSerialisableError("value", `packing it failed: ${String(error)}`, error);
  }
  return requireSize(bytes, limits);
}

function requireSize(bytes: Uint8Array, limits: Required<ValueLimits>): Uint8Array {
  if (bytes.length > limits.bytes) throw new TooLargeError("value", bytes.length, limits.bytes);
  return bytes;
}

/** Escapes cut a value into trees; what several of them share is packed where msgpackr meets it first, which may be deeper than the walk met it. */
function requireReadable(bytes: Uint8Array): void {
  try {
    checkWire(bytes, DEEPEST + ENVELOPE_DEPTH);
  } catch (error) {
    throw new NotSerialisableError("value", "nested too deeply", error);
  }
}

/** @throws {MalformedError} when `bytes` are not one whole value as `encode` writes it. What the importer throws passes. */
export function decode(bytes: Uint8Array, { references }: DecodeOptions = {}): unknown {
  checkWire(bytes, DEEPEST + ENVELOPE_DEPTH);
  const value = unpack(bytes);
  return typeof value === "object" && value !== null && Envelope.is(value) ? openEnvelope(value, references) : value;
}

function unpack(bytes: Uint8Array): unknown {
  // A view of our own: msgpackr hangs a property on what it reads, and reads a Buffer faster.
  const own = nodeBuffer === undefined ? bytes.subarray() : nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return unpackr.unpack(own) as unknown;
  } catch (error) {
    throw new MalformedError("value", String(error), error);
  }
}

/** Refuses what cannot be stored as a value. @throws {NotSerialisableError} with the path to what is live or may not cross. */
export function requireByValue(value: unknown, given?: ValueLimits): void {
  const limits = withDefaults(given);
  if (writePlain(value, limits) === undefined) walkValue(value, limits);
}
