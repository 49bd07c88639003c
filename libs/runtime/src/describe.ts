import { createDeclarer, DETAILS, NO_DETAIL } from "./declare-binding.ts";
import type { Declarer, Detail } from "./declare-binding.ts";
import type { Binding, DescribeOptions } from "./runtime.ts";

/** What `describe` says when there is nothing to show. */
export const NOTHING_TO_DESCRIBE = "// No variables, functions or types have been provided.";

const DEFAULT_BUDGET_CHARS = 20_000;
/** One name may take this part of the budget, and these characters in any case, before it is shown with less detail. */
const SHARE_OF_ONE = 0.25;
const FEWEST_CHARS = 200;

/**
 * What the model is shown of the names in a runtime: TypeScript declarations, types first, then functions, then variables and handles.
 * `value` of a binding is what the name holds now.
 *
 * X1. Never longer than `budgetChars`: names lose detail until all fit, then the last ones are only named, then only counted.
 * X2. The same names with the same values give the same text.
 * X3. Runs no code of a value; never shows a hidden binding, nor a value in full.
 */
export function describeBindings(bindings: readonly Binding[], options: DescribeOptions = {}): string {
  const budgetChars = options.budgetChars ?? DEFAULT_BUDGET_CHARS;
  const wanted = options.names === undefined ? undefined : new Set(options.names);
  const shown = inOrder(bindings.filter(({ kind, name, doc }) => kind !== "hidden" && doc !== "hidden" && (wanted?.has(name) ?? true)));
  if (shown.length === 0) return NOTHING_TO_DESCRIBE.slice(0, budgetChars);
  const declarer = createDeclarer(bindings);
  const shareChars = Math.max(FEWEST_CHARS, budgetChars * SHARE_OF_ONE);
  const own = shown.map((binding) => levelWithin(shareChars, binding, declarer));
  for (let level = 0; level < DETAILS.length; level += 1) {
    const declared = new Set<object>();
    const lines = shown.flatMap((binding, index) => declarer.declare(binding, detailAt(Math.max(level, own[index] ?? 0)), declared));
    const text = lines.join("\n");
    if (text.length <= budgetChars) return text;
  }
  return fitSome(shown, declarer, budgetChars);
}

const ORDER = ["type", "function", "variable", "handle", "hidden"];

function inOrder(bindings: readonly Binding[]): Binding[] {
  const rank = ({ kind }: Binding): number => Math.min(ORDER.indexOf(kind), ORDER.indexOf("variable"));
  return [...bindings].sort((a, b) => rank(a) - rank(b));
}

const LEAST = DETAILS.length - 1;
const detailAt = (level: number): Detail => DETAILS[Math.min(level, LEAST)] ?? NO_DETAIL;

/** The first level of detail at which a name takes no more than its share. */
function levelWithin(shareChars: number, binding: Binding, declarer: Declarer): number {
  const level = DETAILS.findIndex((detail) => declarer.declare(binding, detail, new Set()).join("\n").length <= shareChars);
  return level < 0 ? LEAST : level;
}

/** As many of the first names as fit, and a line that names or counts the rest. */
function fitSome(bindings: readonly Binding[], declarer: Declarer, budgetChars: number): string {
  const lines: string[] = [];
  let usedChars = 0;
  let index = 0;
  for (const binding of bindings) {
    const text = declarer.declare(binding, detailAt(LEAST), new Set()).join("\n");
    const rest = restLine(bindings.slice(index + 1));
    if (usedChars + text.length + 1 + Math.min(rest.length, COUNT_CHARS) + 1 > budgetChars) break;
    index += 1;
    lines.push(text);
    usedChars += text.length + 1;
  }
  const left = bindings.slice(index);
  const named = restLine(left);
  const rest = usedChars + named.length <= budgetChars ? named : `// … ${String(left.length)} more names`;
  return [...lines, rest].join("\n").slice(0, budgetChars);
}

/** Room for the line that counts. */
const COUNT_CHARS = 32;

const restLine = (bindings: readonly Binding[]): string => `// … not shown: ${bindings.map(({ name }) => name).join(", ")}`;
