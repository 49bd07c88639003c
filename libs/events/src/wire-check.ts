import { MalformedError } from "./errors.ts";

/**
 * The look at a message before anything is made of it: whole, nothing after it, and built only of what `encode` writes.
 *
 * K1. msgpackr reads only bytes that passed: no declared length beyond the bytes there are, no nesting beyond `deepest`, no
 *     extension but ours and those of undefined, bigint, Date, Set, bytes, records and references. Its Error, RegExp and string
 *     bundle extensions are left out, which can be made to do more than read.
 * K2. It takes time by length and a stack of its own.
 */
const EXTENSION = {
  undefined: 0x00,
  bigint: 0x42,
  escape: 0x4b,
  envelope: 0x4c,
  id: 0x69,
  pointer: 0x70,
  record: 0x72,
  set: 0x73,
  bytes: 0x74,
  date: 0xff,
} as const;

/** Types of our own extensions. */
export const ESCAPE_TYPE = EXTENSION.escape;
export const ENVELOPE_TYPE = EXTENSION.envelope;

/** One check. Plain functions share it: private methods would cost this code a quarter of its speed. */
interface Check {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
  enveloped: boolean;
  /** Values still to come at each level. */
  readonly left: number[];
  depth: number;
  readonly deepest: number;
  /** Number of keys of each record, by its id. */
  readonly records: number[];
  /** Number of keys of each list of keys that a reference names. */
  readonly keyLists: Map<number, number>;
}

/** @throws {MalformedError} when `bytes` are not one whole message. */
export function checkWire(bytes: Uint8Array, deepest: number): void {
  const check: Check = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: 0,
    enveloped: false,
    left: [1],
    depth: 0,
    deepest,
    records: [],
    keyLists: new Map(),
  };
  while (check.depth >= 0) {
    passLeaves(check);
    if (check.left[check.depth] === 0) check.depth--;
    else checkValue(check);
  }
  if (check.at !== bytes.length) fail(check, `${String(bytes.length - check.at)} bytes after its end`);
}

/** Goes past the commonest leaves of a level, which are most of a message: small numbers, null, booleans, short texts, floats. */
function passLeaves(check: Check): void {
  const { bytes } = check;
  let { at } = check;
  let left = check.left[check.depth] ?? 0;
  for (; left > 0; left--) {
    const token = bytes[at] ?? 0xc1;
    if (token < 0x40 || token >= 0xe0 || token === 0xc0 || token === 0xc2 || token === 0xc3) at++;
    else if (token >= 0xa0 && token < 0xc0) at += (token & 0x1f) + 1;
    else if (token === 0xcd) at += 3;
    else if (token === 0xcb) at += 9;
    else break;
  }
  if (at > bytes.length) fail(check, "it ends too early");
  check.at = at;
  check.left[check.depth] = left;
}

function checkValue(check: Check): void {
  check.left[check.depth] = (check.left[check.depth] ?? 0) - 1;
  const token = byte(check);
  if (token < 0x40 || token >= 0xe0) return;
  if (token < 0x80) enter(check, check.records[token & 0x3f] ?? fail(check, "a record that was not defined"));
  else if (token < 0x90) enter(check, (token & 0x0f) * 2);
  else if (token < 0xa0) enter(check, token & 0x0f);
  else if (token < 0xc0) skip(check, token & 0x1f);
  else checkPrefixed(check, token);
}

function checkPrefixed(check: Check, token: number): void {
  switch (token) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return;
    case 0xcc:
    case 0xd0:
      skip(check, 1);
      return;
    case 0xcd:
    case 0xd1:
      skip(check, 2);
      return;
    case 0xca:
    case 0xce:
    case 0xd2:
      skip(check, 4);
      return;
    case 0xcb:
    case 0xcf:
    case 0xd3:
      skip(check, 8);
      return;
    case 0xd9:
      skip(check, byte(check));
      return;
    case 0xda:
      skip(check, uint16(check));
      return;
    case 0xdb:
      skip(check, uint32(check));
      return;
    case 0xdc:
      enter(check, uint16(check));
      return;
    case 0xdd:
      enter(check, uint32(check));
      return;
    case 0xde:
      enter(check, uint16(check) * 2);
      return;
    case 0xdf:
      enter(check, uint32(check) * 2);
      return;
    case 0xc7:
      checkData(check, byte(check));
      return;
    case 0xc8:
      checkData(check, uint16(check));
      return;
    case 0xc9:
      checkData(check, uint32(check));
      return;
    case 0xd4:
      checkTagged(check);
      return;
    case 0xd5:
      checkData(check, 2);
      return;
    case 0xd6:
      checkFour(check);
      return;
    case 0xd7:
      checkData(check, 8);
      return;
    case 0xd8:
      checkData(check, 16);
      return;
    default:
      fail(check, `the token ${String(token)}`);
  }
}

