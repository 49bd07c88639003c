import { scriptedModel } from "@karst/model";
import type { Model } from "@karst/model";
import { selectReply } from "./script/select.ts";

/** Characters that come at once when the script is paced. */
const PIECE = 12;

/**
 * The demo's own model table: one scripted model whose replies depend on who asks what. `paceMs`: time before each piece of a reply, so that a
 * person can follow; default 0.
 */
export function demoModels({ paceMs = 0 }: { readonly paceMs?: number } = {}): Readonly<Record<string, Model>> {
  const reply = (text: string): { text: string; chunks?: number; delayMs?: number } =>
    paceMs === 0 ? { text } : { text, chunks: PIECE, delayMs: paceMs };
  return { default: scriptedModel((request) => reply(selectReply(request)), { id: "script" }) };
}
