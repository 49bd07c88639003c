/**
 * The test command: finds or fetches a nats-server, then one vitest run over all projects.
 */
import { ensureNats } from "./ensure-nats.mjs";
import { PROGRAMS, runNode } from "./child.mjs";

const HELP = `Usage: npm test [-- PART…] [-- vitest options]
       npm run test:nightly [-- PART…]

Runs all tests: units, NATS, whole system, house. PART narrows to test files whose path contains it ("npm test -- lease").

  --nightly    the same kinds at full volume
  --coverage   measures lines; each core lib has to reach its share (always on in a whole run with CI=true)

Without a nats-server its tests are skipped, loudly and counted; with CI=true or REQUIRE_NATS=1 that is a failure.
`;

/** @param {readonly string[]} args @returns {Promise<number>} The exit code. */
async function main(args) {
  if (args.includes("--help")) {
    process.stdout.write(HELP);
    return 0;
  }
  const nightly = args.includes("--nightly");
  const forVitest = args.filter((arg) => arg !== "--nightly");
  const inCi = process.env["CI"] === "true";

  /** @type {Record<string, string>} */
  const env = nightly ? { KARST_NIGHTLY: "1" } : {};
  const server = await ensureNats({
    log: (line) => {
      process.stderr.write(`ensure-nats: ${line}\n`);
    },
  });
  if ("path" in server) {
    process.stderr.write(`nats-server ${server.version}: ${server.path}\n`);
    env["NATS_SERVER"] = server.path;
  } else if (inCi || process.env["REQUIRE_NATS"] === "1") {
    process.stderr.write(`A nats-server is required here. ${server.missing}\n  try: ${server.howTo}\n`);
    return 1;
  } else {
    process.stderr.write(`!!! no nats-server, its tests will be SKIPPED: ${server.missing}\n!!! to run them: ${server.howTo}\n`);
    env["KARST_NATS_MISSING"] = server.missing;
    env["KARST_NATS_HOW_TO"] = server.howTo;
  }

  const coverage = inCi && forVitest.length === 0 ? ["--coverage"] : [];
  return runNode(PROGRAMS.vitest, ["run", ...coverage, ...forVitest], { env });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`test: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
