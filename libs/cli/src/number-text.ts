/** Numbers as people read them; the same on every machine and locale. */

/** `1,234,567`; `digits` after the point, none by default. */
export function countText(value: number, digits = 0): string {
  const [whole = "", part] = Math.abs(value).toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const isZero = /^[0,]*$/.test(grouped) && /^0*$/.test(part ?? "");
  return `${value < 0 && !isZero ? "-" : ""}${grouped}${part === undefined ? "" : `.${part}`}`;
}

/** `812 B`, `404 kB`, `1.4 MB`: steps of 1,000. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${String(bytes)} B`;
  if (bytes < 999_500) return `${(bytes / 1_000).toFixed(bytes < 99_950 ? 1 : 0)} kB`;
  if (bytes < 999_500_000) return `${(bytes / 1_000_000).toFixed(bytes < 99_950_000 ? 1 : 0)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** `4 ms`, `2.1 s`, `3 m 05 s`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${String(Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${String(Math.floor(seconds / 60))} m ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `1 call`, `2 calls`. */
export function pluralText(value: number, one: string, many = `${one}s`): string {
  return `${countText(value)} ${value === 1 ? one : many}`;
}
