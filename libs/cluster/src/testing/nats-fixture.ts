import { createIds } from "@karst/events";
import { connectNats } from "../connection.nats.ts";
import type { Connection } from "../connection.nats.ts";
import { createCountingClock } from "./counting-clock.ts";
import type { CountingClock } from "./counting-clock.ts";
import type { NatsServer } from "./nats-server.ts";

/** Connections to a test server whose subscriptions and timers can be counted; closed together. */
export interface NatsFixture extends AsyncDisposable {
  readonly clock: CountingClock;
  connect(url?: string): Promise<Connection>;
  /** Subscriptions the server still has of these connections, and timers of their clock. */
  leftovers(): Promise<readonly string[]>;
}

interface Connz {
  readonly connections: readonly { readonly name?: string; readonly subscriptions_list?: readonly string[] }[];
}

export function createNatsFixture(server: NatsServer): NatsFixture {
  const clock = createCountingClock();
  const name = createIds().node();
  const connections: Connection[] = [];
  return {
    clock,
    async connect(url = server.url) {
      const connection = await connectNats({ url, name });
      connections.push(connection);
      return connection;
    },
    async leftovers() {
      const response = await fetch(`${server.monitorUrl}/connz?subs=1&limit=10000`);
      const connz = (await response.json()) as Connz; // the server's own monitoring page
      const subscriptions = connz.connections.filter((each) => each.name === name).flatMap((each) => each.subscriptions_list ?? []);
      return [...subscriptions, ...(clock.waiting === 0 ? [] : [`${String(clock.waiting)} timers`])];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
