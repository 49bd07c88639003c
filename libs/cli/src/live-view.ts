import type { KarstEvent } from "@karst/events";
import { displayWidth, fit, pad, printable } from "./display-width.ts";
import { countText, durationText, pluralText } from "./number-text.ts";
import { createPainter } from "./output.ts";
import type { Paint } from "./output.ts";

/**
 * The agents of a system as a tree, folded from their events. Pure.
 *
 * V1. An event seen twice changes nothing: an agent's events count up.
 * V2. An agent stands under the first agent that called it or whose run caused its run, never under itself or one below it.
 * V3. Stopped agents without others below them go when there are more than `MOST_AGENTS`.
 */
export interface LiveView {
  readonly agents: ReadonlyMap<string, AgentView>;
  /** Which agent a run belongs to, while it lasts. */
  readonly runs: ReadonlyMap<string, string>;
}

export interface AgentView {
  /** `tenant/class/id`. */
  readonly address: string;
  readonly parent: string | undefined;
  readonly seq: number;
  readonly state: string;
  readonly phase: "new" | "running" | "done" | "failed" | "stopped";
  /** Of the current or last run. */
  readonly step: number;
  /** Cells started so far. */
  readonly cells: number;
  /** Tokens used so far. */
  readonly tokens: number;
  readonly tokensEstimated: boolean;
  /** Of the current or last run; wall clock. */
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  /** What it said, ran or printed last; one printable line. */
  readonly lastLine: string;
  /** The end of the reply that is coming in, as it came. */
  readonly saying: string;
}

export const MOST_AGENTS = 1_000;
/** Characters kept of an agent's last line. */
const LINE_CHARS = 200;

export const EMPTY_VIEW: LiveView = { agents: new Map(), runs: new Map() };

/** The view after `event`. */
export function foldEvent(view: LiveView, event: KarstEvent): LiveView {
  const before = view.agents.get(event.agent) ?? newAgent(event.agent);
  if (event.seq <= before.seq) return view;
  const caused = parentOf(view, event);
  const parent = before.parent ?? (caused === undefined || isBelow(view, caused, event.agent) ? undefined : caused);
  const agents = new Map(view.agents).set(event.agent, { ...before, ...change(before, event), parent, seq: event.seq });
  if (parent !== undefined && !agents.has(parent)) agents.set(parent, newAgent(parent));
  return { agents: agents.size > MOST_AGENTS ? withoutStopped(agents) : agents, runs: changedRuns(view.runs, event) };
}

function newAgent(address: string): AgentView {
  return {
    address,
    parent: undefined,
    seq: 0,
    state: "idle",
    phase: "new",
    step: 0,
    cells: 0,
    tokens: 0,
    tokensEstimated: false,
    startedAtMs: undefined,
    endedAtMs: undefined,
    lastLine: "",
    saying: "",
  };
}

function parentOf(view: LiveView, event: KarstEvent): string | undefined {
  if (event.type === "run-started" && event.parent !== undefined) return view.runs.get(event.parent);
  return event.type === "call-started" && event.from.includes("/") ? event.from : undefined;
}

/** Whether `address` is `top` or stands below it. */
function isBelow(view: LiveView, address: string, top: string): boolean {
  for (let at: string | undefined = address; at !== undefined; at = view.agents.get(at)?.parent) if (at === top) return true;
  return false;
}

function withoutStopped(agents: ReadonlyMap<string, AgentView>): Map<string, AgentView> {
  const parents = new Set([...agents.values()].map(({ parent }) => parent));
  return new Map([...agents].filter(([address, { phase }]) => phase !== "stopped" || parents.has(address)));
}

function changedRuns(runs: ReadonlyMap<string, string>, event: KarstEvent): ReadonlyMap<string, string> {
  if (event.type !== "run-started" && event.type !== "run-ended") return runs;
  const changed = new Map(runs);
  if (event.type === "run-started") changed.set(event.runId, event.agent);
  else changed.delete(event.runId);
  return changed;
}

/** What `event` changes in its agent. */
function change(agent: AgentView, event: KarstEvent): Partial<AgentView> {
  switch (event.type) {
    case "agent-activated":
      return { state: "idle", phase: agent.phase === "stopped" ? "new" : agent.phase };
    case "agent-stopped":
      return { state: "stopped", phase: "stopped", lastLine: lastLineOf(event.reason) };
    case "state-entered":
      return { state: event.state, ...(event.step === undefined ? {} : { step: event.step }) };
    case "call-started":
      return agent.phase === "running" ? {} : { lastLine: `${event.method}()` };
    case "call-failed":
      return { lastLine: `${event.method}() failed: ${firstLineOf(event.message)}` };
    case "call-ended":
      return {};
    case "run-started":
      return { phase: "running", step: 0, startedAtMs: event.at, endedAtMs: undefined, lastLine: firstLineOf(event.task) };
    case "step-started":
      return { step: event.step, saying: "" };
    case "reasoning-delta":
      return {};
    case "model-delta": {
      const saying = (agent.saying + event.text).slice(-2_000);
      return { saying, lastLine: lastLineOf(saying) };
    }
    case "cell-started":
      return { step: event.step, cells: agent.cells + 1, lastLine: firstLineOf(event.code) };
    case "cell-ended":
      return { lastLine: event.ok ? lastLineOf(event.output) : firstLineOf(event.error ?? "the cell failed") };
    case "step-ended":
      return { tokens: agent.tokens + event.usage.total, tokensEstimated: agent.tokensEstimated || event.usage.estimated };
    case "run-ended": {
      const { completed, content, stopReason, error } = event.result;
      const failure = error === undefined ? stopReason : `${stopReason}: ${firstLineOf(error.message)}`;
      return { phase: completed ? "done" : "failed", endedAtMs: event.at, lastLine: completed ? firstLineOf(content) : failure };
    }
    case "event-emitted":
      return { lastLine: emittedText(event.name, event.payload) };
  }
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => printable(line).trim())
    .filter((line) => line !== "");
}
const firstLineOf = (text: string): string => (linesOf(text.slice(0, 2_000))[0] ?? "").slice(0, LINE_CHARS);
const lastLineOf = (text: string): string => (linesOf(text.slice(-2_000)).at(-1) ?? "").slice(-LINE_CHARS);

