/** How generated names look: `generatedNames` in cell-names.ts. */
const CALLED = /\(0\s?,\s?\$k\d*\$\.([^\s()]+?)\)/gu;
const SCOPE = /\$k\d*\$\./gu;
/** V8's text for an assignment to a constant, with the tag of cell-scope.ts. */
const CONSTANT = /Cannot assign to read only property '(.+?)' of object '\[object KarstScope\]'/gu;

/** A text without the compiler's own names: `(0 , $k$.f) is not a function` becomes `f is not a function`. */
export function cleanMessage(text: string): string {
  if (!text.includes("$k") && !text.includes("KarstScope")) return text;
  return text.replace(CALLED, "$1").replace(SCOPE, "").replace(CONSTANT, "Assignment to constant variable '$1'.");
}
