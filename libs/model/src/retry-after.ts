/**
 * How long a provider's response headers (names in lower case) ask to wait, ms, or undefined when they say nothing usable.
 *
 * `retry-after-ms` first, then `Retry-After` as seconds (also with a fraction) or as an HTTP date against `nowMs`; a date that has
 * passed is 0. Source: RFC 9110 10.2.3; `retry-after-ms` is the custom of several providers.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const ms = readNumber(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const text = headers["retry-after"]?.trim() ?? "";
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined; // Date.parse takes almost anything; every HTTP date begins with the day's name
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
