import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";
import type { CellSession } from "./cell-session.ts";

const modules: Readonly<Record<string, object>> = {
  shop: { default: "counter", price: 3, sell: (n: number) => n * 3, "odd name": 7, Item: class {} },
  late: { mark: "loaded" },
};

/** A session whose imports come from the table above; `asked` lists what was asked for, in order. */
function shopSession(o: { guard?: boolean } = {}): { session: CellSession; asked: [string, unknown][] } {
  const asked: [string, unknown][] = [];
  const importModule = async (specifier: string, options: unknown): Promise<unknown> => {
    asked.push([specifier, options]);
    const found = modules[specifier];
    await Promise.resolve();
    if (found === undefined) throw new TypeError(`no module ${specifier}`);
    return found;
  };
  return { session: createCellSession({ import: importModule, meta: { url: "cell:meta", dirname: "/work" } }, o), asked };
}

describe("imports", () => {
  it("R14: default, named and namespace imports live on", async () => {
    const { session } = shopSession();
    expect(
      await session.value("import d, { price, sell as s } from 'shop'; import * as ns from 'shop'", "[d, price, s(2), ns.price]"),
    ).toEqual(["counter", 3, 6, 3]);
  });
  it("R14: modules of Node", async () => {
    expect(await createCellSession().value("import path, {join as jn} from 'node:path'", "[jn('x','y'), typeof path.resolve]")).toEqual([
      "x/y",
      "function",
    ]);
  });
  it("an import after other code is loaded before it", async () => {
    const { session, asked } = shopSession();
    expect(await session.value("const before = typeof price\nimport { price } from 'shop'\n[before, price]")).toEqual(["number", 3]);
    expect(asked).toHaveLength(1);
  });
  it("imports run in their order, functions exist before them", async () => {
    const { session, asked } = shopSession();
    expect(
      await session.value("import { mark } from 'late'\nfunction f() { return mark + price }\nimport { price } from 'shop'\nf()"),
    ).toBe("loaded3");
    expect(asked.map(([specifier]) => specifier)).toEqual(["late", "shop"]);
  });
  it("a bare import only loads", async () => {
    const { session, asked } = shopSession();
    await session.run("import 'late'");
    expect(asked).toEqual([["late", undefined]]);
  });
  it("names that are texts, and attributes", async () => {
    const { session, asked } = shopSession();
    expect(await session.value("import { 'odd name' as odd } from 'shop' with { type: 'json' }; odd")).toBe(7);
    expect(asked).toEqual([["shop", { with: { type: "json" } }]]);
  });
  it("a missing export is a SyntaxError at the import", async () => {
    const { session } = shopSession();
    const report = await session.fails("\n\nimport { nothing } from 'shop'");
    expect(report).toMatchObject({
      name: "SyntaxError",
      message: "The requested module 'shop' does not provide an export named 'nothing'",
      line: 3,
      column: 1,
    });
  });
  it("a missing module fails at the import, also when that is moved up", async () => {
    const { session } = shopSession();
    expect(await session.fails("let a = 1\n  import x from 'nowhere'")).toMatchObject({ message: "no module nowhere" });
    expect(await session.value("typeof x")).toBe("undefined");
  });
  it("an import is a constant, and can be declared again", async () => {
    const { session } = shopSession();
    expect(await session.fails("import { price } from 'shop'", "price = 4")).toMatchObject({
      name: "TypeError",
      message: "Assignment to constant variable 'price'.",
    });
    expect(await session.value("let price = 5; price++; price")).toBe(6);
  });
  it("a name imported for types only may be missing; used as a value it may not", async () => {
    const { session } = shopSession();
    expect(
      await session.value(
        "import { price, Currency, Item } from 'shop'; let p: Currency = price; let i: Item; p",
        "[p, typeof Item, typeof Currency]",
      ),
    ).toEqual([3, "function", "undefined"]);
    expect((await session.fails("import { Currency } from 'shop'; let p: Currency = Currency.EUR")).message).toContain("'Currency'");
  });
  it("an import is a snapshot: what the module changes later is not seen", async () => {
    const changing = { n: 1 };
    const session = createCellSession({ import: () => Promise.resolve(changing) });
    await session.run("import { n } from 'changing'; import * as all from 'changing'");
    changing.n = 2;
    expect(await session.value("[n, all.n]")).toEqual([1, 2]);
  });
  it("export from loads and checks, and binds nothing", async () => {
    const { session, asked } = shopSession();
    expect(await session.value("export { price as p } from 'shop'; typeof price + typeof p")).toBe("undefinedundefined");
    expect(asked).toEqual([["shop", undefined]]);
    expect((await session.fails("export { gone } from 'shop'")).message).toContain("'gone'");
  });
  it("import() and import.meta go to the host, in functions too", async () => {
    const { session, asked } = shopSession();
    expect(
      await session.value(
        "const load = (name) => import(name)",
        "const { price } = await load('shop'); [price, import.meta.url, (() => import.meta.dirname)()]",
      ),
    ).toEqual([3, "cell:meta", "/work"]);
    expect(await session.value("(await import('late', { with: { type: 'json' } })).mark")).toBe("loaded");
    expect(asked.at(-1)).toEqual(["late", { with: { type: "json" } }]);
  });
  it("import() of what cannot be a text rejects, as in the language", async () => {
    const { session } = shopSession();
    expect(await session.value("await import(Symbol('s')).catch((e) => e.name)")).toBe("TypeError");
  });
  it("works guarded", async () => {
    const { session } = shopSession({ guard: true });
    expect(await session.value("import { price } from 'shop'; price")).toBe(3);
  });
});
