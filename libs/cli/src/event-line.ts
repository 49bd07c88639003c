import type { KarstEvent } from "@karst/events";
import { displayWidth, fit, pad, printable } from "./display-width.ts";
import { emittedText } from "./live-view.ts";
import { bytesText, countText, durationText, pluralText } from "./number-text.ts";
import { createPainter } from "./output.ts";

export interface LineOptions {
  /** When the command began; wall clock. */
  readonly startMs: number;
  /** Cells per line; longer lines are cut. */
  readonly width: number;
  readonly colour?: boolean;
  /** `log` leaves out what the live tree shows anyway: states and step starts. Default `every`. */
  readonly detail?: "log" | "every";
}

const NAME_WIDTH = 14;

/** One line for an event: time, agent, what happened. Undefined for pieces of a reply, which mean nothing alone. */
export function eventLine(event: KarstEvent, { startMs, width, colour = false, detail = "every" }: LineOptions): string | undefined {
  if (detail === "log" && (event.type === "state-entered" || event.type === "step-started")) return undefined;
  const what = textOf(event);
  if (what === undefined) return undefined;
  const paint = createPainter(colour);
  const time = `+${(Math.max(0, event.at - startMs) / 1_000).toFixed(2)}s`.padStart(8);
  const agent = pad(fit(shortName(event.agent), Math.max(NAME_WIDTH, Math.floor(width / 3))), NAME_WIDTH);
  const text = fit(what, Math.max(0, width - displayWidth(time) - displayWidth(agent) - 4));
  return `${paint("dim", time)}  ${paint("cyan", agent)}  ${isFailure(event) ? paint("red", text) : text}`;
}

function isFailure(event: KarstEvent): boolean {
  return (
    event.type === "call-failed" || (event.type === "cell-ended" && !event.ok) || (event.type === "run-ended" && !event.result.completed)
  );
}

/** `class/id` of an address, `operator` as it is. */
function shortName(address: string): string {
  return printable(address.slice(address.indexOf("/") + 1));
}

const handlesText = (handles: number): string => (handles === 0 ? "" : `, ${pluralText(handles, "handle")}`);
const oneLine = (text: string): string => printable(text.trim());
const firstLine = (text: string): string => oneLine(text.trim().split("\n", 1)[0] ?? "");

function textOf(event: KarstEvent): string | undefined {
  switch (event.type) {
    case "agent-activated":
      return `is active on ${event.node}`;
    case "agent-stopped":
      return `stopped: ${oneLine(event.reason)}`;
    case "state-entered":
      return event.step === undefined ? event.state : `${event.state} (step ${String(event.step)})`;
    case "call-started":
      return `← ${shortName(event.from)} calls ${event.method}(${bytesText(event.argBytes)}${handlesText(event.handles)})`;
    case "call-ended":
      return `→ ${shortName(event.from)} gets ${event.method}: ${bytesText(event.resultBytes)}${handlesText(event.handles)} in ${durationText(event.ms)}`;
    case "call-failed":
      return `→ ${shortName(event.from)} gets ${event.method}: ${event.code} after ${durationText(event.ms)}: ${oneLine(event.message)}`;
    case "run-started":
      return `run: ${oneLine(event.task)}`;
    case "step-started":
      return `step ${String(event.step)}`;
    case "reasoning-delta":
    case "model-delta":
      return undefined;
    case "cell-started":
      return `step ${String(event.step)}: cell of ${pluralText(event.code.split("\n").length, "line")}: ${firstLine(event.code)}`;
    case "cell-ended":
      return `step ${String(event.step)}: cell ${event.ok ? "ended" : "failed"} in ${durationText(event.ms)}: ${cellText(event.ok ? event.output : (event.error ?? ""))}`;
    case "step-ended":
      return `step ${String(event.step)}: ${event.usage.estimated ? "~" : ""}${countText(event.usage.input)} tokens in, ${countText(event.usage.output)} out`;
    case "run-ended": {
      const { completed, stopReason, steps, elapsedMs, content, error } = event.result;
      const end = `run ${completed ? "completed" : `ended with ${stopReason}`} after ${pluralText(steps, "step")}, ${durationText(elapsedMs)}`;
      return `${end}: ${oneLine(completed ? content : (error?.message ?? content))}`;
    }
    case "event-emitted":
      return emittedText(event.name, event.payload);
  }
}

function cellText(text: string): string {
  const lines = text.trim().split("\n");
  const first = oneLine(lines[0] ?? "");
  if (first === "") return "no output";
  return lines.length === 1 ? first : `${first} (+ ${pluralText(lines.length - 1, "line")})`;
}
