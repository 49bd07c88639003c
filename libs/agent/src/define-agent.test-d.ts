import { expectTypeOf } from "vitest";
import { z } from "zod";
import { createSystem, defineAgent, field, fn, handle, type, variable } from "./index.ts";
import type { Handle, RunResult } from "./index.ts";
import type { Model } from "@karst/model";

/** What infers in the contract infers in the product; each bad line must be refused. Compiled by the typecheck, never run. */
declare const model: Model;
const Row = z.object({ title: z.string(), year: z.number().nullable() });

class Light {
  level = 0;
  dim(to: number): void {
    this.level = to;
  }
}

const Cleaner = defineAgent({
  name: "cleaner",
  version: 1,
  description: "Cleans tabular records.",
  instructions: "…",
  model: "default",
  runtime: { kind: "inline" },
  limits: { steps: 10, ms: 600_000, tokens: { total: 200_000 } },
  fields: {
    rowsIn: field(z.number().int(), { default: 0, visibleTo: ["orchestrator"], show: "always" }),
    notes: field(z.array(z.string()), { default: () => [], retain: { last: 20 } }),
  },
  variables: { data: variable(z.array(Row), { default: () => [], description: "Input rows" }), cleaned: variable(z.array(Row)) },
  functions: {
    parseDate: fn({ description: "…", input: { text: z.string() }, output: z.date(), effect: "pure" }, ({ text }, context) => {
      expectTypeOf(text).toEqualTypeOf<string>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return new Date(text);
    }),
  },
  types: { Row, Light: type(Light) },
  methods: (method) => ({
    clean: method({ input: z.object({ rows: z.array(Row) }), output: z.array(Row) }, async (self, { rows }) => {
      expectTypeOf(rows).toEqualTypeOf<{ title: string; year: number | null }[]>();
      await self.inject("data", rows);
      const result = await self.run("Clean `data` into `cleaned`");
      expectTypeOf(result).toEqualTypeOf<RunResult>();
      expectTypeOf(self.state.rowsIn).toEqualTypeOf<number>();
      self.state.rowsIn = rows.length;
      // @ts-expect-error -- a field's type is its schema's
      self.state.rowsIn = "many";
      // @ts-expect-error -- a name the class does not declare
      await self.inject("dta", rows);
      // @ts-expect-error -- a value of another type
      await self.inject("data", [{ title: 1 }]);
      return self.retrieve("cleaned");
    }),
    progress: method({ kind: "query", output: z.number() }, (self) => self.state.rowsIn),
    // @ts-expect-error -- the output schema wants a number
    wrong: method({ output: z.number() }, () => "text"),
  }),
  emits: { cleaned: z.object({ rows: z.number() }) },
});

export const Boss = defineAgent({
  name: "boss",
  version: 1,
  role: "orchestrator",
  variables: { rawData: variable(z.array(Row)), cleaner: handle(Cleaner, { only: ["clean", "retrieve"] }) },
});

// @ts-expect-error -- 'run' is a reserved name: every handle has it
export const Reserved = defineAgent({ name: "bad", version: 1, methods: (method) => ({ run: method({ output: z.number() }, () => 1) }) });

// @ts-expect-error -- a kind of runtime that is not there
export const NoKind = defineAgent({ name: "bad", version: 1, runtime: { kind: "vm" } });

const Loose = defineAgent({
  name: "loose",
  version: 1,
  methods: (method) => ({
    take: method({ input: z.any(), output: z.void() }, () => undefined),
    look: method({ input: z.string().optional(), output: z.void() }, () => undefined),
  }),
});

export async function useHandles(): Promise<void> {
  await using system = await createSystem({ classes: [Cleaner, Boss], models: { default: model } });
  const cleaner = system.agent(Cleaner, "nightly");
  const boss = system.agent(Boss, "nightly");
  expectTypeOf(cleaner).toEqualTypeOf<Handle<typeof Cleaner>>();

  expectTypeOf(await cleaner.clean({ rows: [] })).toEqualTypeOf<{ title: string; year: number | null }[]>();
  expectTypeOf(await cleaner.progress()).toEqualTypeOf<number>();
  expectTypeOf(await cleaner.retrieve("cleaned")).toEqualTypeOf<{ title: string; year: number | null }[]>();
  expectTypeOf(await cleaner.retrieve("insights")).toEqualTypeOf<unknown>();
  expectTypeOf(await cleaner.state("rowsIn")).toEqualTypeOf<{ rowsIn: number }>();
  expectTypeOf((await cleaner.run("task", { result: z.object({ n: z.number() }) })).value).toEqualTypeOf<{ n: number } | undefined>();
  expectTypeOf(await cleaner.ask("why?")).toEqualTypeOf<string>();

  // @ts-expect-error -- the input schema names `rows`
  await cleaner.clean({ row: [] });
  // @ts-expect-error -- there is no such method
  // eslint-disable-next-line @typescript-eslint/no-unsafe-call -- the type that it is not
  await cleaner.cleen({ rows: [] });
  // @ts-expect-error -- a declared variable takes its own type
  await cleaner.inject("data", 5);
  // @ts-expect-error -- no such field
  await cleaner.state("rowsOut");

  await cleaner.inject("extra", 5);
  await boss.inject("cleaner", cleaner.only("clean", "retrieve"));
  const narrow = cleaner.only("clean");
  await narrow.clean({ rows: [] });
  // @ts-expect-error -- an attenuated handle has what it grants
  // eslint-disable-next-line @typescript-eslint/no-unsafe-call -- the type that it is not
  await narrow.retrieve("cleaned");
  // @ts-expect-error -- only names of the handle can be granted
  cleaner.only("fly");

  for await (const event of cleaner.stream("task")) {
    if (event.type === "run-ended") expectTypeOf(event.result).toEqualTypeOf<RunResult>();
    if (event.type === "model-delta") expectTypeOf(event.text).toEqualTypeOf<string>();
  }
  await cleaner.progress({ deadlineMs: 1_000 });
  await cleaner.clean({ rows: [] }, { deadlineMs: 1_000 });
  // @ts-expect-error -- a method without input takes options alone
  await cleaner.progress({ rows: [] });
  const loose = system.agent(Loose, "1");
  await loose.take({ anything: 1 }, { deadlineMs: 1_000 });
  await loose.look(undefined, { deadlineMs: 1_000 });

  const created = await system.create(Cleaner, { id: "x", fields: { rowsIn: 3 } });
  expectTypeOf(created).toEqualTypeOf<Handle<typeof Cleaner>>();
  // @ts-expect-error -- a field of another type
  await system.create(Cleaner, { fields: { rowsIn: "3" } });
}
