import { callId, nodeId, runId } from "./ids.ts";
import type { CallId, NodeId, RunId } from "./ids.ts";

/** Randomness as a port, so that tests are repeatable and turns can be replayed. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** Where new ids come from. */
export interface Ids {
  run(): RunId;
  call(): CallId;
  node(): NodeId;
}

export const systemRandom: Random = { next: () => Math.random() };

/** A repeatable sequence (mulberry32, public domain, period 2^32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = state;
      mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

function nonce(random: Random, length: number): string {
  let text = "";
  for (let index = 0; index < length; index++) text += ALPHABET.charAt(Math.floor(random.next() * ALPHABET.length));
  return text;
}

/** Ids of one process: a nonce of 12 characters drawn once, then a counter; unique per incarnation, cheap to make. */
export function createIds(random: Random = systemRandom): Ids {
  const incarnation = nonce(random, 12);
  let made = 0;
  const next = (prefix: string): string => `${prefix}_${incarnation}_${(made++).toString(36)}`;
  return { run: () => runId(next("run")), call: () => callId(next("call")), node: () => nodeId(next("node")) };
}
