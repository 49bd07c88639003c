/**
 * Runs deliveries inside one process later, one after the other, in the order pushed.
 *
 * Q1. Never inside `push`; in order.
 * Q2. Timers and I/O of the process get their turn at least once every 512 deliveries, also when each delivery pushes another.
 */
export interface DeliveryQueue {
  /** `deliver` must not throw. */
  push(deliver: () => void): void;
}

const DELIVERIES_PER_TURN = 512;

export function createDeliveryQueue(): DeliveryQueue {
  let waiting: (() => void)[] = [];
  let scheduled = false;
  let sinceTurn = 0;
  let turnAsked = false;

  const drain = (): void => {
    scheduled = false;
    const batch = waiting;
    waiting = [];
    sinceTurn += batch.length;
    for (const deliver of batch) deliver();
  };

  const endTurn = (): void => {
    turnAsked = false;
    sinceTurn = 0;
    if (scheduled) drain();
  };

  return {
    push(deliver) {
      waiting.push(deliver);
      if (scheduled) return;
      scheduled = true;
      // Microtasks run before anything else the process waits for: past the bound the rest waits for the event loop's next turn.
      if (sinceTurn < DELIVERIES_PER_TURN) queueMicrotask(drain);
      else if (!turnAsked) {
        turnAsked = true;
        setImmediate(endTurn);
      }
    },
  };
}
