import type { Program, Range } from "./cell-ast.ts";
import type { Rewriting } from "./cell-context.ts";
import { createEdits } from "./cell-edits.ts";
import { readProgram } from "./cell-literal.ts";
import { generatedNames, topScope } from "./cell-names.ts";
import type { Scope } from "./cell-names.ts";
import { findJsx } from "./cell-parse.ts";
import type { Parsed, ParseFailure } from "./cell-parse.ts";
import { lineEndsOf, linesOf, normaliseSource } from "./cell-source.ts";
import type { Lines } from "./cell-source.ts";
import { topNames, visitTop } from "./cell-top.ts";
import { visitNode } from "./cell-visit.ts";
import type { CompiledCell, CompileOptions } from "./cell.ts";
import { CellSyntaxError } from "./errors.ts";
import { showPlace } from "./cell-place.ts";

/** The compiler's one pass; see `compileCell`. */
export function rewriteCell(text: string, options: CompileOptions): CompiledCell {
  const source = normaliseSource(text);
  const lines = linesOf(source);
  const refuse = (offset: number, message: string): never => {
    const position = lines.positionOf(offset);
    throw new CellSyntaxError(message, {
      cell: options.cell,
      ...position,
      report: `SyntaxError: ${message}\n${showPlace(lines, options.cell, position)}`,
    });
  };
  const parsed = readProgram(source);
  if (!parsed.ok) return refuse(...explain(source, parsed.failure));
  try {
    return rewrite(source, lines, parsed, options, refuse);
  } catch (error) {
    // The walk recurses as deep as the code nests.
    if (error instanceof RangeError) return refuse(0, "the code is nested too deeply");
    throw error;
  }
}

function rewrite(
  source: string,
  lines: Lines,
  { node: { body }, blanked = [] }: Parsed<Program> & { ok: true },
  options: CompileOptions,
  refuse: (offset: number, message: string) => never,
): CompiledCell {
  const generated = generatedNames(source);
  const names = topNames(body);
  const edits = createEdits(source, lines);
  const enums = new WeakMap<Scope, Set<string>>();
  const erased: Range[] = [];
  const rewriting: Rewriting = {
    source,
    generated,
    guard: options.guard ?? false,
    consts: new Set(
      [...(options.consts ?? []), ...names.consts].filter((name) => names.consts.includes(name) || !names.declared.includes(name)),
    ),
    used: new Set(),
    callees: new Set(),
    afterStatement: new Map(),
    erased,
    usingOffset: undefined,
    edits: {
      ...edits,
      erase(start, end, instead) {
        erased.push({ start, end });
        edits.erase(start, end, instead);
      },
    },
    enumsOf(scope) {
      const seen = enums.get(scope) ?? new Set();
      enums.set(scope, seen);
      return seen;
    },
    visit(node, scope) {
      visitNode(rewriting, node, scope);
    },
    refuse: (at, message) => refuse(at.start, message),
  };
  edits.head(`(async function(${generated.scope},${generated.hooks},${generated.flag}){"use strict";`);
  const hasValue = visitTop(rewriting, body, topScope(names.locals));
  for (const offset of blanked)
    if (!erased.some(({ start, end }) => start <= offset && offset < end)) refuse(offset, "Unexpected keyword 'const'");
  const end = body.at(-1)?.end ?? 0;
  if (end < source.length) edits.replace(end, source.length, lineEndsOf(source.slice(end)));
  edits.insert(source.length, hasValue ? "})" : "return {v:void 0,has:false,returned:false};})");
  const edited = edits.apply();
  const declared = new Set(names.declared);
  return {
    cell: options.cell,
    source,
    code: edited.text,
    declared: names.declared,
    consts: names.consts,
    hoistedVars: names.vars,
    imports: names.imports,
    freeNames: [...rewriting.used].filter((name) => !declared.has(name)),
    names: [...new Set([...names.declared, ...rewriting.used])],
    ...(rewriting.usingOffset !== undefined && { usingAt: lines.positionOf(rewriting.usingOffset) }),
    position: (line, column) => edited.position(line, column),
  };
}

/** The parser's message, with what it met named, and JSX named as such. */
function explain(source: string, failure: ParseFailure): [offset: number, message: string] {
  const jsx = findJsx(source);
  if (jsx !== undefined) return [jsx, "JSX is not supported; build the value with function calls"];
  if (failure.message !== "Unexpected token") return [failure.offset, failure.message];
  const token = /^(?:[\p{ID_Continue}$]+|.)/u.exec(source.slice(failure.offset))?.[0];
  return [failure.offset, token === undefined ? "Unexpected end of the cell" : `Unexpected token '${token}'`];
}
