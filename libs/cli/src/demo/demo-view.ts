import type { KarstEvent } from "@karst/events";
import { eventSubject, eventToken, parseAddress } from "@karst/events";
import { eventLine } from "../event-line.ts";
import { EMPTY_VIEW, foldEvent, renderTree } from "../live-view.ts";
import { ndjsonLine, redraw } from "../output.ts";
import type { OutputStyle } from "../output.ts";

/**
 * What the demo shows while it runs: a live tree under a log, a line per event, or NDJSON.
 *
 * W1. A live block is redrawn at most ten times a second, and once more at the end.
 * W2. After `end` nothing is written.
 */
export interface DemoView {
  event(event: KarstEvent): void;
  /** A line of the command's own, above the live block. */
  say(line: string): void;
  end(): void;
}

const REDRAW_MS = 100;

export interface DemoViewOptions {
  readonly style: OutputStyle;
  readonly write: (text: string) => void;
  /** Whether each line names the subject that the event came on. */
  readonly subjects: boolean;
}

export function createDemoView({ style, write, subjects }: DemoViewOptions): DemoView {
  const startMs = Date.now();
  const lineOf = (event: KarstEvent): string | undefined => {
    const detail = style.mode === "live" ? "log" : "every";
    const line = eventLine(event, { startMs, width: style.width, colour: style.colour, detail });
    if (line === undefined || !subjects) return line;
    return `${line}\n          ${eventSubject(parseAddress(event.agent), eventToken(event))}`;
  };
  if (style.mode === "json") {
    return {
      event: (event) => {
        write(ndjsonLine({ kind: "event", event }));
      },
      say: (line) => {
        write(ndjsonLine({ kind: "note", text: line }));
      },
      end: () => undefined,
    };
  }
  if (style.mode === "plain") {
    return {
      event: (event) => {
        const line = lineOf(event);
        if (line !== undefined) write(`${line}\n`);
      },
      say: (line) => {
        write(`${line}\n`);
      },
      end: () => undefined,
    };
  }
  return createLiveView(style, write, lineOf);
}

function createLiveView(style: OutputStyle, write: (text: string) => void, lineOf: (event: KarstEvent) => string | undefined): DemoView {
  let view = EMPTY_VIEW;
  let log: string[] = [];
  let drawn = 0;
  const draw = (): void => {
    const block = renderTree(view, { nowMs: Date.now(), width: style.width, colour: style.colour });
    write(redraw(drawn, log, block));
    drawn = block.length;
    log = [];
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    event(event) {
      view = foldEvent(view, event);
      const line = lineOf(event);
      if (line !== undefined) log.push(...line.split("\n"));
    },
    say(line) {
      log.push(...line.split("\n"));
    },
    end() {
      clearInterval(timer);
      draw();
    },
  };
}
