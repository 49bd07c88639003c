import type { ModelRequest } from "@karst/model";
import { scriptedModel } from "@karst/model";
import { z } from "zod";
import { defineAgent } from "../define-agent.ts";
import { field } from "../field.ts";
import type { Handle } from "../handle-type.ts";
import { createSystem } from "../system.ts";
import type { System } from "../system.ts";
import { handle, variable } from "../variable.ts";

export const Shelf = defineAgent({
  name: "shelf",
  version: 1,
  model: "shelf",
  fields: {
    count: field(z.int(), { default: 0, visibleTo: ["orchestrator"] }),
    forReaders: field(z.string(), { default: "hello readers", visibleTo: ["reader"] }),
    hidden: field(z.string(), { default: "secret" }),
  },
  variables: { books: variable(z.array(z.string()), { default: ["Caves"] }) },
  methods: (method) => ({
    add: method({ input: z.string(), output: z.int(), description: "Adds a book." }, async (self, title) => {
      await self.inject("books", [...(await self.retrieve("books")), title]);
      return (self.state.count += 1);
    }),
    forBoss: method({ output: z.string(), visibleTo: ["orchestrator"] }, () => "for the boss"),
    lend: method({ input: z.object({ to: z.any() }), output: z.string() }, async (_self, { to }): Promise<string> => {
      const reader = to as Handle<typeof Reader>; // the test gives one
      return reader.greet();
    }),
    back: method({ output: z.any() }, (self): unknown => self.agent(Shelf, "other").only("add")),
    callBoss: method({ output: z.string() }, (self): Promise<string> => self.agent(Boss, "1").whoCalls()),
  }),
});
export const Reader = defineAgent({
  name: "reader",
  version: 1,
  model: "reader",
  variables: { shelf: handle(Shelf, { only: ["retrieve"] }) },
  methods: (method) => ({
    greet: method({ output: z.string() }, () => "hello"),
    direct: method({ input: z.string(), output: z.unknown() }, async (self, verb): Promise<unknown> => {
      const shelf = self.agent(Shelf, "1") as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>; // any verb
      return shelf[verb]?.("books", []);
    }),
    fields: method({ input: z.string(), output: z.unknown() }, (self, name): Promise<unknown> =>
      self.agent(Shelf, "1").state(name as "count"),
    ),
    viaQuery: method({ kind: "query", output: z.string() }, (self): Promise<string> => self.agent(Shelf, "1").forBoss()),
    forge: method({ input: z.any(), output: z.unknown() }, async (_self, given) =>
      (given as { retrieve(name: string): Promise<unknown> }).retrieve("books"),
    ),
    narrow: method({ input: z.object({ given: z.any(), names: z.array(z.string()) }), output: z.any() }, (_self, { given, names }) =>
      (given as { only(...names: string[]): unknown }).only(...names),
    ),
  }),
});
export const Boss = defineAgent({
  name: "boss",
  version: 1,
  model: "boss",
  role: "orchestrator",
  variables: { shelf: handle(Shelf), reader: handle(Reader) },
  methods: (method) => ({
    whoCalls: method({ output: z.string() }, () => "boss here"),
    circle: method({ output: z.string() }, (self): Promise<string> => self.agent(Shelf, "1").callBoss()),
    fields: method({ input: z.string(), output: z.unknown() }, (self, name): Promise<unknown> =>
      self.agent(Shelf, "1").state(name as "count"),
    ),
  }),
});

export interface LibraryScene extends AsyncDisposable {
  readonly system: System;
  readonly shelf: Handle<typeof Shelf>;
  readonly reader: Handle<typeof Reader>;
  readonly boss: Handle<typeof Boss>;
  /** What the boss's model was asked. */
  readonly asked: readonly ModelRequest[];
}

/** A system with one agent of each class; a shelf has no model, boss and reader play their scripts. */
export async function openLibrary(
  scripts: { readonly boss?: readonly string[]; readonly reader?: readonly string[] } = {},
): Promise<LibraryScene> {
  const models = { boss: scriptedModel(scripts.boss ?? []), reader: scriptedModel(scripts.reader ?? []), shelf: scriptedModel([]) };
  const system = await createSystem({ classes: [Shelf, Reader, Boss], models });
  const [shelf, reader, boss] = [system.agent(Shelf, "1"), system.agent(Reader, "1"), system.agent(Boss, "1")] as const;
  return { system, shelf, reader, boss, asked: models.boss.requests, [Symbol.asyncDispose]: () => system.close() };
}
