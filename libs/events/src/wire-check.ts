import { MalformedError } from "./errors.ts";

/**
 * The look at a message before anything is made of it: whole, nothing after it, and built only of what `encode` writes.
 *
 * K1. msgpackr reads only bytes that passed: no declared length beyond the bytes there are, no nesting beyond `deepest`, no
 *     extension but ours and those of undefined, bigint, Date, Set, bytes, records and references. Its Error, RegExp and string
 *     bundle extensions are left out, which can be made to do more than read.
 * K2. It takes time by length and a stack of its own.
 */
const EXTENSION = { undefined: 0x00, bigint: 0x42, escape: 0x4b, envelope: 0x4c, id: 0x69, pointer: 0x70, record: 0x72, set: 0x73, bytes: 0x74, date: 0xff } as const;

/** Types of our own extensions. */
export const ESCAPE_TYPE = EXTENSION.escape;
export const ENVELOPE_TYPE = EXTENSION.envelope;

class Check {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #enveloped = false;
  /** Values still to come at each level. */
  readonly #left: number[] = [1];
  #depth = 0;
  readonly #deepest: number;
  /** Number of keys of each record by its id, and of key lists that are named by a reference. */
  readonly #records: number[] = [];
  readonly #keyLists = new Map<number, number>();

  constructor(bytes: Uint8Array, deepest: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#deepest = deepest;
  }

  run(): void {
    while (this.#depth >= 0) {
      const left = this.#left[this.#depth] ?? 0;
      if (left === 0) {
        this.#depth--;
        continue;
      }
      this.#left[this.#depth] = left - 1;
      this.#value();
    }
    if (this.#at !== this.#bytes.length) this.#fail(`${String(this.#bytes.length - this.#at)} bytes after its end`);
  }

  #value(): void {
    const token = this.#byte();
    if (token < 0x40 || token >= 0xe0) return;
    if (token < 0x80) this.#enter(this.#records[token & 0x3f] ?? this.#fail("a record that was not defined"));
    else if (token < 0x90) this.#enter((token & 0x0f) * 2);
    else if (token < 0xa0) this.#enter(token & 0x0f);
    else if (token < 0xc0) this.#skip(token & 0x1f);
    else this.#prefixed(token);
  }

