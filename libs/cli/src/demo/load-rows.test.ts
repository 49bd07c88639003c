import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RowsFileError } from "./errors.ts";
import { LIMIT_BYTES, loadMovies, loadRows } from "./load-rows.ts";
import { FILM_COLUMNS } from "./row.ts";
import type { Film } from "./row.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "karst-rows-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const row = {
  Title: "A",
  "US Gross": 1,
  "Worldwide Gross": 2,
  "US DVD Sales": null,
  "Production Budget": 3,
  "Release Date": "Jun 12 1998",
  "MPAA Rating": "R",
  "Running Time min": 90,
  Distributor: "D",
  Source: null,
  "Major Genre": "Drama",
  "Creative Type": null,
  Director: null,
  "Rotten Tomatoes Rating": 50,
  "IMDB Rating": 6.1,
  "IMDB Votes": 7,
} satisfies Film;

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

/** The message for a file, with the folder left out. */
async function refusal(name: string, content?: string | Uint8Array): Promise<string> {
  const file = content === undefined ? join(folder, name) : await fileOf(name, content);
  const error: unknown = await loadRows(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RowsFileError);
  const { message } = error as RowsFileError; // the line above
  expect(message.startsWith(`${file}: `)).toBe(true);
  expect(message).not.toContain("\n");
  return message.slice(file.length + 2);
}

const cell = (value: string | number | null): string =>
  value === null ? "" : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
const csvOf = (rows: readonly Film[], end = "\n"): string =>
  [FILM_COLUMNS.join(","), ...rows.map((film) => Object.values(film).map(cell).join(","))].join(end) + end;

describe("the demo's own data", () => {
  test("is the published file, byte for byte", async () => {
    const bytes = await readFile(new URL("./movies.json", import.meta.url));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe("e63c499759e3b07b49563e036f55290f87feb56def8703ec049ca305ab1523d3");
    const licence = await readFile(new URL("./movies.LICENSE.md", import.meta.url), "utf8");
    expect(licence).toContain("Redistribution and use in source and binary forms");
  });

  test("has 3,201 rows of the schema", async () => {
    expect(await loadMovies()).toHaveLength(3_201);
  });
});

describe("a user's rows", () => {
  test("load from JSON as they are, with a byte order mark too", async () => {
    const rows = [row, { ...row, Title: 300 }, { ...row, Title: null }];
    expect(await loadRows(await fileOf("good.json", `\ufeff${JSON.stringify(rows)}`))).toEqual(rows);
  });

  test("load from CSV: empty cells are null, titles are text, quotes and line ends are read", async () => {
    const rows = [row, { ...row, Title: 'Ben "Hur", twice\nover' }, { ...row, Title: "300", Director: null }];
    for (const end of ["\n", "\r\n"]) expect(await loadRows(await fileOf("good.CSV", csvOf(rows, end)))).toEqual(rows);
  });

  test("load from CSV with the columns in another order, and blank lines", async () => {
    const names = [...FILM_COLUMNS].reverse();
    const text = `${names.join(",")}\n\n${Object.values(row).reverse().map(cell).join(",")}\n\n`;
    expect(await loadRows(await fileOf("reversed.csv", text))).toEqual([row]);
  });

  test("of the whole data set are the same from CSV but for numeric titles", async () => {
    const movies = await loadMovies();
    const loaded = await loadRows(await fileOf("movies.csv", csvOf(movies)));
    expect(loaded).toEqual(movies.map((film) => ({ ...film, Title: typeof film.Title === "number" ? String(film.Title) : film.Title })));
  });
});

