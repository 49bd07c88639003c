import type { Subscription } from "nats";
import { MalformedError, nodeId, placeSubject, replySubject } from "@karst/events";
import type { Clock, Log, NodeId } from "@karst/events";
import { listen } from "./connection.nats.ts";
import type { Connection } from "./connection.nats.ts";
import { CancelledError, ClassTakenError, ClosedError, NotLocatedError } from "./errors.ts";
import { pause } from "./pause.ts";

/** What came for a token of a node's reply inbox; `undefined`: the server says that nobody listens on the subject asked. */
export type Answer = Uint8Array | undefined;

/** Publishes a question made for a token of the node's reply inbox, and hands on what comes. @returns What ends it. */
export type Ask = (subject: string, body: (token: string) => string, receive: (answer: Answer) => void) => () => void;

/**
 * Which node answers for a class, asked of the nodes themselves on `karst.place.<tenant>.<class>`.
 *
 * A1. A node that answers for a class already makes a later `offer` fail.
 * A2. Of several that offer at once the one with the least id stays: each tells the others so for 200 ms before it is settled.
 */
export interface Places {
  offer(tenant: string, className: string): Promise<void>;
  locate(tenant: string, className: string, timeoutMs: number, signal?: AbortSignal): Promise<NodeId>;
  close(): void;
}

export interface PlacesDeps {
  readonly connection: Connection;
  readonly node: NodeId;
  readonly clock: Clock;
  readonly log: Log;
  readonly ask: Ask;
}

interface Question {
  readonly node: NodeId;
  readonly token: string;
  /** Asked by a node that wants the class itself. */
  readonly offers: boolean;
}

interface Statement {
  readonly node: NodeId;
  /** False while the node is still looking for rivals. */
  readonly settled: boolean;
}

interface Offer {
  readonly className: string;
  readonly tenant: string;
  settled: boolean;
  /** A node that has the better claim. */
  rival: NodeId | undefined;
  subscription: Subscription | undefined;
}

const RIVALS_MS = 200;
const ANSWER_MS = 500;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

function parseJson(bytes: Uint8Array): Partial<Record<string, unknown>> {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof value !== "object" || value === null) throw new MalformedError("message about placement", "it is no object");
  return value;
}

function parseStatement(bytes: Uint8Array): Statement {
  const { node, settled } = parseJson(bytes);
  return { node: nodeId(String(node)), settled: settled === true };
}

function parseQuestion(bytes: Uint8Array): Question {
  const { node, token, offers } = parseJson(bytes);
  if (typeof token !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(token)) throw new MalformedError("question about placement", "its token");
  return { node: nodeId(String(node)), token, offers: offers === true };
}

export function createPlaces(deps: PlacesDeps): Places {
  const { connection, node, clock, log, ask } = deps;
  const offers = new Map<string, Offer>();
  const closed = new AbortController();
  const keyOf = (tenant: string, className: string): string => `${tenant}/${className}`;
  const question = (wants: boolean) => (token: string) => JSON.stringify({ node, token, offers: wants } satisfies Question);

  /** Ends what waits on `work` when the places close, as well as when `signal` aborts. */
  const whileOpen = async <T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work(signal === undefined ? closed.signal : AbortSignal.any([closed.signal, signal]));
    } catch (error) {
      throw closed.signal.aborted ? new ClosedError("the transport") : error;
    }
  };

  /** Asks once; ends at the first answer that `enough` takes, when nobody listens, or after `ms`. */
  const gather = (
    subject: string,
    wants: boolean,
    ms: number,
    enough: (said: Statement) => boolean,
    signal: AbortSignal,
  ): Promise<readonly Statement[]> =>
    new Promise((resolve, reject) => {
      const statements: Statement[] = [];
      const end = (): void => {
        stopAsking();
        disarm();
        signal.removeEventListener("abort", cancel);
      };
      const finish = (): void => {
        end();
        resolve(statements);
      };
      const cancel = (): void => {
        end();
        reject(new CancelledError("looking for a node", signal.reason));
      };
      const disarm = clock.after(ms, finish);
      const stopAsking = ask(subject, question(wants), (answer) => {
        if (answer === undefined) {
          finish();
          return;
        }
        const said = parseStatement(answer);
        statements.push(said);
        if (enough(said)) finish();
      });
      signal.addEventListener("abort", cancel, { once: true });
      if (signal.aborted) cancel();
    });

  const answer = (offer: Offer, bytes: Uint8Array): void => {
    const asked = parseQuestion(bytes);
    if (asked.offers && asked.node < node && !offer.settled) offer.rival = asked.node;
    connection.nats.publish(replySubject(asked.node, asked.token), JSON.stringify({ node, settled: offer.settled } satisfies Statement));
  };

  const win = async (offer: Offer, signal: AbortSignal): Promise<void> => {
    const { tenant, className } = offer;
    const subject = placeSubject(tenant, className);
    const before = await gather(subject, false, ANSWER_MS, (said) => said.settled, signal);
    const owner = before.find((said) => said.settled && said.node !== node);
    if (owner !== undefined) throw new ClassTakenError(tenant, className, owner.node);
    offer.subscription = await listen(deps, subject, (msg) => {
      answer(offer, msg.data);
    });
    const others = await gather(subject, true, RIVALS_MS, () => false, signal);
    const better = others.find((said) => said.node !== node && (said.settled || said.node < node))?.node ?? offer.rival;
    if (better !== undefined) throw new ClassTakenError(tenant, className, better);
    offer.settled = true;
  };

  const find = async (tenant: string, className: string, timeoutMs: number, signal: AbortSignal): Promise<NodeId> => {
    if (offers.get(keyOf(tenant, className))?.settled === true) return node;
    const subject = placeSubject(tenant, className);
    const deadlineMs = clock.monotonic() + timeoutMs;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const leftMs = deadlineMs - clock.monotonic();
      if (leftMs <= 0) throw new NotLocatedError(tenant, className);
      const [said] = await gather(subject, false, Math.min(leftMs, ANSWER_MS), () => true, signal);
      if (said !== undefined) return said.node;
      await pause(clock, Math.max(0, Math.min(pauseMs, deadlineMs - clock.monotonic())), signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  };

  return {
    async offer(tenant, className) {
      const key = keyOf(tenant, className);
      if (offers.has(key)) return;
      const offer: Offer = { tenant, className, settled: false, rival: undefined, subscription: undefined };
      offers.set(key, offer);
      try {
        await whileOpen((signal) => win(offer, signal));
        log.debug("answers for a class", { tenant, class: className, node });
      } catch (error) {
        offer.subscription?.unsubscribe();
        offers.delete(key);
        throw error;
      }
    },
    locate: (tenant, className, timeoutMs, signal) => whileOpen((linked) => find(tenant, className, timeoutMs, linked), signal),
    close() {
      closed.abort();
      for (const offer of offers.values()) offer.subscription?.unsubscribe();
      offers.clear();
    },
  };
}
