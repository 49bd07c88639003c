import type { ExportNamed, Identifier, ImportAttribute, ImportNode, Literal } from "./cell-ast.ts";
import { reference } from "./cell-context.ts";
import type { Rewriting } from "./cell-context.ts";
import { sealed } from "./cell-declare.ts";

/** A name taken from a module: `exported` is undefined for the whole namespace, `local` when nothing is bound. */
interface Taken {
  readonly exported: string | undefined;
  readonly local: string | undefined;
}

/** Whether an import loads something when the cell runs. */
export function isValueImport(node: ImportNode): boolean {
  return node.importKind !== "type";
}

/**
 * A static import becomes an awaited call of the host's import hook: where it stands when `inPlace`, else before the first line, because
 * the language loads imports before it runs anything. Bindings are snapshots and constants.
 */
export function visitImport(rewriting: Rewriting, node: ImportNode, inPlace: boolean): void {
  const taken = node.specifiers.flatMap((specifier): Taken[] => {
    const local = specifier.local.name;
    if (specifier.type === "ImportDefaultSpecifier") return [{ exported: "default", local }];
    if (specifier.type === "ImportNamespaceSpecifier") return [{ exported: undefined, local }];
    return specifier.importKind === "type" ? [] : [{ exported: nameOf(specifier.imported ?? specifier.local), local }];
  });
  place(rewriting, node, loading(rewriting, node.source, node.attributes ?? [], taken), inPlace);
}

/** `export { a } from "m"` binds nothing here; it loads the module and checks that the export is there. */
export function visitReexport(rewriting: Rewriting, node: ExportNamed, source: Literal, inPlace: boolean): void {
  const taken = node.specifiers
    .filter(({ exportKind }) => exportKind !== "type")
    .map(({ local }): Taken => ({ exported: nameOf(local), local: undefined }));
  place(rewriting, node, loading(rewriting, source, node.attributes ?? [], taken), inPlace);
}

function place(rewriting: Rewriting, node: ImportNode | ExportNamed, text: string, inPlace: boolean): void {
  if (inPlace) rewriting.edits.erase(node.start, node.end, text);
  else {
    rewriting.edits.head(text, node.start);
    rewriting.edits.erase(node.start, node.end, ";");
  }
}

function loading(rewriting: Rewriting, source: Literal, attributes: readonly ImportAttribute[], taken: readonly Taken[]): string {
  const { hooks, module } = rewriting.generated;
  const specifier = JSON.stringify(String(source.value));
  const pairs = attributes.map(({ key, value }) => `${JSON.stringify(nameOf(key))}:${JSON.stringify(String(value.value))}`);
  const call = `${hooks}.import(${specifier}${pairs.length === 0 ? "" : `,{with:{${pairs.join(",")}}}`})`;
  const waited = rewriting.guard ? `await ${hooks}.a(${call})` : `await ${call}`;
  if (taken.length === 0) return `${waited};`;
  const bindings = taken.map(({ exported, local }) => {
    const value = exported === undefined ? module : `${hooks}.get(${module},${JSON.stringify(exported)},${specifier})`;
    if (local === undefined) return `${value};`;
    // TypeScript drops an import that only types name, so its absence is no error; a later cell may still use it as a value.
    const condition = exported !== undefined && isOnlyType(rewriting, local) ? `if(${JSON.stringify(exported)} in ${module})` : "";
    return `${condition}${reference(rewriting, local)}=${value};`;
  });
  const names = taken.flatMap(({ local }) => (local === undefined ? [] : [local]));
  return `{const ${module}=${waited};${bindings.join("")}${sealed(rewriting, names)}}`;
}

/** Whether the cell names an import in types only. To be asked after the walk. */
function isOnlyType(rewriting: Rewriting, local: string): boolean {
  return !rewriting.used.has(local) && rewriting.erased.some(({ start, end }) => rewriting.source.slice(start, end).includes(local));
}

function nameOf(name: Identifier | Literal): string {
  return name.type === "Identifier" ? name.name : String(name.value);
}
