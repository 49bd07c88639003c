/** A host class that the model may see and construct. */
export interface HostType {
  readonly part: "type";
  readonly of: abstract new (...args: never) => unknown;
  readonly description: string | undefined;
  readonly doc: "full" | "signatures" | "hidden";
}

/** Declares a host class. `doc`: how much of it is shown; default `full`. */
export function type(
  of: abstract new (...args: never) => unknown,
  options: { readonly description?: string; readonly doc?: "full" | "signatures" | "hidden" } = {},
): HostType {
  return { part: "type", of, description: options.description, doc: options.doc ?? "full" };
}