/** An extension that is all data. */
function checkData(check: Check, length: number): void {
  const type = byte(check);
  if (type !== EXTENSION.bigint && type !== EXTENSION.bytes && type !== EXTENSION.date) fail(check, `an extension of type ${String(type)}`);
  if (length === 0 || (type === EXTENSION.date && length !== 4 && length !== 8 && length !== 12))
    fail(check, `an extension of ${String(length)} bytes`);
  skip(check, length);
}

/** An extension of one byte, most of which say something about what follows. */
function checkTagged(check: Check): void {
  const type = byte(check);
  const payload = byte(check);
  switch (type) {
    case EXTENSION.undefined:
    case EXTENSION.date:
    case EXTENSION.bigint:
      return;
    case EXTENSION.record:
      checkRecord(check, payload);
      return;
    case EXTENSION.set:
      checkSet(check);
      return;
    case EXTENSION.escape:
      if (!check.enveloped) fail(check, "an escape outside of an envelope");
      checkIndex(check);
      return;
    case EXTENSION.envelope:
      if (check.at !== 3 || byte(check) !== 0x92) fail(check, "an envelope inside");
      check.enveloped = true;
      enter(check, 2);
      return;
    default:
      fail(check, `an extension of type ${String(type)}`);
  }
}

function checkFour(check: Check): void {
  const type = check.bytes[check.at];
  if (type !== EXTENSION.id && type !== EXTENSION.pointer) {
    checkData(check, 4);
    return;
  }
  skip(check, 5);
  if (type === EXTENSION.pointer) return;
  const next = check.bytes[check.at];
  if (next === 0xd6 && check.bytes[check.at + 1] !== EXTENSION.date) fail(check, "a name for a name");
  check.left[check.depth] = (check.left[check.depth] ?? 0) + 1;
}

function checkRecord(check: Check, id: number): void {
  let name: number | undefined;
  let token = byte(check);
  if (token === 0xd6) {
    const type = byte(check);
    name = uint32(check);
    if (type === EXTENSION.pointer) {
      defineRecord(check, id, check.keyLists.get(name) ?? fail(check, "keys that were not defined"));
      return;
    }
    if (type !== EXTENSION.id) fail(check, "keys that are no list");
    token = byte(check);
  }
  const keys = listLength(check, token);
  for (let key = 0; key < keys; key++) checkKey(check);
  if (name !== undefined) check.keyLists.set(name, keys);
  defineRecord(check, id, keys);
}

function defineRecord(check: Check, id: number, keys: number): void {
  check.records[id & 0x3f] = keys;
  enter(check, keys);
}

function checkSet(check: Check): void {
  enter(check, listLength(check, byte(check)));
}

function listLength(check: Check, token: number): number {
  if (token >= 0x90 && token < 0xa0) return token & 0x0f;
  if (token === 0xdc) return uint16(check);
  if (token === 0xdd) return uint32(check);
  return fail(check, "something else than a list");
}

function checkKey(check: Check): void {
  const token = byte(check);
  if (token >= 0xa0 && token < 0xc0) skip(check, token & 0x1f);
  else if (token === 0xd9 || token === 0xda || token === 0xdb) checkPrefixed(check, token);
  else fail(check, "a key that is no string");
}

function checkIndex(check: Check): void {
  const token = byte(check);
  if (token === 0xcc || token === 0xcd || token === 0xce) checkPrefixed(check, token);
  else if (token >= 0x40) fail(check, "an escape without number");
}

function enter(check: Check, values: number): void {
  if (values > check.bytes.length - check.at) fail(check, `${String(values)} values declared, more than there are bytes`);
  if (++check.depth > check.deepest) fail(check, `nested deeper than ${String(check.deepest)}`);
  check.left[check.depth] = values;
}

function skip(check: Check, length: number): void {
  if (length > check.bytes.length - check.at) fail(check, "it ends too early");
  check.at += length;
}

function byte(check: Check): number {
  return check.bytes[check.at++] ?? fail(check, "it ends too early");
}

function uint16(check: Check): number {
  skip(check, 2);
  return check.view.getUint16(check.at - 2);
}

function uint32(check: Check): number {
  skip(check, 4);
  return check.view.getUint32(check.at - 4);
}

function fail(check: Check, reason: string): never {
  throw new MalformedError("value", `${reason} (at byte ${String(Math.min(check.at, check.bytes.length))})`);
}
