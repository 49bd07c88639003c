import { actorSuite } from "./actor.ts";
import type { Figure, Suite } from "./figure.ts";
import { runtimeSuite } from "./runtime.ts";

const SUITES: readonly Suite[] = [runtimeSuite, actorSuite];

function help(): string {
  return `Usage: npm run bench -- <suite> [--json]\n\n${SUITES.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join("\n")}\n\nEach figure is the median of five rounds after one to warm up; peers run in the same process, in turn.\n`;
}

function text({ figure, value, unit, peer, peerValue, ratio, bar, ok }: Figure): string {
  const beside = peer === undefined ? "" : `  ${peer} ${String(peerValue)} (ratio ${String(ratio)})`;
  const judged = bar === undefined ? "" : `  bar ${bar}: ${ok === true ? "met" : "NOT MET"}`;
  return `${figure.padEnd(40)} ${String(value).padStart(10)} ${unit}${beside}${judged}`;
}

const args = process.argv.slice(2);
const json = args.includes("--json");
const name = args.find((arg) => !arg.startsWith("--"));
const suite = SUITES.find((each) => each.name === name);
if (args.includes("--help") || suite === undefined) {
  (args.includes("--help") ? process.stdout : process.stderr).write(help());
  process.exitCode = args.includes("--help") ? 0 : 2;
} else {
  for (const figure of await suite.run((what) => {
    process.stderr.write(`… ${what}\n`);
  }))
    process.stdout.write(json ? `${JSON.stringify(figure)}\n` : `${text(figure)}\n`);
}
