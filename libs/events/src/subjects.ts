import { formatAddress, requireToken } from "./ids.ts";
import type { AddressParts, NodeId } from "./ids.ts";
import { MalformedError } from "./errors.ts";

/** Every subject on NATS, built and parsed here only. Tokens are `[A-Za-z0-9_-]`; an agent's id is escaped to that and `=`. */
const PREFIX = "karst";

/** Escapes an agent id for one subject token: each byte outside `[A-Za-z0-9_-]` becomes `=XX`. */
export function escapeToken(text: string): string {
  let escaped = "";
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte);
    escaped += /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/** @throws {MalformedError} when `token` is not what `escapeToken` makes. */
export function unescapeToken(token: string): string {
  if (!/^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/.test(token)) throw new MalformedError("subject token", token);
  const text = decodeUtf8(token);
  if (text === undefined || escapeToken(text) !== token) throw new MalformedError("subject token", token);
  return text;
}

function decodeUtf8(token: string): string | undefined {
  try {
    return decodeURIComponent(token.replaceAll("=", "%"));
  } catch {
    return undefined; // bytes that are no UTF-8
  }
}

/** Calls for the agents of one node. */
export const callSubject = (tenant: string, node: NodeId): string => `${PREFIX}.n.${requireToken("tenant", tenant)}.${node}.call`;
/** Cancels, never queued behind data. */
export const controlSubject = (tenant: string, node: NodeId): string => `${PREFIX}.n.${requireToken("tenant", tenant)}.${node}.ctl`;
/** One node's replies; the last token is the call id. */
export const replySubject = (node: NodeId, call: string): string => `${PREFIX}.r.${node}.${call}`;
/** Asks which node hosts a class. */
export const placeSubject = (tenant: string, className: string): string =>
  `${PREFIX}.place.${requireToken("tenant", tenant)}.${requireToken("agent class", className)}`;

/** An event of an agent, for anyone outside: `karst.e.<tenant>.<class>.<id>.<type>`. */
export const eventSubject = ({ tenant, class: className, id }: AddressParts, type: string): string =>
  `${PREFIX}.e.${requireToken("tenant", tenant)}.${requireToken("agent class", className)}.${escapeToken(id)}.${requireToken("event type", type)}`;

export interface EventFilter {
  readonly tenant?: string;
  readonly class?: string;
  readonly id?: string;
  readonly type?: string;
}

/** The subject that a subscriber of `filter` listens to; what is not named is any. @throws {InvalidNameError} when a name could not be one. */
export function eventFilterSubject({ tenant, class: className, id, type }: EventFilter = {}): string {
  const part = (what: string, name: string | undefined): string => (name === undefined ? "*" : requireToken(what, name));
  return [
    PREFIX,
    "e",
    part("tenant", tenant),
    part("agent class", className),
    id === undefined ? "*" : escapeToken(id),
    part("event type", type),
  ].join(".");
}

/** @throws {MalformedError} when `subject` is no event subject. */
export function parseEventSubject(subject: string): AddressParts & { readonly type: string } {
  const [prefix, kind, tenant, className, id, type, ...rest] = subject.split(".");
  if (
    prefix !== PREFIX ||
    kind !== "e" ||
    tenant === undefined ||
    className === undefined ||
    id === undefined ||
    type === undefined ||
    rest.length > 0
  )
    throw new MalformedError("event subject", subject);
  const parts = { tenant, class: className, id: unescapeToken(id) };
  formatAddress(parts);
  return { ...parts, type };
}
