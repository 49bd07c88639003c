import { describe, expect, test } from "vitest";
import { ANALYSIS_TASK, CLEANING_TASK, COMPARISON_TASK, FIRST_TASK, SECOND_TASK } from "../tasks.ts";
import { SCRIPTS, selectReply } from "./select.ts";

type Message = Parameters<typeof selectReply>[0]["messages"][number];
const system = (agent: string): Message => ({ role: "system", content: `Rules.\n\nAgent: ${agent}/demo. It does things.` });
const user = (content: string): Message => ({ role: "user", content });
const assistant = (content = "…"): Message => ({ role: "assistant", content });

const codeOf = (agent: string, ...messages: Message[]): string => selectReply({ messages: [system(agent), ...messages] });

describe("the next reply", () => {
  test("goes by the agent in the system prompt and the task", () => {
    expect(codeOf("boss", user(FIRST_TASK))).toContain("cleaner.clean(");
    expect(codeOf("boss", user(SECOND_TASK))).toContain("analyzer.compare(");
    expect(codeOf("cleaner", user(CLEANING_TASK))).toContain("Object.keys(data[0])");
    expect(codeOf("analyzer", user(ANALYSIS_TASK))).toContain('source.retrieve("cleaned")');
    expect(codeOf("analyzer", user(COMPARISON_TASK))).toContain("chosenGenre");
  });

  test("goes by what the model has said since the last task, whatever came before", () => {
    const before = [user(FIRST_TASK), assistant(), user("result"), assistant(), user("result"), assistant()];
    expect(codeOf("boss", ...before, user(SECOND_TASK))).toContain("analyzer.compare(");
    expect(codeOf("boss", ...before, user(SECOND_TASK), assistant(), user("<result>\nANSWER It is so.\n</result>"))).toBe("It is so.");
  });

  test("finds a task that stands in a message with a notice", () => {
    expect(codeOf("cleaner", user(`An earlier run was ended.\n\n${CLEANING_TASK}`))).toContain("Object.keys(data[0])");
  });

  test("mends a failed draft, and goes on when the draft worked", () => {
    const looked = [user(CLEANING_TASK), assistant(), user("a gross of 0: 1 worldwide, 1 US"), assistant()];
    expect(codeOf("cleaner", ...looked, user("TypeError: row.Title.trim is not a function"))).toContain("Some title is no text");
    expect(codeOf("cleaner", ...looked, user("5 rows with a title"))).toContain("The draft works");
  });

  test("ends each script with prose alone, and has a cell in every other reply", () => {
    for (const { replies } of SCRIPTS) {
      const cells = replies
        .map(({ text }) => (typeof text === "string" ? text : text("TypeError\nDONE x\nANSWER y")))
        .map((text) => text.includes("```js\n"));
      expect(cells.indexOf(false)).toBe(replies.length - 1);
    }
  });
});

describe("a request that the script does not expect fails loudly:", () => {
  const refused = (...messages: Message[]): unknown => {
    try {
      return selectReply({ messages });
    } catch (error) {
      return error;
    }
  };

  test("no agent, an unknown agent, an unknown task", () => {
    expect(refused(user(FIRST_TASK))).toMatchObject({ code: "ModelScript", message: expect.stringContaining("names no agent") as string });
    expect(refused(system("painter"), user("Paint"))).toMatchObject({ message: expect.stringContaining("'painter'") as string });
    expect(refused(system("boss"), user("Sing"))).toMatchObject({ message: expect.stringContaining("no task of the script") as string });
    expect(refused(system("boss"), user(CLEANING_TASK))).toMatchObject({ code: "ModelScript" });
  });

  test("a result that is not what the cell prints", () => {
    const request = [system("boss"), user(FIRST_TASK), assistant(), user("Unavailable: the cleaner is gone")];
    expect(refused(...request)).toMatchObject({
      code: "ModelScript",
      message: expect.stringContaining("step 2 of 3: the last message does not match") as string,
    });
  });

  test("more steps than replies, and a request that does not end with the user", () => {
    const told = user("<result>\nANSWER a\n</result>");
    expect(refused(system("boss"), user(SECOND_TASK), assistant(), told, assistant(), told)).toMatchObject({
      message: expect.stringContaining("the run should have ended") as string,
    });
    expect(refused(system("boss"), user(SECOND_TASK), assistant())).toMatchObject({
      message: expect.stringContaining("not the user's") as string,
    });
  });
});
