import { systemClock } from "@karst/events";
import type { Clock } from "@karst/events";
import { ModelScriptError } from "./errors.ts";
import { modelStream } from "./model-stream.ts";
import type { FinishReason, Model, ModelFailure, ModelPart, ModelRequest } from "./model.ts";
import { orAbort, sleep } from "./wait.ts";

/** One written reply. */
export interface ScriptedReply {
  readonly text: string;
  /** Exact pieces, which must join to `text`, or a size in characters. Default: the script's, else one piece. */
  readonly chunks?: readonly string[] | number;
  /** Comes before the text; in pieces when `chunks` is a size. */
  readonly reasoning?: string;
  /** Marks the text as the provider's refusal. */
  readonly refusal?: true;
  /** Default: an estimate, a quarter of the characters of request and reply, rounded up; it is no tokenizer's count. */
  readonly usage?: { readonly input: number; readonly output: number } | "omit";
  /** Default `stop`. */
  readonly finish?: FinishReason;
  /** The provider fails instead of giving piece `chunk`, from 0; at the number of pieces, instead of finishing. */
  readonly failAt?: { readonly chunk: number; readonly failure: ModelFailure };
  /** The provider falls silent instead of giving piece `stallAt`, until the call is aborted or left. */
  readonly stallAt?: number;
  /** What the request must be: a pattern its last message must match, or a function that throws. */
  readonly expect?: RegExp | ((request: ModelRequest) => void);
  /** Before each piece of text, and once when there is none. Default 0. */
  readonly delayMs?: number;
}

export type ScriptedReplyFunction = (request: ModelRequest, index: number) => string | ScriptedReply;

/**
 * Replies in order, one a call; or one function for all calls, for which there is no end and nothing can be left over. A function
 * sees the request, so that several agents with one model can each be answered by what they ask.
 */
export type ModelScript = readonly (string | ScriptedReply | ScriptedReplyFunction)[] | ScriptedReplyFunction;

export interface ScriptedModelOptions {
  /** Default `script`. */
  readonly id?: string;
  readonly contextTokens?: number;
  /** Size of a piece in characters, for replies that do not say. Default: the whole text. */
  readonly chunks?: number;
  /** For `delayMs`. Default: the machine's. */
  readonly clock?: Clock;
}

export interface ScriptedModel extends Model {
  /** What it was asked, in order; copies. */
  readonly requests: readonly ModelRequest[];
  /** Replies that are being played now. */
  readonly open: number;
  /** @throws {ModelScriptError} when replies are left, when it was asked too often, or when an expectation failed: the first such. */
  assertAllUsed(): void;
}

/**
 * A model that plays written replies: for tests, demos and rehearsals. No network, and no time but the clock's.
 *
 * A call takes its reply when its iteration starts, so calls that run at once take theirs in that order.
 *
 * @throws {ModelScriptError} from the stream, when no reply is left (naming the index from 0), when a request is not the one
 * expected, or when a reply contradicts itself; what an `expect` or reply function throws passes as it is.
 */
export function scriptedModel(script: ModelScript, options: ScriptedModelOptions = {}): ScriptedModel {
  const { id = "script", contextTokens, chunks, clock = systemClock } = options;
  const requests: ModelRequest[] = [];
  let open = 0;
  let firstFault: { readonly error: unknown } | undefined;

  const take = (request: ModelRequest): Playable => {
    const index = requests.push(structuredClone(request)) - 1;
    const written = typeof script === "function" ? script : script[index];
    if (written === undefined)
      throw new ModelScriptError(`the script has ${count(script.length)} and was asked for reply ${String(index)}`, { index });
    const made = typeof written === "function" ? written(request, index) : written;
    const reply = typeof made === "string" ? { text: made } : made;
    requireExpected(reply, request, index);
    return { reply, pieces: piecesOf(reply, index, chunks) };
  };

  return {
    id,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    requests,
    get open() {
      return open;
    },
    stream: (request, signal) =>
      modelStream(signal, async function* (inner) {
        open++;
        inner.addEventListener(
          "abort",
          () => {
            open--;
          },
          { once: true },
        ); // every stream ends with its inner signal (S4)
        let taken: Playable;
        try {
          taken = take(request);
        } catch (error) {
          firstFault ??= { error };
          throw error;
        }
        yield* play(taken, request, inner, clock, chunks);
      }),
    assertAllUsed() {
      if (firstFault !== undefined) throw firstFault.error;
      const left = typeof script === "function" ? 0 : script.length - requests.length;
      if (left > 0) throw new ModelScriptError(`${count(left)} of ${String(script.length)} left unused`, { left, of: script.length });
    },
  };
}

