export { createSimulatedClock } from "./clock.ts";
export { seededRandom } from "./random.ts";
export { createRecordingLog } from "./log.ts";
