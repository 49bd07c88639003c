import { describe, expect, it } from "vitest";
import { createLateReports } from "./late-reports.ts";
import type { CellError } from "./runtime.ts";

const failure = (message: string): CellError => ({ code: "CellFailed", name: "Error", message, cell: 1, report: message });

describe("late reports", () => {
  it("joins what one cell prints in a row, and gives everything once", () => {
    const late = createLateReports({ entries: 10, outputChars: 100 });
    late.printed(1, "a\n");
    late.printed(1, "b\n");
    late.printed(2, "c\n");
    late.printed(1, "d\n");
    late.failed(failure("x"));
    expect(late.take()).toEqual({
      late: [
        { cell: 1, text: "a\nb\n" },
        { cell: 2, text: "c\n" },
        { cell: 1, text: "d\n" },
      ],
      background: [failure("x")],
    });
    expect(late.take()).toEqual({ late: [], background: [] });
  });

  it("keeps the newest entries and a bounded text, and says what was dropped", () => {
    const late = createLateReports({ entries: 2, outputChars: 3 });
    for (const cell of [1, 2, 3]) late.printed(cell, "12345");
    for (const message of ["a", "b", "c"]) late.failed(failure(message));
    const { late: outputs, background } = late.take();
    expect(outputs).toEqual([2, 3].map((cell) => ({ cell, text: "123… 2 more characters were dropped\n" })));
    expect(background.map(({ message }) => message)).toEqual(["b", "c"]);
  });

  it("forgets the failure of a promise that was handled after all, and of no other", () => {
    const late = createLateReports({ entries: 10, outputChars: 10 });
    const promise = {};
    late.failed(failure("handled"), promise);
    late.failed(failure("thrown"));
    late.handled(promise);
    late.handled(undefined);
    expect(late.take().background.map(({ message }) => message)).toEqual(["thrown"]);
  });
});
