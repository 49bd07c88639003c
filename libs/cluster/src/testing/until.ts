import { expect } from "vitest";

/** Looks again and again until `holds`; fails, naming `what`, after `ms`. */
export async function until(what: string, holds: () => boolean, ms = 10_000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) expect.fail(`${what}: not within ${String(ms)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
