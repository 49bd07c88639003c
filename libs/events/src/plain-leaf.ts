import type { PlainBuffer } from "./plain-buffer.ts";
import { reserve } from "./plain-buffer.ts";
import { shownBytes, typedArrayClasses } from "./value-kind.ts";

/** The parts of a message that hold no others, in msgpackr's forms. Room for 16 bytes is the caller's to reserve. */

export function writeToken(buffer: PlainBuffer, first: number, second: number, third: number): void {
  buffer.bytes[buffer.at++] = first;
  buffer.bytes[buffer.at++] = second;
  buffer.bytes[buffer.at++] = third;
}

export function writeNumber(buffer: PlainBuffer, value: number): void {
  const { bytes, view } = buffer;
  let { at } = buffer;
  if (value >>> 0 === value && (value !== 0 || 1 / value > 0)) {
    if (value < 0x40) bytes[at++] = value;
    else if (value < 0x100) {
      bytes[at++] = 0xcc;
      bytes[at++] = value;
    } else if (value < 0x10000) {
      bytes[at++] = 0xcd;
      bytes[at++] = value >> 8;
      bytes[at++] = value & 0xff;
    } else {
      bytes[at] = 0xce;
      view.setUint32(at + 1, value);
      at += 5;
    }
  } else if (value >> 0 === value && value !== 0) {
    if (value >= -0x20) bytes[at++] = 0x100 + value;
    else {
      bytes[at] = 0xd2;
      view.setInt32(at + 1, value);
      at += 5;
    }
  } else {
    bytes[at] = 0xcb;
    view.setFloat64(at + 1, value);
    at += 9;
  }
  buffer.at = at;
}

/** Larger ones are left to msgpackr. */
export function writeBigInt(buffer: PlainBuffer, value: bigint): boolean {
  if (BigInt.asIntN(64, value) !== value) return false;
  buffer.bytes[buffer.at] = 0xd3;
  buffer.view.setBigInt64(buffer.at + 1, value);
  buffer.at += 9;
  return true;
}

/** A reference (`p`), or the name that the next value has (`i`). */
export function writeName(buffer: PlainBuffer, type: 0x69 | 0x70, name: number): void {
  buffer.bytes[buffer.at] = 0xd6;
  buffer.bytes[buffer.at + 1] = type;
  buffer.view.setUint32(buffer.at + 2, name);
  buffer.at += 6;
}

/** `small`: token for up to 15 items; `large`: that for 16 bits of length, with the one for 32 bits behind it. */
export function writeLength(buffer: PlainBuffer, length: number, small: number, large: number): void {
  reserve(buffer, 8);
  const { bytes, view, at } = buffer;
  if (length < 16) {
    bytes[at] = small | length;
    buffer.at += 1;
  } else if (length < 0x10000) {
    bytes[at] = large;
    view.setUint16(at + 1, length);
    buffer.at += 3;
  } else {
    bytes[at] = large + 1;
    view.setUint32(at + 1, length);
    buffer.at += 5;
  }
}

/** msgpack's timestamps: nanoseconds, then seconds. Always the form of 96 bits, which holds every date. */
export function writeDate(value: Date, buffer: PlainBuffer): boolean {
  const ms = Date.prototype.getTime.call(value);
  if (Number.isNaN(ms)) {
    writeToken(buffer, 0xd4, 0xff, 0xff);
    return true;
  }
  const seconds = Math.floor(ms / 1000);
  writeToken(buffer, 0xc7, 12, 0xff);
  buffer.view.setUint32(buffer.at, (ms - seconds * 1000) * 1_000_000);
  buffer.view.setBigInt64(buffer.at + 4, BigInt(seconds));
  buffer.at += 12;
  return true;
}

/** Numbers that msgpackr gives to bytes: the place among the typed arrays, or these. */
const BUFFER_NUMBER = 16;
const VIEW_NUMBER = 17;

export function writeBytes(value: object, buffer: PlainBuffer): boolean {
  const shown = shownBytes(value);
  const typed = typedArrayClasses.findIndex((of) => Object.getPrototypeOf(value) === of.prototype);
  reserve(buffer, shown.length + 8);
  buffer.bytes[buffer.at] = 0xc9;
  buffer.view.setUint32(buffer.at + 1, shown.length + 1);
  buffer.bytes[buffer.at + 5] = 0x74;
  buffer.bytes[buffer.at + 6] = typed >= 0 ? typed : ArrayBuffer.isView(value) ? VIEW_NUMBER : BUFFER_NUMBER;
  buffer.bytes.set(shown, buffer.at + 7);
  buffer.at += shown.length + 7;
  return true;
}
