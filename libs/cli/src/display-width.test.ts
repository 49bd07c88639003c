import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth, fit, pad, printable } from "./display-width.ts";

describe("the width of a text", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["Les BronzÈs", 11],
    ["e\u0301", 1],
    ["日本", 4],
    ["ﾊﾝ", 2],
    ["한국", 4],
    ["👍", 2],
    ["👨‍👩‍👧", 2],
    ["✓✗●├─", 5],
    ["\u001b[31mred\u001b[39m", 3],
    ["❤\ufe0f", 2],
    ["\u200b", 0],
    ["Ａ", 2],
  ])("of %j is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("fitting a text", () => {
  test("leaves what fits and marks a cut", () => {
    expect(fit("abc", 3)).toBe("abc");
    expect(fit("abcd", 3)).toBe("ab…");
    expect(fit("日本語", 4)).toBe("日…");
    expect(fit("日本語", 5)).toBe("日本…");
    expect(fit("abc", 1)).toBe("…");
    expect(fit("abc", 0)).toBe("");
    expect(fit("\u001b[31mred\u001b[39m", 9)).toBe("red");
  });

  test("never makes it wider than asked, and padding makes it exactly so", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, width) => {
        const line = printable(text);
        expect(displayWidth(fit(line, width))).toBeLessThanOrEqual(width);
        expect(displayWidth(pad(fit(line, width), width, "right"))).toBe(width);
      }),
    );
  });
});

test("padding puts blanks on the side asked for and leaves wide text alone", () => {
  expect([pad("a", 3), pad("a", 3, "right"), pad("日", 3), pad("abcd", 3)]).toEqual(["a  ", "  a", "日 ", "abcd"]);
});

test("printable text has no escape sequences and no line ends", () => {
  expect(printable("\u001b[2J\u001b]0;title\u0007a\tb\r\nc\u2028d\u0000e")).toBe("a b c d e");
});
