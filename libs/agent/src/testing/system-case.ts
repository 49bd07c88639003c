import { eventSchema } from "@karst/events";
import type { KarstEvent } from "@karst/events";
import type { ScriptedModel } from "@karst/model";
import { expect, vi } from "vitest";
import type { RunEvent } from "../run.ts";
import type { System } from "../system.ts";

/** A reply that is one cell. */
export const js = (code: string): string => `\`\`\`js\n${code}\n\`\`\``;

/** The last message of a request that a model was sent. */
export const lastOf = (model: ScriptedModel, request: number): string => model.requests[request]?.messages.at(-1)?.content ?? "";

/** The system message of a request that a model was sent. */
export const systemOf = (model: ScriptedModel, request: number): string => model.requests[request]?.messages[0]?.content ?? "";

/** Resolves when a model is in the middle of an answer. */
export async function answering(model: ScriptedModel): Promise<void> {
  await vi.waitFor(
    () => {
      expect(model.open).toBe(1);
    },
    { interval: 1 },
  );
}

/** Holds back what awaits `passed` until `open` is called; `reached` resolves when something has come to it. */
export interface Gate {
  readonly reached: Promise<void>;
  pass(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let reach: () => void = () => undefined;
  let open: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    open,
    pass: () => {
      reach();
      return opened;
    },
  };
}

/** All events of a system, as they come. Each must fit the schema, and each agent's must be numbered without a gap. */
export interface Watch {
  readonly events: readonly KarstEvent[];
  /** The first event, past or to come, for which `fits` holds. */
  until(fits: (event: KarstEvent) => boolean): Promise<KarstEvent>;
  /** Resolves when the stream has ended; throws when an event was out of order or malformed. */
  readonly ended: Promise<void>;
}

export async function watch(system: System): Promise<Watch> {
  const events: KarstEvent[] = [];
  const waiting = new Set<() => void>();
  const last = new Map<string, number>();
  let over = false;
  const stream = await system.events();
  const poke = (): void => {
    for (const look of [...waiting]) look();
  };
  const read = async (): Promise<void> => {
    try {
      for await (const event of stream) {
        expect(eventSchema.parse(event)).toEqual(event);
        const seq = event.type === "agent-activated" ? 0 : (last.get(event.agent) ?? event.seq - 1); // seen from here on
        expect(event.seq, `${event.agent} ${event.type}`).toBe(seq + 1);
        expect(event.id).toBe(`${event.agent}:${String(event.seq)}:0`);
        last.set(event.agent, event.seq);
        events.push(event);
        poke();
      }
    } finally {
      over = true;
      poke();
    }
  };
  const ended = read();
  ended.catch(() => undefined); // awaited by the test at its end
  return {
    events,
    ended,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(fits);
          if (found === undefined && !over) return;
          waiting.delete(look);
          if (found === undefined) reject(new TypeError("the events ended before the one waited for"));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

export async function readAll(stream: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
