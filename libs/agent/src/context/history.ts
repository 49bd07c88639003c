/** The agent's conversation with its model, as it was: one entry for each thing said or shown. Pure. */
export type ConversationEntry =
  | { readonly kind: "task"; readonly runId: string; readonly text: string }
  | { readonly kind: "reply"; readonly runId: string; readonly step: number; readonly text: string }
  | { readonly kind: "result"; readonly runId: string; readonly step: number; readonly text: string }
  /** What the host tells the model: a repair, an interruption. */
  | { readonly kind: "notice"; readonly runId: string; readonly step: number; readonly text: string };

/**
 * Closes what a run left open, so that the model of the next run sees how it ended: a run that stopped without an answer gets a notice.
 */
export function closeRun(entries: readonly ConversationEntry[], runId: string, step: number, reason: string): readonly ConversationEntry[] {
  const last = entries.at(-1);
  if (last === undefined || last.runId !== runId) return entries;
  return [...entries, { kind: "notice", runId, step, text: `This run was ended before an answer (${reason}).` }];
}
