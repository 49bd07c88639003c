/** For tests of whatever carries values, waits, draws or logs. */
export { anyKey, anyLeaf, anyText, crossingValue } from "./testing/crossing-value.ts";
export { difference } from "./testing/difference.ts";
export { createSimulatedClock } from "./clock.ts";
export { createRecordingLog } from "./log.ts";
export { seededRandom } from "./random.ts";

// Volumes
export { volume } from "./testing/config.ts";
