import { describe, expect, it } from "vitest";
import { createOutputCapture, cutChars, toWellFormed } from "./output.ts";

describe("output capture", () => {
  it("keeps what fits in order and counts the rest", () => {
    const capture = createOutputCapture(10);
    capture.write("12345");
    capture.write("");
    capture.write("6789abc");
    capture.write("def");
    expect([capture.text, capture.droppedChars]).toEqual(["123456789a", 5]);
  });

  it("keeps nothing after the first dropped character, so that the text has no gap", () => {
    const capture = createOutputCapture(3);
    capture.write("ab\u{1F600}");
    capture.write("c");
    expect([capture.text, capture.droppedChars]).toEqual(["ab", 3]);
  });

  it("can be read while it grows", () => {
    const capture = createOutputCapture(10);
    capture.write("a");
    expect(capture.text).toBe("a");
    capture.write("b");
    expect(capture.text).toBe("ab");
  });

  it("joins surrogates that were written apart, and replaces lone ones", () => {
    const capture = createOutputCapture(10);
    capture.write("\ud83d");
    capture.write("\ude00\udc00");
    expect(capture.text).toBe("\u{1F600}\uFFFD");
  });
});

describe("cutChars", () => {
  it("never cuts inside a surrogate pair", () => {
    expect(cutChars("a\u{1F600}b", 2)).toBe("a");
    expect(cutChars("a\u{1F600}b", 3)).toBe("a\u{1F600}");
    expect(cutChars("abc", 0)).toBe("");
    expect(cutChars("abc", -1)).toBe("");
  });
});

describe("toWellFormed", () => {
  it("leaves pairs alone", () => {
    expect(toWellFormed("a\u{1F600}\ud800z")).toBe("a\u{1F600}\uFFFDz");
  });
});
