import { describe, expect, test } from "vitest";
import { Bench } from "./testing/bench.machine.ts";

describe("a plain turn", () => {
  test("goes from idle through working and committing back to idle (A2)", () => {
    const bench = new Bench();
    expect(bench.state).toBe("recovering");
    bench.send("STARTED");
    expect(bench.state).toBe("idle");
    bench.send("TURN");
    expect(bench.state).toBe("working");
    bench.send("TURN_ENDED");
    expect(bench.state).toBe("committing");
    expect(bench.commits).toEqual(["turn"]);
    bench.send("COMMITTED");
    expect(bench.state).toBe("idle");
  });

  test("is taken in idle only (A1)", () => {
    const bench = new Bench();
    bench.send("TURN");
    expect(bench.state).toBe("recovering");
    bench.send("STARTED");
    bench.send("TURN");
    bench.send("TURN_ENDED");
    bench.send("TURN");
    expect(bench.state).toBe("committing");
    expect(bench.commits).toEqual(["turn"]);
  });

  test("does not end twice, and nothing but its end commits it", () => {
    const bench = new Bench();
    bench.send("STARTED");
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.state).toBe("idle");
    bench.send("TURN");
    bench.send("COMMITTED");
    expect(bench.state).toBe("working");
    expect(bench.commits).toEqual([]);
  });
});

describe("a run", () => {
  test("goes step by step through model call, cell and commit, and settles before the turn goes on (A2)", async () => {
    const bench = new Bench();
    bench.run();
    expect(bench.state).toBe("thinking");
    await bench.answer("```js\na=1\n```");
    expect(bench.state).toBe("acting");
    await bench.endCell();
    expect(bench.state).toBe("committing");
    bench.send("COMMITTED");
    expect(bench.state).toBe("thinking");
    await bench.answer("Done.");
    expect(bench.state).toBe("committing");
    expect(bench.outcomes).toEqual([]);
    bench.send("COMMITTED");
    expect(bench.state).toBe("working");
    expect(bench.outcomes).toEqual([{ stopReason: "completed", content: "Done." }]);
    expect(bench.log).toEqual(["prepare", "think", "act a=1", "commit step", "prepare", "think", "commit step", "settled"]);
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.commits).toEqual(["step", "step", "turn"]);
    expect(bench.state).toBe("idle");
  });

  test("does not think at all when a limit is reached at the boundary", () => {
    const bench = new Bench();
    bench.run({ budget: { steps: 0 } });
    expect(bench.state).toBe("committing");
    bench.send("COMMITTED");
    expect(bench.outcomes).toEqual([expect.objectContaining({ stopReason: "max-steps" })]);
    expect(bench.thinking).toHaveLength(0);
  });

  test("is given a repair turn, with its step committed", async () => {
    const bench = new Bench();
    bench.run();
    await bench.answer("```js\na=1");
    expect(bench.state).toBe("committing");
    bench.send("COMMITTED");
    expect(bench.state).toBe("thinking");
    expect(bench.thinking[0]?.run).toMatchObject({ repairs: 1, steps: 2 });
  });

  test("can end with the value of a cell", async () => {
    const bench = new Bench();
    bench.run({ mayReturn: true });
    await bench.answer("```js\nreturn 1\n```");
    await bench.endCell({ returned: true, hasValue: true, value: 1 });
    bench.send("COMMITTED");
    expect(bench.outcomes).toEqual([{ stopReason: "completed", content: "```js\nreturn 1\n```", value: 1 }]);
  });

  test("ends by what a model call throws", async () => {
    const bench = new Bench();
    bench.run();
    bench.thinking[0]?.reject(new TypeError("no line"));
    await bench.leaves("thinking");
    bench.send("COMMITTED");
    expect(bench.outcomes).toEqual([
      expect.objectContaining({ stopReason: "internal-error", error: { code: "AppError", message: "no line" } }),
    ]);
    expect(bench.state).toBe("working");
  });

  test.each(["rejects", "throws"])("ends by what a cell's effect %s", async (how) => {
    const bench = new Bench();
    if (how === "throws") bench.actThrows = new TypeError("no room");
    bench.run();
    await bench.answer("```js\na=1\n```");
    bench.acting[0]?.reject(new TypeError("no room"));
    await bench.leaves("acting");
    bench.send("COMMITTED");
    expect(bench.outcomes).toEqual([expect.objectContaining({ error: { code: "AppError", message: "no room" } })]);
  });

  test("calls the model once per step, whatever else is sent meanwhile (A3)", async () => {
    const bench = new Bench();
    bench.run();
    for (const type of ["TURN", "COMMITTED", "TURN_ENDED", "RESUME", "STARTED"] as const) bench.send(type);
    expect(bench.thinking).toHaveLength(1);
    await bench.answer("Done.");
    expect(bench.log.filter((entry) => entry === "think")).toHaveLength(1);
  });

  test("can be followed by another one in the same turn", async () => {
    const bench = new Bench();
    bench.run();
    await bench.answer("One.");
    bench.send("COMMITTED");
    bench.runAgain();
    expect(bench.state).toBe("thinking");
    await bench.answer("Two.");
    bench.send("COMMITTED");
    expect(bench.outcomes.map((outcome) => outcome?.content)).toEqual(["One.", "Two."]);
  });
});

