import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AgentAddress } from "@karst/events";
import type { Caller } from "@karst/cluster";
import { InvalidConfigError } from "./errors.ts";

/**
 * What a handle may do. A plain handle has its holder's rights; one made by `only(…)` carries a grant: the names, who gave them, and a
 * proof. Hosts of one system share the key; agents never see it.
 *
 * N1. A grant gives no more than the one who gave it may do: the callee judges by the giver's rights, then by the names.
 * N2. A grant for one agent, or for other names, is no grant: the proof covers address, names and giver.
 */
export interface Grant {
  readonly only: readonly string[];
  readonly proof: string;
}

/** Who gave a grant: the operator, or an agent with these roles. */
export type Giver = "operator" | readonly string[];

export interface GrantKey {
  /** A proof that `giver` granted `only` on `address`. */
  sign(address: AgentAddress, only: readonly string[], giver: Giver): string;
  /** Who gave the grant, or undefined when the proof does not hold. */
  giverOf(address: AgentAddress, grant: Grant): Giver | undefined;
}

/** HMAC-SHA-256. `secret`: at least 16 bytes, the same on every host of a system; a random one serves a single process. */
export function createGrantKey(secret: Uint8Array = randomBytes(32)): GrantKey {
  if (secret.byteLength < 16) throw new InvalidConfigError("grantSecret", `it has ${String(secret.byteLength)} bytes; 16 is the least`);
  const mac = (address: AgentAddress, only: readonly string[], giver: string): Buffer =>
    createHmac("sha256", secret)
      .update(JSON.stringify([address, [...only].sort(), giver]))
      .digest();
  return {
    sign(address, only, giver) {
      const who = Buffer.from(JSON.stringify(giver)).toString("base64url");
      return `${who}.${mac(address, only, who).toString("base64url")}`;
    },
    giverOf(address, grant) {
      const [who = "", given = ""] = grant.proof.split(".");
      const [a, b] = [Buffer.from(given, "base64url"), mac(address, grant.only, who)];
      if (a.length !== b.length || !timingSafeEqual(a, b)) return undefined;
      return JSON.parse(Buffer.from(who, "base64url").toString()) as Giver; // signed by us, so it is what we wrote
    },
  };
}

/** Verbs that need the role `orchestrator`, the operator, or a grant by one of them. */
const PRIVILEGED: ReadonlySet<string> = new Set(["run", "stream", "ask", "inject", "retrieve", "pause", "resume", "stop", "destroy"]);

export interface Access {
  readonly verb: string;
  /** Roles that may call it; undefined: every agent of the tenant. Ignored for privileged verbs. */
  readonly visibleTo: readonly string[] | undefined;
}

export function giverFrom(caller: Caller): Giver {
  return caller.kind === "operator" ? "operator" : caller.roles;
}

/** Why one with these rights may not do it, or undefined when it may (G8). */
export function refusal(who: Giver, { verb, visibleTo }: Access): string | undefined {
  if (who === "operator") return undefined;
  if (PRIVILEGED.has(verb))
    return who.includes("orchestrator") ? undefined : "that needs the role 'orchestrator' or a handle that grants it";
  if (visibleTo === undefined || who.some((role) => visibleTo.includes(role))) return undefined;
  return `it is visible to ${visibleTo.join(", ") || "nobody"}`;
}

/** The caller's address, or `operator`. */
export function nameOf(caller: Caller): string {
  return caller.kind === "operator" ? "operator" : caller.address;
}
