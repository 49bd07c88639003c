import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createSystem } from "@karst/agent";
import type { System } from "@karst/agent";
import { findNatsServer, startNatsServer } from "@karst/cluster";
import { openaiCompatible, withRetry } from "@karst/model";
import type { Config } from "../config.ts";
import { chartSvg } from "../demo/chart.ts";
import { Analyzer } from "../demo/classes/analyzer.ts";
import { Boss } from "../demo/classes/boss.ts";
import { Cleaner } from "../demo/classes/cleaner.ts";
import { createDemoView } from "../demo/demo-view.ts";
import type { DemoView } from "../demo/demo-view.ts";
import { loadMovies, loadRows } from "../demo/load-rows.ts";
import { demoModels } from "../demo/models.ts";
import { startDemoProcesses } from "../demo/processes.ts";
import { runDemo } from "../demo/run-demo.ts";
import type { DemoOutcome } from "../demo/run-demo.ts";
import { checkLines, crossingTables, findingTables } from "../demo/tables.ts";
import { MissingToolError, UsageError } from "../errors.ts";
import { createPainter, decideOutput, ndjsonLine } from "../output.ts";
import type { OutputStyle } from "../output.ts";

export interface DemoOptions {
  /** Around a NATS server: `true` starts one, a URL names one. */
  readonly nats: boolean | string;
  readonly rows: string | undefined;
  /** Where the chart is written. */
  readonly chart: string;
  readonly json: boolean;
  readonly config: Config;
  readonly terminal: { readonly isTty: boolean; readonly columns: number | undefined };
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Before each piece of a scripted reply when a person watches. */
const PACE_MS = 8;

/** What was started, last first; ended in that order whatever happens. */
type Owned = (() => Promise<void>)[];

/** Runs the demo; resolves with the exit code: 0 all figures right, 1 a run failed or a figure is wrong. */
export async function demo(options: DemoOptions): Promise<number> {
  const { config, json, write, signal } = options;
  const style = decideOutput({ ...options.terminal, json, env: config.terminal });
  const rows = options.rows === undefined ? await loadMovies() : await loadRows(options.rows);
  await requireWritable(options.chart);
  const view = createDemoView({ style, write, subjects: options.nats !== false });
  const owned: Owned = [];
  try {
    view.say(modelLine(config));
    view.say(`${String(rows.length)} films from ${options.rows ?? "movies.json (vega-datasets 3.2.1)"}`);
    const system = await startSystem(options, view, owned);
    owned.push(() => system.close());
    const outcome = await runDemo({
      system,
      rows,
      signal,
      onEvent: (event) => {
        view.event(event);
      },
      onTask: (task) => {
        view.say(`\nTask for boss: ${task.split("\n").join(" ")}`);
      },
    });
    view.end();
    const { findings } = outcome;
    if (findings !== undefined) await writeFile(options.chart, chartSvg(findings.insights.chartSpec));
    report(outcome, options, style);
    return outcome.ok ? 0 : 1;
  } catch (error) {
    view.end();
    throw error;
  } finally {
    for (const end of owned.reverse()) await end();
  }
}

/** @throws {UsageError} before anything runs, when the chart could not be written at its end. */
async function requireWritable(file: string): Promise<void> {
  try {
    const isFolder = await stat(file).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (file === "" || isFolder) throw new UsageError("it is a folder");
    await access(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw new UsageError(`--chart ${JSON.stringify(file)} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function modelLine({ model }: Config): string {
  return model === undefined
    ? "The model's replies come from a script; every cell of them really runs. KARST_MODEL and KARST_MODEL_BASE_URL put a real model in its place."
    : `Model: ${model.name} at ${new URL(model.baseURL).host}. What it says differs from run to run; the figures are checked all the same.`;
}

async function startSystem({ nats, config, terminal, json }: DemoOptions, view: DemoView, owned: Owned): Promise<System> {
  const classes = [Boss, Cleaner, Analyzer];
  if (nats === false) {
    view.say("Embedded: one process, in memory, no server. Cells run unconfined in this process (inline).");
    const { model } = config;
    const models =
      model === undefined
        ? demoModels({ paceMs: terminal.isTty && !json ? PACE_MS : 0 })
        : {
            default: withRetry(
              openaiCompatible({
                model: model.name,
                baseURL: model.baseURL,
                ...(model.apiKey === undefined ? {} : { apiKey: model.apiKey }),
              }),
            ),
          };
    return createSystem({ classes, models });
  }
  let url = nats === true ? undefined : nats;
  if (url === undefined) {
    const found = await findNatsServer({ serverPath: config.natsServer, pathVariable: config.environment["PATH"] ?? "" });
    if ("missing" in found) throw new MissingToolError("nats-server", `${found.missing}. Try: ${found.howTo}`);
    const server = await startNatsServer({ program: found.path });
    owned.push(() => server.close());
    view.say(`nats-server ${server.version} at ${server.url}, for this demo alone`);
    ({ url } = server);
  }
  const processes = await startDemoProcesses({
    natsUrl: url,
    environment: config.environment,
    onLog: (name, line) => {
      view.say(`[${name}] ${line}`);
    },
  });
  owned.push(() => processes.stop());
  for (const { name, pid, classes: hosted } of processes.list) view.say(`process ${String(pid)}  ${name}  hosts ${hosted}`);
  view.say(`process ${String(process.pid)}  this one  gives the tasks, and prints the events it gets on karst.e.default.>\n`);
  return createSystem({ classes, models: {}, nats: url, grantSecret: new TextEncoder().encode(processes.grantSecret) });
}

function report(outcome: DemoOutcome, { json, chart, write }: DemoOptions, style: OutputStyle): void {
  const { runs, findings, checks, crossing, progressUpdates, ok } = outcome;
  const wrong = checks.filter((check) => !check.ok);
  if (json) {
    write(
      ndjsonLine({
        kind: "result",
        ok,
        runs,
        findings: findings === undefined ? null : { ...findings, cleaned: findings.cleaned?.length },
        figures: checks.length,
        wrong,
        crossing,
        progressUpdates,
        chart: findings === undefined ? null : chart,
      }),
    );
    return;
  }
  const paint = createPainter(style.colour);
  const line = (text = ""): void => {
    write(`${text}\n`);
  };
  for (const run of runs) {
    line();
    line(run.completed ? run.content : paint("red", `The run ended with ${run.stopReason}: ${run.error?.message ?? "no answer"}`));
  }
  const sections = [
    ...(findings === undefined ? [] : findingTables(findings, checks, style.width)),
    ...crossingTables(crossing, style.width),
  ];
  for (const { title, lines } of sections) {
    line();
    line(paint("bold", title));
    for (const each of lines) line(each);
  }
  line();
  line(`The cleaner's cells updated a live object of its host process ${String(progressUpdates)} times, by reference.`);
  if (findings !== undefined) line(`Chart: ${chart}`);
  if (findings === undefined) line(paint("red", "✗ the agents handed over no complete findings"));
  else for (const each of checkLines(checks, style.width)) line(each);
}