describe("a pause (A5)", () => {
  test("takes effect in idle at once, and no turn is taken until it ends", () => {
    const bench = new Bench();
    bench.send("STARTED");
    bench.send("PAUSE");
    expect(bench.state).toBe("paused");
    bench.send("TURN");
    expect(bench.state).toBe("paused");
    bench.send("RESUME");
    expect(bench.state).toBe("idle");
    bench.send("TURN");
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.state).toBe("idle");
  });

  test("during a plain turn holds the agent after it", () => {
    const bench = new Bench();
    bench.send("STARTED");
    bench.send("TURN");
    bench.send("PAUSE");
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.state).toBe("paused");
    bench.send("RESUME");
    expect(bench.state).toBe("idle");
  });

  test.each(["thinking", "acting"])(
    "while %s holds the run after its step, which it ends; the run then goes on where it was",
    async (when) => {
      const bench = new Bench();
      bench.run();
      if (when === "thinking") bench.send("PAUSE");
      await bench.answer("```js\na=1\n```");
      if (when === "acting") bench.send("PAUSE");
      await bench.endCell();
      bench.send("COMMITTED");
      expect(bench.state).toBe("paused");
      expect(bench.thinking).toHaveLength(0);
      bench.send("RESUME");
      expect(bench.state).toBe("thinking");
      await bench.answer("Done.");
      bench.send("COMMITTED");
      expect(bench.outcomes).toEqual([{ stopReason: "completed", content: "Done." }]);
    },
  );

  test("that is taken back before the boundary holds nothing", async () => {
    const bench = new Bench();
    bench.run();
    bench.send("PAUSE");
    bench.send("RESUME");
    await bench.answer("```js\na=1\n```");
    await bench.endCell();
    bench.send("COMMITTED");
    expect(bench.state).toBe("thinking");
  });

  test("does not hold back the answer of a run that ended with its step", async () => {
    const bench = new Bench();
    bench.run();
    bench.send("PAUSE");
    await bench.answer("Done.");
    bench.send("COMMITTED");
    expect(bench.state).toBe("working");
    expect(bench.outcomes).toHaveLength(1);
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.state).toBe("paused");
  });

  test("before the agent has started holds it from the start", () => {
    const bench = new Bench();
    bench.send("PAUSE");
    bench.send("STARTED");
    bench.send("TURN");
    bench.send("TURN_ENDED");
    bench.send("COMMITTED");
    expect(bench.state).toBe("paused");
  });
});

test.each(["idle", "thinking", "paused"])("a stop ends the machine for good, from %s", (state) => {
  const bench = new Bench();
  if (state === "thinking") bench.run();
  else bench.send("STARTED");
  if (state === "paused") bench.send("PAUSE");
  expect(bench.state).toBe(state);
  bench.send("STOP");
  expect(bench.status).toBe("done");
});
