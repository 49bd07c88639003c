import { expect, test } from "vitest";
import { fencesOf, sectionOf } from "./readme.ts";

const TEXT = [
  "# A",
  "",
  "## Quick start",
  "",
  "```sh",
  "# no heading",
  "npm ci",
  "```",
  "### More",
  "```ts",
  "a();",
  "```",
  "## Next",
  "```text",
  "b",
  "```",
].join("\n");

test("a section ends at the next heading of its rank, and a # in a fence is no heading", () => {
  expect(fencesOf(sectionOf(TEXT, "Quick start") ?? "")).toEqual([
    { language: "sh", text: "# no heading\nnpm ci\n" },
    { language: "ts", text: "a();\n" },
  ]);
  expect(fencesOf(sectionOf(TEXT, "Next") ?? "")).toEqual([{ language: "text", text: "b\n" }]);
});

test("a heading that is not there has no section", () => {
  expect(sectionOf(TEXT, "Slow start")).toBeUndefined();
});
