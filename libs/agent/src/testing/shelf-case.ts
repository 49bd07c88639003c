import { scriptedModel } from "@karst/model";
import { z } from "zod";
import { defineAgent } from "../define-agent.ts";
import { field } from "../field.ts";
import type { Handle } from "../handle-type.ts";
import { createSystem } from "../system.ts";
import type { System, SystemOptions } from "../system.ts";
import { createGate } from "./system-case.ts";
import type { Gate } from "./system-case.ts";

const Book = z.object({ title: z.string(), pages: z.int() });

/** A class with a method of every kind; `gate`: where those that wait do so, by name. */
function defineShelf(gate: (name: string) => Gate) {
  return defineAgent({
    name: "shelf",
    version: 1,
    fields: { books: field(z.array(Book), { default: [] }), log: field(z.array(z.string()), { default: [] }) },
    methods: (method) => ({
      add: method({ input: Book, output: z.int() }, (self, book) => {
        self.state.books.push(book);
        return self.state.books.length;
      }),
      fill: method({ input: z.object({ title: z.string().default("untitled") }), output: z.string() }, (_self, { title }) => title),
      wrong: method({ output: z.object({ pages: z.int() }) }, () => ({ pages: "many" as never })),
      count: method({ kind: "query", output: z.int() }, (self) => self.state.books.length),
      change: method({ kind: "query", output: z.void() }, (self) => {
        self.state.books = [];
      }),
      hold: method({ input: z.object({ at: z.string() }), output: z.string() }, async (self, { at }) => {
        self.state.log.push(`begin ${at}`);
        await gate(at).pass();
        self.state.log.push(`end ${at}`);
        return at;
      }),
      obey: method({ output: z.unknown() }, async (self) => {
        await new Promise((_resolve, reject) => {
          self.signal.addEventListener("abort", () => {
            reject(self.signal.reason as Error);
          });
          void gate("obeying").pass();
        });
      }),
      note: method({ kind: "tell", input: z.string(), output: z.void() }, (self, text) => {
        self.state.log.push(text);
      }),
      noteLate: method({ kind: "tell", input: z.string(), output: z.void() }, async (self, text) => {
        await gate("note").pass();
        self.state.log.push(text);
      }),
      failLate: method({ kind: "tell", output: z.void() }, () => {
        throw new TypeError("told and failed");
      }),
      fail: method({ input: z.string(), output: z.void() }, (_self, kind) => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- class code may
        if (kind === "text") throw "just text";
        throw Object.assign(new RangeError("out of range", { cause: new TypeError("inner") }), { detail: 7 });
      }),
      read: method({ kind: "query", output: z.array(z.string()) }, (self) => self.state.log),
      who: method({ output: z.string() }, (self) => self.id),
      draw: method({ output: z.tuple([z.date(), z.number()]) }, (self): [Date, number] => [self.now(), self.random()]),
    }),
  });
}

export type ShelfClass = ReturnType<typeof defineShelf>;

export interface ShelfScene extends AsyncDisposable {
  readonly system: System;
  readonly Shelf: ShelfClass;
  readonly shelf: Handle<ShelfClass>;
  readonly gate: (name: string) => Gate;
}

/** A system with one shelf, whose model says yes to everything. */
export async function openShelf(change: Partial<SystemOptions> = {}): Promise<ShelfScene> {
  const gates = new Map<string, Gate>();
  const gate = (name: string): Gate => {
    const known = gates.get(name) ?? createGate();
    gates.set(name, known);
    return known;
  };
  const Shelf = defineShelf(gate);
  const { classes = [], ...options } = change;
  const system = await createSystem({ classes: [Shelf, ...classes], models: { default: scriptedModel(() => "Yes.") }, ...options });
  return { system, Shelf, shelf: system.agent(Shelf, "1"), gate, [Symbol.asyncDispose]: () => system.close() };
}

/** A handle as one who writes JavaScript has it: any name, any arguments. */
export function untyped(handle: unknown): Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>> {
  return handle as never;
}
