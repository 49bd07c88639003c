import { describe, expect, test } from "vitest";
import { createPainter, decideOutput, ndjsonLine, redraw } from "./output.ts";
import type { OutputFacts } from "./output.ts";

const terminal: OutputFacts = { isTty: true, columns: 100, json: false, env: { TERM: "xterm-256color" } };

describe("how the command writes", () => {
  test("on a terminal: live, in colour, as wide as it is", () => {
    expect(decideOutput(terminal)).toEqual({ mode: "live", colour: true, width: 100 });
  });

  test("without a terminal: plain lines without colour", () => {
    expect(decideOutput({ ...terminal, isTty: false, columns: undefined })).toEqual({ mode: "plain", colour: false, width: 120 });
  });

  test("with --json: NDJSON, never in colour", () => {
    expect(decideOutput({ ...terminal, json: true, env: { FORCE_COLOR: "1" } })).toMatchObject({ mode: "json", colour: false });
  });

  test("on a dumb terminal: plain", () => {
    expect(decideOutput({ ...terminal, env: { TERM: "dumb" } })).toMatchObject({ mode: "plain", colour: false });
  });

  test.each([
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "" }, false, false],
  ])("with %j on a terminal (%s) colour is %s", (env, isTty, colour) => {
    expect(decideOutput({ ...terminal, isTty, env }).colour).toBe(colour);
  });

  test("width stays between 40 and 160", () => {
    expect([5, 0, 300, 81].map((columns) => decideOutput({ ...terminal, columns }).width)).toEqual([40, 120, 160, 81]);
  });
});

test("an NDJSON line is one line, whatever the value holds", () => {
  expect(ndjsonLine({ text: "a\nb" })).toBe('{"text":"a\\nb"}\n');
});

test("a painter paints or leaves the text alone", () => {
  expect(createPainter(true)("red", "no")).toBe("\u001b[31mno\u001b[39m");
  expect(createPainter(true)("dim", "")).toBe("");
  expect(createPainter(false)("red", "no")).toBe("no");
});

test("a redraw goes back over the old block, then writes the log and the new block", () => {
  expect(redraw(0, [], ["a"])).toBe("\r\u001b[0Ja\n");
  expect(redraw(2, ["log"], ["b", "c"])).toBe("\u001b[2A\r\u001b[0Jlog\nb\nc\n");
});
