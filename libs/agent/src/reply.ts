/**
 * Cuts prose and the first code block out of a streaming reply. What comes out does not depend on how the reply was cut into chunks.
 *
 * P1. Prose is passed on as it comes; only what may become a fence is held back, and none of it is lost or doubled.
 * P2. A block opens on its own line with three backticks and `js`, `javascript`, `ts` or `typescript` in any case; the rest of that line is
 *     dropped. It closes with three backticks alone on a line.
 * P3. Only the first block counts; what follows it is not read.
 * P4. An empty block, an unclosed block and a block of another language are never code.
 */
const OPENING = /^ {0,3}```[ \t]*(js|javascript|ts|typescript)(?:[ \t][^\n]*)?$/i;
const CLOSING = /^ {0,3}```[ \t]*$/;
/** Characters that a line with an opening fence may have. */
const LONGEST_OPENING = 1_000;
/** A line that may yet become an opening fence. */
const MAY_OPEN = /^ {0,3}(?:`{0,2}|```[^\n]*)$/;

export interface ParsedReply {
  /** The whole reply as read, up to and including the closing fence. */
  readonly text: string;
  readonly prose: string;
  readonly code: string | undefined;
  /** The reply ended inside a block. */
  readonly unclosed: boolean;
}

export class ReplyParser {
  #text = "";
  #prose = "";
  #line = "";
  /** Whether part of the current line has been passed on already. */
  #lineShown = 0;
  #block: string[] | undefined;
  /** The open block as it came, to be shown when it turns out to be empty. */
  #raw = "";
  #code: string | undefined;

  /** Whether the first block has closed: the rest of the reply need not be read. */
  get done(): boolean {
    return this.#code !== undefined;
  }

  /** Takes the next piece of the reply and returns the prose that is now certain. */
  feed(piece: string): string {
    let shown = "";
    for (const char of piece) {
      if (this.done) break;
      this.#text += char;
      shown += char === "\n" ? this.#endLine(true) : this.#extendLine(char);
    }
    this.#prose += shown;
    return shown;
  }

  /** Ends the reply: returns the prose held back, and what the reply was. */
  end(): { readonly rest: string; readonly reply: ParsedReply } {
    const rest = this.done ? "" : this.#endLine(false);
    this.#prose += rest;
    return { rest, reply: { text: this.#text, prose: this.#prose, code: this.#code, unclosed: this.#block !== undefined && !this.done } };
  }

  #extendLine(char: string): string {
    if (this.#lineShown > 0) return char; // prose already: nothing of the line is kept
    this.#line += char;
    if (this.#block !== undefined || (this.#line.length <= LONGEST_OPENING && MAY_OPEN.test(this.#line))) return "";
    return this.#showLine("");
  }

  #showLine(end: string): string {
    const shown = this.#line + end;
    this.#lineShown += this.#line.length;
    this.#line = "";
    return shown;
  }

  #endLine(complete: boolean): string {
    const line = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
    let shown = "";
    if (this.#block === undefined && (this.#lineShown > 0 || !OPENING.test(line))) shown = this.#showLine(complete ? "\n" : "");
    else {
      this.#raw += complete ? `${this.#line}\n` : this.#line;
      if (this.#block === undefined) this.#block = [];
      else if (CLOSING.test(line)) shown = this.#closeBlock(this.#block);
      else this.#block.push(line);
    }
    this.#line = "";
    this.#lineShown = 0;
    return shown;
  }

  #closeBlock(lines: readonly string[]): string {
    const raw = this.#raw;
    this.#block = undefined;
    this.#raw = "";
    const code = dedent(lines).trim();
    if (code === "") return raw;
    this.#code = code;
    return "";
  }
}

/** Removes the indentation that all non-blank lines share. */
function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
  return lines.map((line) => line.slice(shared)).join("\n");
}
