import { createDeclarer, DETAILS } from "./declare-binding.ts";
import type { Declarer, Detail } from "./declare-binding.ts";
import type { Binding, DescribeOptions } from "./runtime.ts";

/** What `describe` says when there is nothing to show. */
export const NOTHING_TO_DESCRIBE = "// No variables, functions or types have been provided.";

const DEFAULT_BUDGET_CHARS = 20_000;
/** One name may take this part of the budget before it is shown with less detail. */
const SHARE_OF_ONE = 0.25;

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
  for (const detail of DETAILS) {
    const blocks = declareAll(shown, declarer, detail, budgetChars);
    const text = blocks.join("\n");
    if (text.length <= budgetChars) return text;
  }
  return fitSome(shown, declarer, budgetChars);
}

const ORDER = ["type", "function", "variable", "handle", "hidden"];

function inOrder(bindings: readonly Binding[]): Binding[] {
  const rank = ({ kind }: Binding): number => Math.min(ORDER.indexOf(kind), ORDER.indexOf("variable"));
  return [...bindings].sort((a, b) => rank(a) - rank(b));
}

/** A block for each name at `detail`, or at the first lesser one that keeps it within its share. */
function declareAll(bindings: readonly Binding[], declarer: Declarer, detail: Detail, budgetChars: number): string[] {
  const shareChars = Math.max(200, budgetChars * SHARE_OF_ONE);
  const declared = new Set<object>();
  return bindings.flatMap((binding) => {
    let lines: readonly string[] = [];
    for (const lesser of DETAILS.slice(DETAILS.indexOf(detail))) {
      const attempt = new Set(declared);
      lines = declarer.declare(binding, lesser, attempt);
      if (lines.join("\n").length <= shareChars || lesser === DETAILS.at(-1)) {
        for (const each of attempt) declared.add(each);
        break;
      }
    }
    return lines;
  });
}

/** As many of the first names as fit, and a line that names or counts the rest. */
function fitSome(bindings: readonly Binding[], declarer: Declarer, budgetChars: number): string {
  const least = DETAILS.at(-1);
  const lines: string[] = [];
  let usedChars = 0;
  let index = 0;
  for (; index < bindings.length && least !== undefined; index += 1) {
    const binding = bindings[index];
    const text = binding === undefined ? "" : declarer.declare(binding, least, new Set()).join("\n");
    const rest = restLine(bindings.slice(index + 1));
    if (usedChars + text.length + 1 + Math.min(rest.length, COUNT_CHARS) + 1 > budgetChars) break;
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
