/** How much more of each property the nightly run tries. */
const NIGHTLY_FACTOR = 20;

/** Runs of a property: the sample of `npm test`, or twenty times as many in `npm run test:nightly`. */
export function volume(sample: number, env: NodeJS.ProcessEnv = process.env): number {
  return env["KARST_NIGHTLY"] === "1" ? sample * NIGHTLY_FACTOR : sample;
}
