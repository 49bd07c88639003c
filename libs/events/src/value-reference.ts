import type { Entry } from "./envelope.ts";
import { toRef } from "./handle.ts";
import type { ObjRef, Referable } from "./handle.ts";
import type { ReferenceExporter } from "./value.ts";
import type { Refusal, ValueKind } from "./value-kind.ts";

const TOLD: Partial<Record<ValueKind, string>> = { referable: "a handle", function: "a function", iterable: "an async iterable" };

/** The entry of a live thing's reference, or why it gets none. A handle answers for itself; of the rest the exporter decides. */
export function referenceEntry(
  live: object,
  kind: ValueKind,
  references: ReferenceExporter | undefined,
  path: () => string,
): Extract<Entry, readonly ["ref", ...unknown[]]> | Refusal {
  const told = TOLD[kind] ?? "an object that is shared by reference";
  if (references === undefined) return { refused: `${told}, where no references are taken` };
  const shape: ObjRef["shape"] = kind === "function" || kind === "iterable" ? kind : "object";
  const ref = kind === "referable" ? (live as Referable)[toRef]() : references.export(live, shape, path()); // cast: the kind says so
  if (ref === undefined) return { refused: `${told}, to which no reference was given` };
  // A list of its own: parts of an entry serve once.
  return ["ref", "only" in ref ? { ...ref, only: [...ref.only] } : { ...ref }];
}
