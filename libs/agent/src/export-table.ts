import { KarstError, NotSerialisableError } from "@karst/events";
import type { NodeId, ObjRef, WireRef } from "@karst/events";

/**
 * Live objects of this process that are on their way to another agent of this process.
 *
 * X1. What comes in through `take` is the identical object that went out.
 * X2. An entry leaves when it is taken, or when the scope that made it is released: nothing is kept for a call that is over.
 * X3. At most `limit` entries; one more is refused with its path.
 */
export class ExportTable {
  readonly #node: NodeId;
  readonly #limit: number;
  readonly #live = new Map<number, object>();
  #made = 0;

  constructor(node: NodeId, limit = 10_000) {
    this.#node = node;
    this.#limit = limit;
  }

  get size(): number {
    return this.#live.size;
  }

  /** The exports of one message. */
  scope(): ExportScope {
    const made: number[] = [];
    return {
      put: (live, shape, path) => {
        if (this.#live.size >= this.#limit)
          throw new NotSerialisableError(path, `${String(this.#limit)} live objects are under way already`);
        const objectId = this.#made++;
        this.#live.set(objectId, live);
        made.push(objectId);
        return { ref: "object", shape, node: this.#node, objectId, label: labelOf(live) };
      },
      release: () => {
        for (const objectId of made) this.#live.delete(objectId);
      },
    };
  }

  /** The object behind `ref`. @throws {KarstError} `RefBroken` when it is gone or lives in another process. */
  take(ref: ObjRef): object {
    const live = ref.node === this.#node ? this.#live.get(ref.objectId) : undefined;
    if (live === undefined)
      throw new KarstError("RefBroken", `the ${ref.shape} ${ref.label} is not in this process any more`, { data: { ref } });
    this.#live.delete(ref.objectId);
    return live;
  }
}

export interface ExportScope {
  put(live: object, shape: ObjRef["shape"], path: string): WireRef;
  release(): void;
}

function labelOf(live: object): string {
  if (typeof live === "function") return live.name === "" ? "function" : live.name;
  const prototype: unknown = Object.getPrototypeOf(live);
  const maker: unknown = typeof prototype === "object" && prototype !== null ? Reflect.get(prototype, "constructor") : undefined;
  return typeof maker === "function" && maker.name !== "" ? maker.name : "object";
}
