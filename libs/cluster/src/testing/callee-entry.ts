import { connectNats } from "../connection.nats.ts";
import { openNatsTransport } from "../transport.nats.ts";

// A node in a process of its own, for tests that kill it. Says its node id, then a line for each call it enters; `hang` never ends.
const [url = ""] = process.argv.slice(2);
const connection = await connectNats({ url });
const transport = await openNatsTransport({ connection });
await transport.serve("acme", (call) => {
  process.stdout.write(`entered ${call.method}\n`);
  return call.method === "hang" ? new Promise(() => undefined) : Promise.resolve(call.body);
});
process.stdout.write(`node ${transport.node}\n`);
