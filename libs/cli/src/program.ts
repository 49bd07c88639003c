import { Command, CommanderError, Option } from "commander";
import { isKarstError } from "@karst/events";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { RowsFileError } from "./demo/errors.ts";
import type { Config } from "./config.ts";

/** What the program needs of its process. */
export interface ProgramDeps {
  readonly readConfig: () => Config;
  readonly terminal: { readonly isTty: boolean; readonly columns: number | undefined };
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Exit codes: 0 ok, 1 a run failed, 2 usage or bad input, 3 environment, 130 interrupted. */
export const EXIT = { ok: 0, failed: 1, usage: 2, environment: 3, interrupted: 130 } as const;

/** Carries out one command line; resolves with its exit code, and has written every error. */
export async function runProgram(args: readonly string[], deps: ProgramDeps): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = new Command("karst")
    .description("Fleets of language-model agents that are objects.")
    .version(deps.version)
    .exitOverride()
    .configureOutput({ writeOut: deps.write, writeErr: deps.writeError })
    .showHelpAfterError("(see --help)");
  program
    .command("demo")
    .description("Runs the main job: an orchestrator directs a cleaner and an analyzer over 3,201 films.")
    .addOption(new Option("--nats [url]", "run around a NATS server: one that is started for the demo, or the one at this URL"))
    .option("--rows <file>", "your own rows of the same shape, as JSON or CSV")
    .option("--chart <file>", "where the chart is written", "karst-demo.svg")
    .option("--json", "NDJSON: one object a line")
    .addHelpText(
      "after",
      "\nA real model: set KARST_MODEL, KARST_MODEL_BASE_URL and KARST_API_KEY, or put them into .env.\nExit codes: 0 ok, 1 a run failed or a figure is wrong, 2 bad input, 3 no nats-server, 130 interrupted.",
    )
    .action(async (o: { readonly nats?: boolean | string; readonly rows?: string; readonly chart: string; readonly json?: boolean }) => {
      exitCode = await demo({
        nats: o.nats ?? false,
        rows: o.rows,
        chart: o.chart,
        json: o.json ?? false,
        config: deps.readConfig(),
        terminal: deps.terminal,
        write: deps.write,
        signal: deps.signal,
      });
    });
  program
    .command("doctor")
    .description("Shows what this machine has, and what needs it.")
    .option("--json", "NDJSON: one object a line")
    .action(async (o: { readonly json?: boolean }) => {
      const { environment, natsServer } = deps.readConfig();
      exitCode = await doctor({ json: o.json ?? false, path: environment["PATH"] ?? "", natsServer, write: deps.write });
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (deps.signal.aborted) {
      deps.writeError("interrupted\n");
      return EXIT.interrupted;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return explain(error, deps.writeError);
  }
}

const USAGE_CODES: ReadonlySet<string> = new Set([
  "InvalidConfig",
  "InvalidDefinition",
  "Malformed",
  "InvalidValue",
  "InvalidName",
  "TooLarge",
  "BadArgs",
]);
const ENVIRONMENT_CODES: ReadonlySet<string> = new Set(["MissingTool", "Unavailable", "Unauthorized"]);

/** One line for an error that has a code; a defect of ours shows its stack. */
function explain(error: unknown, writeError: (text: string) => void): number {
  if (!isKarstError(error)) {
    writeError(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.failed;
  }
  writeError(`karst: ${error.message}\n`);
  if (error instanceof RowsFileError || USAGE_CODES.has(error.code)) return EXIT.usage;
  return ENVIRONMENT_CODES.has(error.code) ? EXIT.environment : EXIT.failed;
}
