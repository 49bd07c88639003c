import type { Block, ExpressionStatement, Node, ObjectNode, Program } from "./cell-ast.ts";
import { parseObjectAt, parseProgram } from "./cell-parse.ts";
import type { Parsed } from "./cell-parse.ts";
import { skipTrivia } from "./cell-source.ts";

/**
 * The cell's program, where braces at its end that can be an object literal are one: `{ total, avg }` as the last line means a value,
 * though the language reads a block. Braces that hold statements stay a block.
 */
export function readProgram(source: string): Parsed<Program> {
  const parsed = parseProgram(source);
  if (parsed.ok) return { ...parsed, node: withLastBlockAsObject(source, parsed.node) };
  const object = lastObject(source);
  if (object === undefined) return parsed;
  // What comes before must be whole by itself: in `x =⏎{a: 1, b: }` the braces are no statement.
  const before = parseProgram(source.slice(0, object.start));
  return before.ok ? { ...before, node: { ...before.node, body: [...before.node.body, asStatement(object)] } } : parsed;
}

function withLastBlockAsObject(source: string, program: Program): Program {
  const isBlock = (node: Node): node is Block => node.type === "BlockStatement";
  const last = program.body.findLast((statement) => statement.type !== "EmptyStatement");
  if (last === undefined || !isBlock(last)) return program;
  const object = parseObjectAt(source, last.start);
  return object?.end === last.end
    ? { ...program, body: program.body.map((statement) => (statement === last ? asStatement(object) : statement)) }
    : program;
}

function asStatement(object: ObjectNode): ExpressionStatement {
  return { type: "ExpressionStatement", start: object.start, end: object.end, expression: object };
}

/** The most places tried: a cell with a syntax error should not cost a parse for each of its lines. */
const TRIED_BRACES = 20;

/** The object literal that ends the source and whose brace starts a line. */
function lastObject(source: string): ObjectNode | undefined {
  const starts = [...source.matchAll(/^[^\S\n]*\{/gm)].map((match) => match.index + match[0].length - 1);
  for (const start of starts.slice(-TRIED_BRACES).reverse()) {
    const object = parseObjectAt(source, start);
    if (object === undefined) continue;
    const rest = skipTrivia(source, object.end);
    const end = source.charAt(rest) === ";" ? skipTrivia(source, rest + 1) : rest;
    if (end >= source.length) return object;
  }
  return undefined;
}