  #prefixed(token: number): void {
    switch (token) {
      case 0xc0: case 0xc2: case 0xc3: return;
      case 0xcc: case 0xd0: this.#skip(1); return;
      case 0xcd: case 0xd1: this.#skip(2); return;
      case 0xca: case 0xce: case 0xd2: this.#skip(4); return;
      case 0xcb: case 0xcf: case 0xd3: this.#skip(8); return;
      case 0xd9: this.#skip(this.#byte()); return;
      case 0xda: this.#skip(this.#uint16()); return;
      case 0xdb: this.#skip(this.#uint32()); return;
      case 0xdc: this.#enter(this.#uint16()); return;
      case 0xdd: this.#enter(this.#uint32()); return;
      case 0xde: this.#enter(this.#uint16() * 2); return;
      case 0xdf: this.#enter(this.#uint32() * 2); return;
      case 0xc7: this.#data(this.#byte()); return;
      case 0xc8: this.#data(this.#uint16()); return;
      case 0xc9: this.#data(this.#uint32()); return;
      case 0xd4: this.#tagged(); return;
      case 0xd5: this.#data(2); return;
      case 0xd6: this.#four(); return;
      case 0xd7: this.#data(8); return;
      case 0xd8: this.#data(16); return;
      default: this.#fail(`the token ${String(token)}`);
    }
  }

  /** An extension that is all data. */
  #data(length: number): void {
    const type = this.#byte();
    if (type !== EXTENSION.bigint && type !== EXTENSION.bytes && type !== EXTENSION.date) this.#fail(`an extension of type ${String(type)}`);
    if (length === 0 || (type === EXTENSION.date && length !== 4 && length !== 8 && length !== 12)) this.#fail(`an extension of ${String(length)} bytes`);
    this.#skip(length);
  }

  /** An extension of one byte, most of which say something about what follows. */
  #tagged(): void {
    const type = this.#byte();
    const payload = this.#byte();
    switch (type) {
      case EXTENSION.undefined: case EXTENSION.date: case EXTENSION.bigint: return;
      case EXTENSION.record: this.#record(payload); return;
      case EXTENSION.set: this.#set(); return;
      case EXTENSION.escape:
        if (!this.#enveloped) this.#fail("an escape outside of an envelope");
        this.#index();
        return;
      case EXTENSION.envelope:
        if (this.#at !== 3 || this.#byte() !== 0x92) this.#fail("an envelope inside");
        this.#enveloped = true;
        this.#enter(2);
        return;
      default: this.#fail(`an extension of type ${String(type)}`);
    }
  }

  #four(): void {
    const type = this.#bytes[this.#at];
    if (type !== EXTENSION.id && type !== EXTENSION.pointer) {
      this.#data(4);
      return;
    }
    this.#skip(5);
    if (type === EXTENSION.pointer) return;
    const next = this.#bytes[this.#at];
    if (next === 0xd6 && this.#bytes[this.#at + 1] !== EXTENSION.date) this.#fail("a name for a name");
    this.#left[this.#depth] = (this.#left[this.#depth] ?? 0) + 1;
  }

  #record(id: number): void {
    let name: number | undefined;
    let token = this.#byte();
    if (token === 0xd6) {
      const type = this.#byte();
      name = this.#uint32();
      if (type === EXTENSION.pointer) {
        this.#define(id, this.#keyLists.get(name) ?? this.#fail("keys that were not defined"));
        return;
      }
      if (type !== EXTENSION.id) this.#fail("keys that are no list");
      token = this.#byte();
    }
    const keys = this.#listLength(token);
    for (let key = 0; key < keys; key++) this.#key();
    if (name !== undefined) this.#keyLists.set(name, keys);
    this.#define(id, keys);
  }

  #define(id: number, keys: number): void {
    this.#records[id & 0x3f] = keys;
    this.#enter(keys);
  }

  #set(): void {
    this.#enter(this.#listLength(this.#byte()));
  }

  #listLength(token: number): number {
    if (token >= 0x90 && token < 0xa0) return token & 0x0f;
    if (token === 0xdc) return this.#uint16();
    if (token === 0xdd) return this.#uint32();
    return this.#fail("something else than a list");
  }

  #key(): void {
    const token = this.#byte();
    if (token >= 0xa0 && token < 0xc0) this.#skip(token & 0x1f);
    else if (token === 0xd9 || token === 0xda || token === 0xdb) this.#prefixed(token);
    else this.#fail("a key that is no string");
  }

  #index(): void {
    const token = this.#byte();
    if (token === 0xcc || token === 0xcd || token === 0xce) this.#prefixed(token);
    else if (token >= 0x40) this.#fail("an escape without number");
  }

  #enter(values: number): void {
    if (values > this.#bytes.length - this.#at) this.#fail(`${String(values)} values declared, more than there are bytes`);
    if (++this.#depth > this.#deepest) this.#fail(`nested deeper than ${String(this.#deepest)}`);
    this.#left[this.#depth] = values;
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) this.#fail("it ends too early");
    this.#at += length;
  }

  #byte(): number {
    return this.#bytes[this.#at++] ?? this.#fail("it ends too early");
  }

  #uint16(): number {
    this.#skip(2);
    return this.#view.getUint16(this.#at - 2);
  }

  #uint32(): number {
    this.#skip(4);
    return this.#view.getUint32(this.#at - 4);
  }

  #fail(reason: string): never {
    throw new MalformedError("value", `${reason} (at byte ${String(Math.min(this.#at, this.#bytes.length))})`);
  }
}

/** @throws {MalformedError} when `bytes` are not one whole message. */
export function checkWire(bytes: Uint8Array, deepest: number): void {
  new Check(bytes, deepest).run();
}
