import { describe, expect, test } from "vitest";
import { CleanFilm, Film, FILM_COLUMNS, parseDay } from "./row.ts";

const film = {
  Title: "The Land Girls",
  "US Gross": 146083,
  "Worldwide Gross": 146083,
  "US DVD Sales": null,
  "Production Budget": 8000000,
  "Release Date": "Jun 12 1998",
  "MPAA Rating": "R",
  "Running Time min": null,
  Distributor: "Gramercy",
  Source: null,
  "Major Genre": null,
  "Creative Type": null,
  Director: null,
  "Rotten Tomatoes Rating": null,
  "IMDB Rating": 6.1,
  "IMDB Votes": 1071,
};

describe("a raw film", () => {
  test("takes titles that are text, numbers or missing, as the data has them", () => {
    for (const Title of ["300", 300, null]) expect(Film.parse({ ...film, Title })).toEqual({ ...film, Title });
  });

  test("has the sixteen columns of the data and no other", () => {
    expect(FILM_COLUMNS).toEqual(Object.keys(film));
    expect(Film.safeParse({ ...film, Budget: 1 }).success).toBe(false);
  });

  test("refuses a missing column, a negative gross and a day that is none", () => {
    const without = Object.fromEntries(Object.entries(film).filter(([name]) => name !== "Director"));
    expect(Film.safeParse(without).success).toBe(false);
    expect(Film.safeParse({ ...film, "US Gross": -1 }).success).toBe(false);
    expect(Film.safeParse({ ...film, "Release Date": "Feb 30 1998" }).success).toBe(false);
  });
});

describe("a written day", () => {
  test("is midnight UTC of that day", () => {
    expect(parseDay("Dec 24 2016")).toEqual(new Date("2016-12-24T00:00:00.000Z"));
    expect(parseDay("Feb 29 2000")).toEqual(new Date("2000-02-29T00:00:00.000Z"));
  });

  test.each([
    "Feb 29 1999",
    "Jan 00 1999",
    "Jan 32 1999",
    "jan 01 1999",
    "January 01 1999",
    "Jan 1 1999",
    "Jan 01 99",
    "Foo 01 1999",
    "",
    " Jan 01 1999",
  ])("is refused when it is %j", (written) => {
    expect(parseDay(written)).toBeUndefined();
  });
});

test("a cleaned film has a title and a true date", () => {
  const clean = {
    title: "The Land Girls",
    released: new Date(0),
    genre: null,
    usGross: 146083,
    worldwideGross: null,
    usDvdSales: null,
    productionBudget: 8000000,
    mpaaRating: "R",
    runningTimeMin: null,
    distributor: "Gramercy",
    source: null,
    creativeType: null,
    director: null,
    rottenTomatoesRating: null,
    imdbRating: 6.1,
    imdbVotes: 1071,
  };
  expect(CleanFilm.parse(clean)).toEqual(clean);
  expect(CleanFilm.safeParse({ ...clean, title: "" }).success).toBe(false);
  expect(CleanFilm.safeParse({ ...clean, released: "1998-06-12" }).success).toBe(false);
});