/** `name 800/3,200 rule` where the payload counts, else the name and the payload. */
export function emittedText(name: string, payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "done" in payload && "total" in payload) {
    const { done, total } = payload;
    const rule = "rule" in payload && typeof payload.rule === "string" ? ` ${printable(payload.rule)}` : "";
    if (typeof done === "number" && typeof total === "number") return `${printable(name)} ${countText(done)}/${countText(total)}${rule}`;
  }
  return fit(printable(`${name} ${JSON.stringify(payload)}`), LINE_CHARS);
}

export interface TreeOptions {
  readonly nowMs: number;
  /** Cells per line. */
  readonly width: number;
  readonly colour?: boolean;
  /** Most lines; what does not fit is counted in the last one. Default 20. */
  readonly lines?: number;
}

const MARKS: Readonly<Record<AgentView["phase"], readonly [mark: string, paint: Paint]>> = {
  new: ["○", "dim"],
  running: ["●", "cyan"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
  stopped: ["○", "dim"],
};

/** The tree as lines, each at most `width` cells: branch, name, state, step, cells, tokens, elapsed, last line. */
export function renderTree(view: LiveView, { nowMs, width, colour = false, lines = 20 }: TreeOptions): string[] {
  const paint = createPainter(colour);
  const placed = inTreeOrder(view);
  const shown = placed.length <= lines ? placed : placed.slice(0, Math.max(0, lines - 1));
  const names = shown.map(({ branch, agent }) => branch + nameOf(agent.address));
  const nameWidth = Math.min(Math.floor(width * 0.4), Math.max(0, ...names.map(displayWidth)));
  const stateWidth = Math.max(8, ...shown.map(({ agent }) => displayWidth(printable(agent.state))));
  const rows = shown.map(({ agent }, index) => {
    const [mark, markPaint] = MARKS[agent.phase];
    const name = pad(fit(names[index] ?? "", nameWidth), nameWidth);
    const fixed = fit(`${name}  ${pad(printable(agent.state), stateWidth)}  ${figuresOf(agent, nowMs)}`, width - 2);
    const room = width - 2 - displayWidth(fixed) - 2;
    const last = room < 8 ? "" : fit(agent.lastLine, room);
    return `${paint(markPaint, mark)} ${last === "" ? fixed.trimEnd() : `${fixed}  ${paint("dim", last)}`}`;
  });
  const more = placed.length - shown.length;
  return more > 0 && lines > 0 ? [...rows, fit(`… and ${pluralText(more, "more agent", "more agents")}`, width)] : rows;
}

const nameOf = (address: string): string => printable(address.slice(address.indexOf("/") + 1));

function figuresOf(agent: AgentView, nowMs: number): string {
  const tokens = agent.tokens === 0 ? "" : `${agent.tokensEstimated ? "~" : ""}${countText(agent.tokens)} tokens`;
  const elapsed = agent.startedAtMs === undefined ? "" : durationText(Math.max(0, (agent.endedAtMs ?? nowMs) - agent.startedAtMs));
  const parts = [
    agent.step === 0 ? "" : `step ${String(agent.step)}`,
    agent.cells === 0 ? "" : `cell ${String(agent.cells)}`,
    tokens,
    elapsed,
  ];
  return parts.map((part, index) => pad(part, [7, 7, 14, 6][index] ?? 0, index > 1 ? "right" : "left")).join("  ");
}

interface Placed {
  readonly agent: AgentView;
  readonly branch: string;
}

/** Agents, each followed by those below it, in order of appearance. */
function inTreeOrder(view: LiveView): Placed[] {
  const below = new Map<string | undefined, AgentView[]>();
  for (const agent of view.agents.values()) {
    const parent = agent.parent !== undefined && view.agents.has(agent.parent) ? agent.parent : undefined;
    below.set(parent, [...(below.get(parent) ?? []), agent]);
  }
  const placed: Placed[] = [];
  const visit = (agents: readonly AgentView[], indent: string, isTop: boolean): void => {
    agents.forEach((agent, index) => {
      const isLast = index === agents.length - 1;
      placed.push({ agent, branch: isTop ? "" : `${indent}${isLast ? "└─ " : "├─ "}` });
      visit(below.get(agent.address) ?? [], isTop ? "" : `${indent}${isLast ? "   " : "│  "}`, false);
    });
  };
  visit(below.get(undefined) ?? [], "", true);
  return placed;
}
