import type { KarstEvent } from "@karst/events";

/**
 * What went from agent to agent, folded from the events of calls. Pure.
 *
 * C1. An event seen twice counts once: an agent's events count up.
 * C2. Bytes of arguments count when a call starts, those of its result when it ends; a failed call has no result.
 */
export interface Crossing {
  /** Last event seen of each agent. */
  readonly seen: ReadonlyMap<string, number>;
  /** By `<from> <agent> <method>`; calls of the operator too. */
  readonly routes: ReadonlyMap<string, Route>;
}

/** The calls of one method between two ends. */
export interface Route {
  /** Address of the caller, or `operator`. */
  readonly from: string;
  /** Address of the agent that is called. */
  readonly agent: string;
  readonly method: string;
  readonly calls: number;
  readonly failed: number;
  readonly argBytes: number;
  readonly resultBytes: number;
  /** Handles among arguments and results. */
  readonly handles: number;
}

export const NOTHING_CROSSED: Crossing = { seen: new Map(), routes: new Map() };

/** The crossing after `event`. */
export function foldCrossing(crossing: Crossing, event: KarstEvent): Crossing {
  if (event.type !== "call-started" && event.type !== "call-ended" && event.type !== "call-failed") return crossing;
  if (event.seq <= (crossing.seen.get(event.agent) ?? 0)) return crossing;
  const { from, agent, method } = event;
  const key = `${from} ${agent} ${method}`;
  const route = crossing.routes.get(key) ?? { from, agent, method, calls: 0, failed: 0, argBytes: 0, resultBytes: 0, handles: 0 };
  return {
    seen: new Map(crossing.seen).set(agent, event.seq),
    routes: new Map(crossing.routes).set(key, withCall(route, event)),
  };
}

type CallEvent = Extract<KarstEvent, { type: "call-started" | "call-ended" | "call-failed" }>;

function withCall(route: Route, event: CallEvent): Route {
  switch (event.type) {
    case "call-started":
      return { ...route, calls: route.calls + 1, argBytes: route.argBytes + event.argBytes, handles: route.handles + event.handles };
    case "call-ended":
      return { ...route, resultBytes: route.resultBytes + event.resultBytes, handles: route.handles + event.handles };
    case "call-failed":
      return { ...route, failed: route.failed + 1 };
  }
}

export interface CrossingFacts {
  /** Address of the orchestrator. */
  readonly orchestrator: string;
  readonly rawRows: readonly unknown[];
  readonly cleanedRows: readonly unknown[];
  /** Tokens of a text. */
  readonly estimateTokens: (text: string) => number;
}

/** What the demo shows of it. Calls of the operator are left out but in `hostBytes`. */
export interface CrossingSummary {
  readonly calls: number;
  readonly failed: number;
  /** Bytes of arguments and results that went by value between agents. */
  readonly bytesByValue: number;
  /** Handles that were passed instead. */
  readonly handles: number;
  /** Of `bytesByValue`, what the orchestrator sent or got. */
  readonly bytesThroughOrchestrator: number;
  /** Of `bytesByValue`, what went past it. */
  readonly bytesDirect: number;
  /** Cleaned rows that went past it: all of them per direct `retrieve` whose result is large enough to hold them. */
  readonly rowsDirect: number;
  /** Bytes between the host and the agents. */
  readonly hostBytes: number;
  /** What the raw rows to the cleaner and the cleaned ones to the analyzer would be as JSON in a prompt, read once each. */
  readonly tokensAsText: number;
  readonly routes: readonly Route[];
}

export function summarizeCrossing(crossing: Crossing, facts: CrossingFacts): CrossingSummary {
  const all = [...crossing.routes.values()];
  const routes = all.filter(({ from }) => from.includes("/"));
  const isThrough = ({ from, agent }: Route): boolean => from === facts.orchestrator || agent === facts.orchestrator;
  const direct = routes.filter((route) => !isThrough(route));
  const asText = facts.estimateTokens(JSON.stringify(facts.rawRows)) + facts.estimateTokens(JSON.stringify(facts.cleanedRows));
  return {
    calls: total(routes, ({ calls }) => calls),
    failed: total(routes, ({ failed }) => failed),
    bytesByValue: total(routes, bytesOf),
    handles: total(routes, ({ handles }) => handles),
    bytesThroughOrchestrator: total(routes.filter(isThrough), bytesOf),
    bytesDirect: total(direct, bytesOf),
    rowsDirect: facts.cleanedRows.length * total(direct, (route) => rowHandovers(route, facts.cleanedRows.length)),
    hostBytes: total(
      all.filter(({ from }) => !from.includes("/")),
      bytesOf,
    ),
    tokensAsText: asText,
    routes,
  };
}

const bytesOf = ({ argBytes, resultBytes }: Route): number => argBytes + resultBytes;
const total = (routes: readonly Route[], of: (route: Route) => number): number => routes.reduce((sum, route) => sum + of(route), 0);

/** A film takes more than 16 bytes packed; a result below that, per call that ended, holds something else. */
const FEWEST_BYTES_PER_ROW = 16;

function rowHandovers({ method, calls, failed, resultBytes }: Route, rows: number): number {
  const ended = calls - failed;
  return method === "retrieve" && ended > 0 && resultBytes / ended >= rows * FEWEST_BYTES_PER_ROW ? ended : 0;
}
