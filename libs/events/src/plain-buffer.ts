/// <reference lib="es2024.string" />
import { nodeBuffer } from "./value-kind.ts";

/**
 * Room to write one message at a time in, in msgpack's forms. It is kept from message to message; what is handed out is a copy.
 */
export interface PlainBuffer {
  bytes: Uint8Array;
  view: DataView;
  at: number;
}

const FIRST_BYTES = 16_384;
/** A buffer that grew beyond this is dropped after its message. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Texts up to this length are written unit by unit, which is faster than a call. */
const SHORT_TEXT = 32;

const encoder = new TextEncoder();

function allocate(size: number): Uint8Array {
  return nodeBuffer === undefined ? new Uint8Array(size) : nodeBuffer.allocUnsafeSlow(size);
}

export function createPlainBuffer(): PlainBuffer {
  const bytes = allocate(FIRST_BYTES);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 };
}

/** Makes room for `size` bytes more. */
export function reserve(buffer: PlainBuffer, size: number): void {
  if (buffer.at + size <= buffer.bytes.length) return;
  const bytes = allocate(Math.max(buffer.bytes.length * 2, buffer.at + size));
  bytes.set(buffer.bytes.subarray(0, buffer.at));
  buffer.bytes = bytes;
  buffer.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The message so far, and an empty buffer. */
export function takeMessage(buffer: PlainBuffer): Uint8Array {
  const { bytes, at } = buffer;
  buffer.at = 0;
  const written = bytes.subarray(0, at);
  if (bytes.length <= KEPT_BYTES) return nodeBuffer === undefined ? written.slice() : nodeBuffer.from(written);
  Object.assign(buffer, createPlainBuffer());
  return written;
}

/** Whether UTF-8 keeps it: no lone surrogate; no leading BOM, which TextDecoder takes away. */
export const isSafeText = (text: string): boolean => text.isWellFormed() && text.charCodeAt(0) !== 0xfeff;

/** False when UTF-8 would change it. */
export function writeText(buffer: PlainBuffer, text: string): boolean {
  const { length } = text;
  if (length >= SHORT_TEXT) return writeLongText(buffer, text);
  reserve(buffer, 1 + length);
  const { bytes, at } = buffer;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return writeLongText(buffer, text);
    bytes[at + 1 + index] = unit;
  }
  bytes[at] = 0xa0 | length;
  buffer.at = at + 1 + length;
  return true;
}

function writeLongText(buffer: PlainBuffer, text: string): boolean {
  if (!isSafeText(text)) return false;
  reserve(buffer, 5 + text.length * 3);
  const { bytes, view, at } = buffer;
  const size = headerSize(text.length * 3);
  const written =
    nodeBuffer === undefined
      ? encoder.encodeInto(text, bytes.subarray(at + size)).written
      : (bytes as Buffer).write(text, at + size, "utf8"); // cast: allocated as one
  if (size === 2) bytes[at + 1] = written;
  else if (size === 3) view.setUint16(at + 1, written);
  else view.setUint32(at + 1, written);
  bytes[at] = size === 2 ? 0xd9 : size === 3 ? 0xda : 0xdb;
  buffer.at = at + size + written;
  return true;
}

/** Bytes of a text's token and length, for one of up to `most` bytes. */
const headerSize = (most: number): 2 | 3 | 5 => (most < 0x100 ? 2 : most < 0x10000 ? 3 : 5);
