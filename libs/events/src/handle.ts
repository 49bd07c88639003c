import { z } from "zod";
import { MalformedError } from "./errors.ts";
import { nodeId, parseAddress } from "./ids.ts";
import type { AgentAddress, NodeId } from "./ids.ts";

/**
 * References on the wire. A handle is what a holder calls; these are its forms when it crosses a boundary.
 */

/** A durable reference to an agent. `only`: the names it grants; absent means the class's open methods, by the holder's own rights. */
export interface AgentRef {
  readonly ref: "agent";
  readonly address: AgentAddress;
  readonly only?: readonly string[];
  /** Proves that `only` was granted by one who had those rights (libs/agent grant.ts). */
  readonly grant?: string;
}

/** A live object, function or async iterable in one process; it dies with that process (`RefBroken`). */
export interface ObjRef {
  readonly ref: "object";
  readonly shape: "function" | "iterable" | "object";
  readonly node: NodeId;
  readonly objectId: number;
  /** The class's name or the function's, for people. */
  readonly label: string;
}

export type WireRef = AgentRef | ObjRef;

/** A value with this method crosses as the reference that it returns. Handles have it. */
export const toRef: unique symbol = Symbol.for("karst.toRef") as never; // registered, so that it holds across realms and copies of this module

export interface Referable {
  [toRef](): WireRef;
}

export function isReferable(value: unknown): value is Referable {
  return (typeof value === "object" || typeof value === "function") && value !== null && typeof Reflect.get(value, toRef) === "function";
}

function accepts(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

const wireRefSchema = z.discriminatedUnion("ref", [
  z.strictObject({
    ref: z.literal("agent"),
    address: z.string().refine(accepts(parseAddress)),
    only: z.array(z.string()).optional(),
    grant: z.string().optional(),
  }),
  z.strictObject({
    ref: z.literal("object"),
    shape: z.enum(["function", "iterable", "object"]),
    node: z.string().refine(accepts(nodeId)),
    objectId: z.int().nonnegative(),
    label: z.string(),
  }),
]);

/** @throws {MalformedError} when `data` has not the form of a reference. Whether it leads anywhere is the importer's matter. */
export function parseWireRef(data: unknown): WireRef {
  const parsed = wireRefSchema.safeParse(data);
  if (!parsed.success) throw new MalformedError("reference", z.prettifyError(parsed.error));
  return parsed.data as WireRef; // the schema checked the brands' rules
}
