import { scriptedModel } from "@karst/model";
import type { Model } from "@karst/model";
import { selectReply } from "./script/select.ts";

/** The demo's own model table: one scripted model whose replies depend on who asks what. */
export function demoModels(): Readonly<Record<string, Model>> {
  return { default: scriptedModel((request) => selectReply(request), { id: "script" }) };
}
