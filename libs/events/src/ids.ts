import { InvalidNameError } from "./errors.ts";

declare const brand: unique symbol;

/** `tenant/class/id`: names an agent wherever it lives. */
export type AgentAddress = string & { readonly [brand]: "AgentAddress" };
/** One task given to an agent. */
export type RunId = string & { readonly [brand]: "RunId" };
/** One call; unique per caller incarnation, kept when a call is resent. */
export type CallId = string & { readonly [brand]: "CallId" };
/** One process that hosts activations or makes calls; a restart has a new one. */
export type NodeId = string & { readonly [brand]: "NodeId" };

export interface AddressParts {
  readonly tenant: string;
  readonly class: string;
  readonly id: string;
}

/** What a tenant, a class or a node may be called: it stands in a NATS subject as it is. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
/** What an agent's id may be: whole printable characters, no `/`, at most 64; subjects escape the rest. */
const AGENT_ID = /^[^\p{Cc}\p{Cs}/]{1,64}$/u;

/** Refuses what may not stand in a subject. @throws {InvalidNameError} naming `what` and the rule. */
export function requireToken(what: string, text: string): string {
  if (!TOKEN.test(text)) throw new InvalidNameError(what, text, "1 to 64 characters out of A-Z a-z 0-9 _ -");
  return text;
}

/** @throws {InvalidNameError} when a part breaks its rule. */
export function formatAddress({ tenant, class: className, id }: AddressParts): AgentAddress {
  requireToken("tenant", tenant);
  requireToken("agent class", className);
  if (!AGENT_ID.test(id)) throw new InvalidNameError("agent id", id, "1 to 64 printable characters without '/'");
  return `${tenant}/${className}/${id}` as AgentAddress; // the one place that makes an address
}

/** @throws {InvalidNameError} when `text` is not `tenant/class/id`. */
export function parseAddress(text: string): AddressParts {
  const [tenant, className, id, ...rest] = text.split("/");
  if (tenant === undefined || className === undefined || id === undefined || rest.length > 0)
    throw new InvalidNameError("address", text, "tenant/class/id");
  formatAddress({ tenant, class: className, id });
  return { tenant, class: className, id };
}

export const runId = (text: string): RunId => requireToken("run id", text) as RunId;
export const callId = (text: string): CallId => requireToken("call id", text) as CallId;
export const nodeId = (text: string): NodeId => requireToken("node id", text) as NodeId;