interface Playable {
  readonly reply: ScriptedReply;
  readonly pieces: readonly string[];
}

async function* play(
  { reply, pieces }: Playable,
  request: ModelRequest,
  signal: AbortSignal,
  clock: Clock,
  size: number | undefined,
): AsyncGenerator<ModelPart, void, undefined> {
  const { text, reasoning = "", usage = estimate(request, text + reasoning), finish = "stop", failAt, stallAt, delayMs = 0 } = reply;
  const reasoningSize = typeof reply.chunks === "object" ? undefined : (reply.chunks ?? size);
  for (const piece of cut(reasoning, reasoningSize)) yield { type: "reasoning", text: piece };
  for (let index = 0; index <= pieces.length; index++) {
    if (index < pieces.length || index === 0) await sleep(delayMs, clock, signal);
    if (failAt?.chunk === index) return yield { type: "error", error: failAt.failure };
    if (stallAt === index) await orAbort(new Promise<never>(() => undefined), signal);
    const piece = pieces[index] ?? "";
    if (piece !== "") yield { type: "text", text: piece, ...(reply.refusal === true ? { refusal: true } : {}) };
  }
  if (usage !== "omit") yield { type: "usage", input: usage.input, output: usage.output };
  yield { type: "finish", reason: finish, raw: finish };
}

function requireExpected({ expect }: ScriptedReply, request: ModelRequest, index: number): void {
  if (typeof expect === "function") expect(request);
  else if (expect !== undefined) {
    const last = request.messages.at(-1)?.content ?? "";
    if (last.search(expect) < 0)
      throw new ModelScriptError(
        `request ${String(index)} should end with a message that matches ${String(expect)}; it is ${JSON.stringify(last.slice(0, 200))}`,
        { index, last },
      );
  }
}

function piecesOf(reply: ScriptedReply, index: number, size: number | undefined): readonly string[] {
  const { text, chunks = size, failAt, stallAt } = reply;
  const pieces = typeof chunks === "object" ? chunks : cut(text, chunks);
  if (pieces.join("") !== text) throw new ModelScriptError(`the chunks of reply ${String(index)} do not join to its text`, { index });
  for (const at of [failAt?.chunk, stallAt])
    if (at !== undefined && !(Number.isInteger(at) && at >= 0 && at <= pieces.length))
      throw new ModelScriptError(`reply ${String(index)} has ${String(pieces.length)} chunks; nothing can happen at ${String(at)}`, {
        index,
        at,
      });
  return pieces;
}

/** Pieces of `size` code points, so that no character is torn. */
function cut(text: string, size = Infinity): readonly string[] {
  if (!(size >= 1)) throw new ModelScriptError(`a chunk size must be at least 1, not ${String(size)}`, { size });
  if (text === "") return [];
  if (size === Infinity) return [text];
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < points.length; start += size) pieces.push(points.slice(start, start + size).join(""));
  return pieces;
}

const CHARACTERS_PER_TOKEN = 4;

function estimate(request: ModelRequest, reply: string): { readonly input: number; readonly output: number } {
  const asked = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  return { input: Math.ceil(asked / CHARACTERS_PER_TOKEN), output: Math.ceil(reply.length / CHARACTERS_PER_TOKEN) };
}

function count(replies: number): string {
  return replies === 1 ? "1 reply" : `${String(replies)} replies`;
}
