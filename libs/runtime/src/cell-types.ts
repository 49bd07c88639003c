import type { Decorated, Node, Range, TypeAssertion, TypeSuffix } from "./cell-ast.ts";
import type { Rewriting } from "./cell-context.ts";
import type { Scope } from "./cell-names.ts";
import { skipTrivia } from "./cell-source.ts";

/** TypeScript blanking: types are erased, never checked. */

export function eraseType(rewriting: Rewriting, type: Range | null | undefined): void {
  if (type !== null && type !== undefined) rewriting.edits.erase(type.start, type.end);
}

const IDENTIFIER_PART = /(?:[\p{ID_Continue}$\u200c\u200d]|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\})+/uy;

/** Where the identifier that starts at `start` ends in the source: its node may include a type, its name may be shorter than its escapes. */
export function identifierEnd(source: string, start: number): number {
  IDENTIFIER_PART.lastIndex = start;
  return IDENTIFIER_PART.test(source) ? IDENTIFIER_PART.lastIndex : start;
}

/** Erases `: T`, `?: T` and `!: T` after a bound name or pattern. */
export function eraseAnnotation(rewriting: Rewriting, pattern: Node): void {
  if (pattern.type === "Identifier") {
    const end = identifierEnd(rewriting.source, pattern.start);
    const last = Math.max(pattern.end, pattern.typeAnnotation?.end ?? 0);
    if (last > end) rewriting.edits.erase(end, last);
  } else if ("typeAnnotation" in pattern) eraseType(rewriting, pattern.typeAnnotation);
}

/** Erases the mark `?` or `!` that stands at or after `offset`, when it does. */
export function eraseMark(rewriting: Rewriting, offset: number): void {
  const at = skipTrivia(rewriting.source, offset);
  if (/[?!]/.test(rewriting.source.charAt(at))) rewriting.edits.erase(at, at + 1);
}

/** `e as T`, `e satisfies T`, `e!`, `e<T>` become `e`. */
export function visitTypeSuffix(rewriting: Rewriting, node: TypeSuffix, scope: Scope): void {
  rewriting.visit(node.expression, scope);
  rewriting.edits.erase(node.expression.end, node.end);
}

/** `<T>e` becomes `(e)`: bare, a line end inside the type would end a `return`. */
export function visitTypeAssertion(rewriting: Rewriting, node: TypeAssertion, scope: Scope): void {
  const close = rewriting.source.indexOf(">", skipTrivia(rewriting.source, node.typeAnnotation.end));
  rewriting.edits.erase(node.start, close + 1, "(");
  rewriting.visit(node.expression, scope);
  rewriting.edits.insert(node.end, ")");
}

export function refuseDecorators(rewriting: Rewriting, node: Decorated): void {
  const [decorator] = node.decorators ?? [];
  if (decorator !== undefined) rewriting.refuse(decorator, "decorators are not supported; call a function on the class instead");
}

const MODIFIER = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/y;

/** Erases TypeScript's modifiers between `start` and `end`, where a key or parameter begins. */
export function eraseModifiers(rewriting: Rewriting, start: number, end: number): void {
  let at = skipTrivia(rewriting.source, start);
  while (at < end) {
    MODIFIER.lastIndex = at;
    if (MODIFIER.test(rewriting.source)) rewriting.edits.erase(at, MODIFIER.lastIndex);
    const next = identifierEnd(rewriting.source, at);
    at = skipTrivia(rewriting.source, next > at ? next : at + 1);
  }
}
