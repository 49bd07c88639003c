import { eventStreamContract } from "./event-stream.contract.ts";
import { createMemoryEventStream } from "./event-stream.memory.ts";

// eslint-disable-next-line @typescript-eslint/require-await -- other fixtures start servers
eventStreamContract("memory", async () => {
  const stream = createMemoryEventStream();
  return {
    stream: () => Promise.resolve(stream),
    leftovers: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => stream.close(),
  };
});
