/**
 * How many tokens `text` has, about: a weight for each code point by its class, summed and rounded up. Never below 1 for text.
 *
 * Never below cl100k for Chinese, Japanese and Korean; the weights are in hundredths and were set against cl100k and o200k counts
 * (estimate-tokens.test.ts has the samples). Newer tokenizers need fewer tokens outside English, so there this errs to the high side.
 */
export function estimateTokens(text: string): number {
  let hundredths = 0;
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0;
    if (point > LAST_OF_BMP) index++;
    hundredths += weight(point);
  }
  return Math.ceil(hundredths / 100);
}

const LAST_OF_BMP = 0xffff;

function weight(point: number): number {
  if (point < 0x80) return asciiWeight(point);
  if (point < 0x300) return 50; // accented Latin
  if (point >= 0x400 && point < 0x530) return 50; // Cyrillic
  if (point > LAST_OF_BMP) return 370; // supplementary ideographs, emoji
  return 125; // CJK, Hangul, kana, and all other scripts and signs
}

function asciiWeight(point: number): number {
  if (point <= 0x20 || (point >= 0x61 && point <= 0x7a) || (point >= 0x41 && point <= 0x5a)) return 25;
  if (point >= 0x30 && point <= 0x39) return 50; // digits: groups of three at most
  return 60; // punctuation: what makes JSON and code dearer than prose
}