describe("a file that cannot be used is refused in one line that names it:", () => {
  test("missing", async () => {
    expect(await refusal("none.json")).toBe("no such file");
    await expect(loadRows(join(folder, "none.json"))).rejects.toMatchObject({ code: "NotFound" });
  });

  test("a folder", async () => {
    const error: unknown = await loadRows(folder).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: `${folder}: is not a file`, code: "Malformed" });
  });

  test("unreadable", async () => {
    const error: unknown = await loadRows(join(folder, "x".repeat(300))).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "Unavailable", message: expect.stringContaining("cannot be read: ENAMETOOLONG") as string });
  });

  test("too large, before it is read", async () => {
    const file = await fileOf("large.json", "");
    await truncate(file, LIMIT_BYTES + 1);
    await expect(loadRows(file)).rejects.toMatchObject({
      code: "TooLarge",
      message: expect.stringContaining("the limit is 67108864") as string,
    });
  });

  test("not UTF-8", async () => {
    expect(await refusal("latin.json", new Uint8Array([0x5b, 0xff, 0x5d]))).toBe("is not UTF-8 text");
  });

  test("empty or without rows", async () => {
    expect(await refusal("empty.json", " \n")).toBe("is empty");
    expect(await refusal("empty.csv", "")).toBe("is empty");
    expect(await refusal("none.json", "[]")).toBe("holds no rows");
    expect(await refusal("header.csv", `${FILM_COLUMNS.join(",")}\n`)).toBe("holds no rows");
  });

  test("not JSON, with line and column", async () => {
    expect(await refusal("broken.json", '[\n  {"Title": "A"\n')).toBe(
      "line 3, column 1: not JSON: ',' or '}' is expected, the end of the file is there",
    );
  });

  test("not an array, or of something else than rows", async () => {
    expect(await refusal("object.json", '{"rows": []}')).toBe("holds an object, not an array of rows");
    expect(await refusal("null.json", "null")).toBe("holds null, not an array of rows");
    expect(await refusal("text.json", '"rows"')).toBe("holds a string, not an array of rows");
    expect(await refusal("numbers.json", `[${JSON.stringify(row)}, 5]`)).toBe("row 2: a row is an object, this is a number");
    expect(await refusal("lists.json", "[[1]]")).toBe("row 1: a row is an object, this is an array");
  });

  test("a value of the wrong type, with row and column", async () => {
    const bad = async (change: Record<string, unknown>): Promise<string> =>
      refusal("bad.json", JSON.stringify([row, row, { ...row, ...change }]));
    expect(await bad({ "US Gross": "12" })).toBe(
      `row 3, column 'US Gross': "12" is not allowed: a whole number from 0 up or null is expected`,
    );
    expect(await bad({ "US Gross": 1.5 })).toBe(
      "row 3, column 'US Gross': 1.5 is not allowed: a whole number from 0 up or null is expected",
    );
    expect(await bad({ Title: true })).toBe("row 3, column 'Title': true is not allowed: text, a number or null is expected");
    expect(await bad({ Director: 5 })).toBe("row 3, column 'Director': 5 is not allowed: text or null is expected");
    expect(await bad({ "IMDB Rating": 11 })).toBe(
      "row 3, column 'IMDB Rating': 11 is not allowed: a number from 0 to 10 or null is expected",
    );
    expect(await bad({ "Rotten Tomatoes Rating": -1 })).toContain("a number from 0 to 100 or null is expected");
    expect(await bad({ "Release Date": "1998-06-12" })).toBe(
      `row 3, column 'Release Date': "1998-06-12" is not allowed: a day such as 'Jun 12 1998' is expected`,
    );
    expect(await bad({ Source: { deep: "x".repeat(100) } })).toContain("…");
  });

  test("a column that is missing or unknown", async () => {
    const without = Object.fromEntries(Object.entries(row).filter(([name]) => name !== "Director"));
    expect(await refusal("missing.json", JSON.stringify([row, without]))).toBe("row 2, column 'Director': the column is missing");
    expect(await refusal("unknown.json", JSON.stringify([{ ...row, Budget: 1 }]))).toMatch(
      /^row 1, column 'Budget': unknown column; the columns are Title, US Gross,/,
    );
    expect(await refusal("unknown.csv", csvOf([row]).replace("Director", "Regie"))).toMatch(
      /^column 'Regie', line 1: unknown column; the columns are Title,/,
    );
    expect(await refusal("missing.csv", csvOf([row]).replace(",IMDB Votes", ""))).toBe(
      "column 'IMDB Votes', line 1: the header lacks the column",
    );
    expect(await refusal("twice.csv", csvOf([row]).replace("Director", "Title"))).toBe(
      "column 'Title', line 1: the column stands twice in the header",
    );
  });

  test("CSV rows of another width", async () => {
    expect(await refusal("short.csv", `${csvOf([row])}\nA,1,2\n`)).toBe("row 2, line 4: has 3 cells; the header has 16");
    expect(await refusal("long.csv", csvOf([row]).replace(/7\n$/, "7,8\n"))).toBe("row 1, line 2: has 17 cells; the header has 16");
  });

  test("CSV cells that are no number or out of range", async () => {
    expect(await refusal("text.csv", csvOf([row, row]).replace(/A,1,2,(.*)$/m, "A,one,2,$1"))).toBe(
      `row 1, column 'US Gross', line 2: "one" is no number`,
    );
    expect(await refusal("grouped.csv", csvOf([row]).replace("A,1,", 'A,"1,000",'))).toBe(
      `row 1, column 'US Gross', line 2: "1,000" is no number`,
    );
    const twice = csvOf([
      { ...row, Title: "two\nlines" },
      { ...row, "IMDB Rating": 60 },
    ]);
    expect(await refusal("range.csv", twice)).toBe(
      "row 2, column 'IMDB Rating', line 4: 60 is not allowed: a number from 0 to 10 or null is expected",
    );
  });

  test("CSV quotes that do not fit", async () => {
    expect(await refusal("open.csv", csvOf([row, row]).replace(/A(?=,1,2,.*\n$)/, '"A'))).toBe(
      "row 2, line 3: a quote that opens here is never closed",
    );
    expect(await refusal("after.csv", csvOf([row]).replace("A,1", '"A"x,1'))).toBe(
      "row 1, line 2: after a closing quote only a comma or the end of the line may stand",
    );
    expect(await refusal("inside.csv", csvOf([row]).replace("A,1", 'A"x,1'))).toBe(
      "row 1, line 2: a quote stands inside a cell that does not begin with one",
    );
    expect(await refusal("header.csv", 'Title"x,US Gross\n')).toBe("line 1: a quote stands inside a cell that does not begin with one");
  });
});
