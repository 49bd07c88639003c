import { decode, encode, KarstError, NotSerialisableError } from "@karst/events";
import type { AgentRef } from "@karst/events";
import type { ExportScope, ExportTable } from "./export-table.ts";
import type { HandleHolder } from "./handle.ts";

/** How values of one system cross: the codec, with handles and live objects as references. */
export interface Wire {
  /** `release` frees the live objects that nobody has taken; call it when the message's call is over. */
  encode(value: unknown): { readonly bytes: Uint8Array; readonly handles: number; readonly release: () => void };
  /** Handles among the value call on behalf of `holder`. */
  decode(bytes: Uint8Array, holder: HandleHolder): { readonly value: unknown; readonly handles: number };
}

const LIVE = "live objects cross only within one process; pass data, or a handle of the agent that has it";

/** `exports`: where live objects wait for an agent of the same process; without it they are refused with their path. */
export function createWire(openHandle: (ref: AgentRef, holder: HandleHolder) => object, exports: ExportTable | undefined): Wire {
  return {
    encode(value) {
      let scope: ExportScope | undefined;
      const { bytes, refs } = encode(value, {
        references: {
          export(live, shape, path) {
            if (exports === undefined) throw new NotSerialisableError(path, LIVE);
            scope ??= exports.scope();
            return scope.put(live, shape, path);
          },
        },
      });
      return {
        bytes,
        handles: refs,
        release: () => {
          scope?.release();
        },
      };
    },
    decode(bytes, holder) {
      let handles = 0;
      const value = decode(bytes, {
        references: {
          import(ref) {
            handles += 1;
            if (ref.ref === "agent") return openHandle(ref, holder);
            if (exports === undefined) throw new KarstError("RefBroken", LIVE, { data: { label: ref.label } });
            return exports.take(ref);
          },
        },
      });
      return { value, handles };
    },
  };
}
