import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser, tokTypes } from "acorn";
import type { Options, TokenType } from "acorn";
import type { Node, ObjectNode, Program } from "./cell-ast.ts";

/**
 * The door to the parser: three functions, so that another parser with exact positions can take its place.
 * Everything else about it is private to this file.
 */

/** Why text did not parse; `offset` is where. */
export interface ParseFailure {
  readonly message: string;
  readonly offset: number;
}

/** `blanked`: offsets of the modifier `const` that had to be overlooked; each must be in a type, else the code is wrong there. */
export type Parsed<T> =
  { readonly ok: true; readonly node: T; readonly blanked?: readonly number[] } | { readonly ok: false; readonly failure: ParseFailure };

/** `locations` is a condition of acorn-typescript; parentheses as nodes make every range exact. */
const OPTIONS: Options = {
  ecmaVersion: "latest",
  sourceType: "module",
  locations: true,
  preserveParens: true,
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
};

/** A parser as acorn makes it: what its type declarations leave out, as they show the static methods only. */
interface ParserInternals {
  /** Where the current token starts. */
  readonly start: number;
  parse(): unknown;
  nextToken(): void;
  parseExpression(): unknown;
  treatFunctionsAsVarInScope(scope: { readonly flags: number }): boolean;
  checkLocalExport(id: unknown): void;
  /** Kind of the current token. */
  type: TokenType;
  readonly input: string;
  tsTryParseGenericAsyncArrowFunction(...parameters: unknown[]): unknown;
  tsCheckLineTerminator(next: boolean): boolean;
  parseIdent(liberal?: boolean): { readonly name: string };
  /** Where an `await` or `yield` was seen in the function so far; 0 for nowhere. */
  awaitPos: number;
  awaitIdentPos: number;
  yieldPos: number;
}

type ParserClass = new (options: Options, source: string, offset?: number) => ParserInternals;

const SCOPE_TOP = 1;

/** More than the longest word of TypeScript and some blanks before its arrow. */
const LONGEST_PARAMETER = 40;

/** Signatures such as `pick<const K>(…)` that are read in one cell: acorn-typescript does not know the modifier there, so it is blanked. */
const CONST_PARAMETERS = 20;

/**
 * A cell is no module in two points: a function may be declared twice, and an export may name a variable of an earlier cell.
 * And three faults of acorn-typescript 1.0 are put right: after any `await` in the same function it took `async <T>(x) => …` for a call;
 * after `type` (`module`, `declare`, …) as an expression it swallowed the `;`; it did not know these words as parameter of `async type => …`.
 */
function forCells(parser: typeof Parser): ParserClass {
  // acorn's own `parse` calls this constructor and these methods (index.js, state.js, scope.js).
  const base = parser as unknown as ParserClass;
  return class CellParser extends base {
    override tsCheckLineTerminator(next: boolean): boolean {
      return (next || this.type !== tokTypes.semi) && super.tsCheckLineTerminator(next);
    }
    override parseIdent(liberal?: boolean): { readonly name: string } {
      const identifier = super.parseIdent(liberal);
      if (identifier.name === "async" && /^\w+\s*=>/.test(this.input.slice(this.start, this.start + LONGEST_PARAMETER)))
        this.type = tokTypes.name;
      return identifier;
    }
    override treatFunctionsAsVarInScope(scope: { readonly flags: number }): boolean {
      return (scope.flags & SCOPE_TOP) !== 0 || super.treatFunctionsAsVarInScope(scope);
    }
    override checkLocalExport(): void {
      // Every name is allowed.
    }
    override tsTryParseGenericAsyncArrowFunction(...parameters: unknown[]): unknown {
      const { awaitPos, awaitIdentPos, yieldPos } = this;
      Object.assign(this, { awaitPos: 0, awaitIdentPos: 0, yieldPos: 0 });
      const node = super.tsTryParseGenericAsyncArrowFunction(...parameters);
      Object.assign(this, { awaitPos, awaitIdentPos, yieldPos });
      return node;
    }
  };
}

const typeScript = forCells(Parser.extend(tsPlugin()));
const withJsx = forCells(Parser.extend(tsPlugin({ jsx: true })));

/** The whole cell. */
export function parseProgram(source: string): Parsed<Program> {
  let text = source;
  // acorn's nodes are ESTree with the TypeScript nodes of its plugin: the shapes that cell-ast.ts writes down.
  const parse = (): Parsed<Program> => attempt(new typeScript(OPTIONS, text), (parser) => parser.parse() as Program);
  let parsed = parse();
  const blanked: number[] = [];
  for (let tries = 0; !parsed.ok && tries < CONST_PARAMETERS; tries += 1) {
    const { offset } = parsed.failure;
    if (!/[<,]\s*$/.test(text.slice(0, offset)) || !/^const\s+[\p{ID_Start}$_]/u.test(text.slice(offset))) break;
    blanked.push(offset);
    text = `${text.slice(0, offset)}     ${text.slice(offset + "const".length)}`;
    parsed = parse();
  }
  return parsed.ok ? { ...parsed, blanked } : parsed;
}

/** The object literal that starts at `offset` with its brace, whatever comes after it. */
export function parseObjectAt(source: string, offset: number): ObjectNode | undefined {
  const parsed = attempt(new typeScript(OPTIONS, source, offset), (parser) => {
    parser.nextToken();
    return parser.parseExpression() as Node; // as above
  });
  return parsed.ok && parsed.node.type === "ObjectExpression" ? parsed.node : undefined;
}

/** Where the first JSX element is, when the text would be right with JSX. */
export function findJsx(source: string): number | undefined {
  const parsed = attempt(new withJsx(OPTIONS, source), (parser) => firstJsx(parser.parse()));
  return parsed.ok ? parsed.node : undefined;
}

function firstJsx(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("type" in value && typeof value.type === "string" && value.type.startsWith("JSX") && "start" in value) return Number(value.start);
  for (const inner of Object.values(value)) {
    const found = firstJsx(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function attempt<T>(parser: ParserInternals, parse: (parser: ParserInternals) => T): Parsed<T> {
  try {
    return { ok: true, node: parse(parser) };
  } catch (error) {
    const tooDeep = error instanceof RangeError || (error instanceof SyntaxError && error.message.includes("stack space"));
    if (tooDeep) return { ok: false, failure: { message: "the code is nested too deeply", offset: 0 } };
    if (error instanceof SyntaxError) {
      const offset = "pos" in error && typeof error.pos === "number" ? error.pos : parser.start;
      return { ok: false, failure: { message: error.message.replace(/ \(\d+:\d+\)$/, ""), offset } };
    }
    // acorn-typescript trips over some unfinished code (`export type` at the end) with a TypeError of its own.
    if (error instanceof TypeError) return { ok: false, failure: { message: "Unexpected token", offset: parser.start } };
    throw error;
  }
}
