import type { CellHooks } from "./cell-hooks.ts";
import { cleanMessage } from "./cell-clean.ts";
import type { CompiledCell } from "./cell.ts";

/** What a runtime gives to its cells. */
export interface CellHost {
  /** The global object of this runtime: names that no cell and no binding defined are looked up here, live. */
  readonly globals: object;
  import(specifier: string, options: unknown): Promise<unknown>;
  readonly meta: object;
  /** The guard's hooks; left out where cells are compiled without guard. */
  readonly guard?: Pick<CellHooks, "k" | "a" | "i">;
}

/**
 * The names of one runtime, and what generated code needs around them.
 *
 * S1. Variables are own properties of `variables` and nothing else is: a null-prototype object over a layer of accessors.
 * S2. A name that neither `variables` nor `globals` has throws `ReferenceError: x is not defined` when read; assigning creates it.
 * S3. A constant is a non-writable own property; `enter` makes the names a cell declares writable again, keeping their values.
 * S4. Assigning to a name that no variable has sets it on `globals` when that owns it (a cell set `globalThis.x`), else it creates a variable.
 */
export interface CellScope {
  /** First argument of a CellFunction. A plain `variables[name] = value` adds or changes a variable, `delete variables[name]` drops it. */
  readonly variables: Record<string, unknown>;
  /** Second argument of a CellFunction. */
  readonly hooks: CellHooks;
  /** Prepares the scope for a cell: to be called before its function is. */
  enter(cell: Pick<CompiledCell, "declared" | "hoistedVars" | "names">): void;
  /** Names that are constants now: for `CompileOptions.consts`. */
  consts(): ReadonlySet<string>;
  /** Sets a variable whatever it was before, also over a constant. */
  define(name: string, value: unknown, constant?: boolean): void;
}

/** Tag of the layer; engines print it when a constant is assigned to, and `cleanMessage` knows it. */
const LAYER_TAG = "KarstScope";

export function createCellScope(host: CellHost): CellScope {
  const globals = host.globals as Readonly<Record<string, unknown>>; // any object may be read by name
  const layer = Object.create(null, { [Symbol.toStringTag]: { value: LAYER_TAG } }) as object; // a null-prototype object: create is typed any
  const variables = Object.create(layer) as Record<string, unknown>; // as above

  const define = (name: string, value: unknown, constant = false): void => {
    Object.defineProperty(variables, name, { value, writable: !constant, enumerable: true, configurable: true });
  };
  const isConst = (name: string): boolean => Object.getOwnPropertyDescriptor(variables, name)?.writable === false;

  /** Every name that code looks up gets an accessor here, which a variable of the name hides. */
  const admit = (name: string): void => {
    if (Object.hasOwn(layer, name)) return;
    Object.defineProperty(layer, name, {
      configurable: true,
      get: () => {
        if (name === "globalThis") return globals;
        // Read first, asked for only when undefined: `in` alone costs ten times as much in a hot loop (measured).
        const value = globals[name];
        if (value !== undefined || name in globals) return value;
        throw new ReferenceError(`${name} is not defined`);
      },
      set: (value: unknown) => {
        if (Object.hasOwn(globals, name)) Reflect.set(globals, name, value);
        else define(name, value);
      },
    });
  };

  const hooks: CellHooks = {
    k: host.guard?.k ?? (() => undefined),
    a: host.guard?.a ?? ((value) => value),
    i: host.guard?.i ?? ((iterable) => iterable),
    c: (name) => ({
      get v() {
        return variables[name];
      },
      set v(value) {
        if (isConst(name)) throw new TypeError(`Assignment to constant variable '${name}'.`);
        variables[name] = value;
      },
    }),
    s: (...names) => {
      for (const name of names) if (Object.hasOwn(variables, name)) Object.defineProperty(variables, name, { writable: false });
    },
    t: (name) => (Object.hasOwn(variables, name) || name in globals ? typeof variables[name] : "undefined"),
    e: (thrown) => {
      cleanThrown(thrown);
      return thrown;
    },
    // Async, so that what cannot be a text is a rejection, as for `import()`.
    import: async (specifier, options) => await host.import(String(specifier), options),
    get(namespace, name, specifier): unknown {
      if (typeof namespace === "object" && namespace !== null && name in namespace) return Reflect.get(namespace, name);
      throw new SyntaxError(`The requested module '${specifier}' does not provide an export named '${name}'`);
    },
    meta: host.meta,
  };

  return {
    variables,
    hooks,
    enter({ declared, hoistedVars, names }) {
      for (const name of names) admit(name);
      for (const name of declared) if (isConst(name)) Object.defineProperty(variables, name, { writable: true });
      for (const name of hoistedVars) if (!Object.hasOwn(variables, name)) define(name, undefined);
    },
    consts: () => new Set(Object.keys(variables).filter(isConst)),
    define,
  };
}

/** Takes generated names out of an error's message, when it is an own, writable text: nothing of the error's own code runs. */
function cleanThrown(thrown: unknown): void {
  if (!(thrown instanceof Error)) return;
  const message = Object.getOwnPropertyDescriptor(thrown, "message");
  if (message?.writable !== true || typeof message.value !== "string") return;
  const clean = cleanMessage(message.value);
  if (clean !== message.value) Object.defineProperty(thrown, "message", { ...message, value: clean });
}
