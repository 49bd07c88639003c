/**
 * The API reports in api/: what each lib's door exports, from its built declarations. A public change shows in their diff.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { ROOT } from "./child.mjs";

const { Error: ERROR, None: NONE } = ExtractorLogLevel;
const TEMPORARY = path.join(ROOT, ".cache/api");

/** @param {string} lib Name of a folder in libs/. */
function configOf(lib) {
  const projectFolder = path.join(ROOT, "libs", lib);
  return ExtractorConfig.prepare({
    packageJsonFullPath: path.join(projectFolder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder,
      mainEntryPointFilePath: path.join(projectFolder, "dist/index.d.ts"),
      newlineKind: "lf",
      // Without the condition "karst-source": declarations read declarations, as they do outside of the repository.
      compiler: {
        skipLibCheck: true,
        overrideTsconfig: {
          compilerOptions: {
            ...{ target: "es2023", lib: ["es2023", "esnext.disposable"], module: "nodenext", moduleResolution: "nodenext" },
            ...{ types: ["node"], strict: true, skipLibCheck: true },
          },
          files: ["dist/index.d.ts"],
        },
      },
      apiReport: { enabled: true, reportFileName: `${lib}.api.md`, reportFolder: path.join(ROOT, "api"), reportTempFolder: TEMPORARY },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ERROR } },
        extractorMessageReporting: {
          default: { logLevel: ERROR },
          "ae-forgotten-export": { logLevel: ERROR },
          // Everything behind a door is public.
          "ae-missing-release-tag": { logLevel: NONE },
          "ae-undocumented": { logLevel: NONE },
          "ae-unresolved-link": { logLevel: NONE },
        },
        // Docstrings are prose in Markdown, not TSDoc.
        tsdocMessageReporting: { default: { logLevel: NONE } },
      },
    },
  });
}

/**
 * @param {boolean} write Brings the reports up to date instead of comparing with them.
 * @returns {boolean} Whether every door is well-formed and, without `write`, as its report says.
 */
function checkReports(write) {
  mkdirSync(TEMPORARY, { recursive: true });
  mkdirSync(path.join(ROOT, "api"), { recursive: true });
  const libs = readdirSync(path.join(ROOT, "libs")).filter((lib) => existsSync(path.join(ROOT, "libs", lib, "dist/index.d.ts")));
  let good = libs.length > 0;
  for (const lib of libs) {
    /** @type {string[]} */
    const said = [];
    const { errorCount, apiReportChanged } = Extractor.invoke(configOf(lib), {
      localBuild: write,
      messageCallback(message) {
        message.handled = true;
        if (message.logLevel === ERROR && message.category !== "console") said.push(message.formatMessageWithLocation(ROOT));
      },
    });
    const stale = apiReportChanged && !write;
    if (errorCount === 0 && !stale) process.stdout.write(`api: ${lib}${apiReportChanged ? " updated" : ""}\n`);
    else {
      good = false;
      const change = stale ? [`its door is not as api/${lib}.api.md says; "npm run fix" updates the report`] : [];
      process.stderr.write(`api: ${lib}\n${[...change, ...said].map((line) => `  ${line}\n`).join("")}`);
    }
  }
  for (const report of readdirSync(path.join(ROOT, "api"))) {
    if (libs.includes(report.replace(/\.api\.md$/, ""))) continue;
    if (write) rmSync(path.join(ROOT, "api", report));
    else {
      good = false;
      process.stderr.write(`api: api/${report} belongs to no built lib\n`);
    }
  }
  return good;
}

process.exitCode = checkReports(process.argv.includes("--write")) ? 0 : 1;
