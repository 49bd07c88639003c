import type { InspectionEvent } from "xstate";
import type { NewEvent } from "@karst/events";
import type { RunState } from "./step.ts";

/**
 * XState's inspection as events: the only tap on an agent's machine. A plain call's `working` and `committing` are left out: its
 * `call-started` and `call-ended` say the same.
 */
export function inspectStates(publish: (fact: NewEvent) => void): (inspected: InspectionEvent) => void {
  let shown = "recovering";
  return (inspected) => {
    if (inspected.type !== "@xstate.snapshot" || !isAgentSnapshot(inspected.snapshot)) return;
    const { value, context } = inspected.snapshot;
    const plainTurn = context.run === undefined && (value === "working" || value === "committing");
    if (value === shown || plainTurn) return;
    shown = value;
    publish({
      type: "state-entered",
      state: value,
      ...(context.run === undefined ? {} : { runId: context.run.runId, step: context.run.steps }),
    });
  };
}

interface AgentSnapshot {
  readonly value: string;
  readonly context: { readonly run: RunState | undefined; readonly effects: unknown };
}

/** The machine's own snapshots; those of invoked model calls and cells have no such context. */
function isAgentSnapshot(snapshot: unknown): snapshot is AgentSnapshot {
  if (typeof snapshot !== "object" || snapshot === null || !("value" in snapshot) || !("context" in snapshot)) return false;
  const { context } = snapshot;
  return typeof context === "object" && context !== null && "effects" in context;
}
