import { scriptedModel } from "@karst/model";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./define-agent.ts";
import { ReplyParser } from "./reply.ts";
import type { RunEvent } from "./run.ts";
import { createSystem } from "./system.ts";

/** Faults that once wedged an agent or ended its process: after each, the agent serves on. */
const label = (handle: object): string => `see ${handle as unknown as string}`; // as code that forgets what it holds writes it

const Target = defineAgent({
  name: "target",
  version: 1,
  methods: (method) => ({
    ping: method({ output: z.string() }, () => "pong"),
    hostile: method({ output: z.string() }, () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what hostile or careless code throws
      throw Object.create(null) as object;
    }),
    careless: method({ input: z.int(), output: z.int() }, (self, ticks) => {
      const late = async (): Promise<void> => {
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        await self.run("late");
      };
      late().catch(() => undefined);
      return 1;
    }),
    print: method({ output: z.string() }, (self) => label(self.agent(Other, "x"))),
    slow: method({ output: z.string() }, async (self) => {
      await new Promise<void>((resolve) => {
        self.signal.addEventListener("abort", () => {
          resolve();
        });
      });
      return "ended";
    }),
  }),
});
const Other = defineAgent({ name: "other", version: 1 });

const open = (reply = "done"): ReturnType<typeof createSystem> =>
  createSystem({ classes: [Target, Other], models: { default: scriptedModel(() => reply) } });

test("a streamed run with an event too large to send ends at once with a failed result, and the agent serves on", async () => {
  await using system = await open("x".repeat(600_000));
  const target = system.agent(Target, "1");
  const events: RunEvent[] = [];
  for await (const event of target.stream("talk")) events.push(event);
  expect(events.at(-1)).toMatchObject({
    type: "run-ended",
    result: { completed: false, error: { message: expect.stringContaining("limit") as string } },
  });
  expect(await target.ping()).toBe("pong");
});

test("a streamed run whose result is too large to send ends with an error, and the agent serves on", async () => {
  const model = scriptedModel(() => ({ text: `${"x".repeat(99)}\n`.repeat(6_000), chunks: 1_000 }));
  await using system = await createSystem({ classes: [Target], models: { default: model } });
  const target = system.agent(Target, "1");
  const reading = (async () => {
    for await (const event of target.stream("talk")) expect(event.runId).not.toBe("");
  })();
  await expect(reading).rejects.toMatchObject({ code: "TooLarge" });
  expect(await target.ping()).toBe("pong");
});

test("what cannot be described can be thrown: the call fails, and the agent serves on", async () => {
  await using system = await open();
  const target = system.agent(Target, "1");
  await expect(target.hostile()).rejects.toMatchObject({ code: "AppError" });
  expect(await target.ping()).toBe("pong");
});

test.each([0, 1, 2, 3, 4, 5, 6, 8])("a run begun %i ticks after its method returned harms nothing", async (ticks) => {
  await using system = await open();
  const target = system.agent(Target, "1");
  expect(await target.careless(ticks)).toBe(1);
  expect(await target.ping()).toBe("pong");
});

test("a handle written into a text is its label, not a call", async () => {
  await using system = await open();
  expect(label(system.agent(Target, "1"))).toBe("see [agent default/target/1]");
  expect(await system.agent(Target, "1").print()).toBe("see [agent default/other/x]");
});

test("destroy leaves no second life beside an open turn", async () => {
  await using system = await open();
  const target = system.agent(Target, "1");
  const slow = target.slow();
  const destroyed = target.destroy();
  await expect(target.ping()).rejects.toMatchObject({ code: "Closed" });
  await slow.catch(() => undefined);
  await destroyed;
  expect(await target.ping()).toBe("pong");
});

test("one key on two methods is two calls", async () => {
  await using system = await open();
  const target = system.agent(Target, "1");
  const idempotencyKey = "k";
  expect(await target.ping({ idempotencyKey })).toBe("pong");
  expect(await target.careless(0, { idempotencyKey })).toBe(1);
});

test("a model that ends without a finish reason has given no answer", async () => {
  const cut = {
    id: "cut",
    async *stream() {
      await Promise.resolve();
      yield { type: "text" as const, text: "half an ans" };
    },
  };
  await using system = await createSystem({ classes: [Target], models: { default: cut } });
  expect(await system.agent(Target, "1").run("x")).toMatchObject({ completed: false, stopReason: "model-error", content: "half an ans" });
});

test("one line of half a million characters is read in a moment, and a block of as many lines too", () => {
  const line = "a".repeat(500_000);
  const prose = new ReplyParser();
  expect(prose.feed(line)).toBe(line);
  const code = "x\n".repeat(300_000);
  const block = new ReplyParser();
  block.feed(`\`\`\`js\n${code}\`\`\`\n`);
  expect(block.end().reply.code).toBe(code.trim());
});
