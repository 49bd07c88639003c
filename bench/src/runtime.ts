import { deserialize, serialize } from "node:v8";
import { decode, encode } from "@karst/events";
import { createRuntime } from "@karst/runtime";
import { atMost, figure } from "./figure.ts";
import type { Figure, Suite } from "./figure.ts";
import { msPerCall, sideBySide } from "./measure.ts";

const CELL = `interface Sale { region: string; amount: number }
const sales: Sale[] = [{ region: "EU", amount: 3 }, { region: "US", amount: 4 }, { region: "EU", amount: 5 }];
function byRegion(rows: Sale[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { region, amount } of rows) {
    totals.set(region, (totals.get(region) ?? 0) + amount);
  }
  return totals;
}
const totals = byRegion(sales);
const best = [...totals].sort(([, a], [, b]) => b - a)[0]!;
({ region: best[0], amount: best[1] as number });`;

const ITERATIONS = 1_000_000;
const LOOP = `let sum = 0; const k = 3;
for (let i = 0; i < ${String(ITERATIONS)}; i++) sum += Math.floor(i * k);
sum;`;

function records(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `record ${String(id)}`,
    amount: id * 1.25,
    active: id % 2 === 0,
    region: ["EU", "US", "APAC"][id % 3],
  }));
}

async function run(progress: (text: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await using runtime = createRuntime({ kind: "inline" });
  const execute = async (code: string): Promise<void> => {
    const result = await runtime.execute(code);
    if (!result.ok) throw new TypeError(result.error?.report);
  };

  progress("cells");
  const small = await msPerCall(500, () => execute("1+2"));
  figures.push(figure({ figure: "inline.cell.1+2", value: small, unit: "ms", bar: atMost(small, 3, "ms") }));
  const large = await msPerCall(200, () => execute(CELL));
  figures.push(figure({ figure: "inline.cell.12-lines", value: large, unit: "ms", bar: atMost(large, 3, "ms") }));
  const loopNs = ((await msPerCall(3, () => execute(LOOP))) * 1e6) / ITERATIONS;
  figures.push(figure({ figure: "inline.variable-access", value: loopNs, unit: "ns/iteration", bar: atMost(loopNs, 80, "ns") }));

  progress("codec");
  const rows = records(10_000);
  const times = await sideBySide(10, {
    karst: () => decode(encode(rows).bytes),
    json: () => JSON.parse(JSON.stringify(rows)) as unknown,
    v8: () => deserialize(serialize(rows)) as unknown,
  });
  const own = times["karst"] ?? NaN;
  for (const peer of ["json", "v8"])
    figures.push(
      figure({
        figure: `codec.10000-records.round-trip.${peer}`,
        value: own,
        unit: "ms",
        peer: { name: peer === "json" ? "JSON" : "v8.serialize", value: times[peer] ?? NaN },
      }),
    );
  const encodes = await sideBySide(10, { karst: () => encode(rows), json: () => JSON.stringify(rows), v8: () => serialize(rows) });
  for (const peer of ["json", "v8"])
    figures.push(
      figure({
        figure: `codec.10000-records.encode.${peer}`,
        value: encodes["karst"] ?? NaN,
        unit: "ms",
        peer: { name: peer === "json" ? "JSON.stringify" : "v8.serialize", value: encodes[peer] ?? NaN },
      }),
    );

  for (const megabytes of [1, 10, 100]) {
    progress(`inject ${String(megabytes)} MB`);
    // about 100 bytes a record in V8's heap
    const big = records(megabytes * 10_000);
    let made = 0;
    const injectMs = await msPerCall(20, () =>
      runtime.inject({ kind: "variable", name: `big${String(megabytes)}_${String(made++ % 4)}`, value: big }),
    );
    figures.push(figure({ figure: `inline.inject.${String(megabytes)}MB`, value: injectMs, unit: "ms", bar: atMost(injectMs, 1, "ms") }));
  }
  return figures;
}

export const runtimeSuite: Suite = { name: "runtime", about: "cells, variable access, codec, injection", run };
