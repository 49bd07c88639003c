import { EVENT_TYPES, isKarstError, requireToken } from "@karst/events";
import { requireBindable } from "@karst/runtime";
import type { z } from "zod";
import { boundary } from "./boundary-schema.ts";
import type { Boundary } from "./boundary-schema.ts";
import { InvalidDefinitionError } from "./errors.ts";
import type { Field } from "./field.ts";
import type { Fn } from "./function.ts";
import { RESERVED_NAMES } from "./handle-type.ts";
import type { AgentClass, NoReserved, RuntimeOptions } from "./handle-type.ts";
import type { HostType } from "./host-type.ts";
import { createMethodMaker } from "./method.ts";
import type { Method, MethodKind, MethodMaker } from "./method.ts";
import type { Budget } from "./run.ts";
import type { Self } from "./self.ts";
import type { Variable } from "./variable.ts";

/* eslint-disable @typescript-eslint/no-explicit-any -- upper bounds that let the parts' own types infer */
/* eslint-disable @typescript-eslint/no-generated-empty-object-type -- the class has no such parts */
export interface AgentDefinition<
  N extends string,
  F extends Record<string, Field<any>>,
  V extends Record<string, Variable<any>>,
  M extends Record<string, Method<any, any, any, any>>,
> {
  /** Stands in subjects: 1 to 64 characters out of `A-Za-z0-9_-`. */
  readonly name: N;
  /** Of the fields' form, from 1. */
  readonly version: number;
  readonly role?: "orchestrator" | "worker";
  readonly roles?: readonly string[];
  readonly description?: string;
  readonly instructions?: string;
  /** A name in the system's model table. Default `default`. */
  readonly model?: string;
  readonly runtime?: RuntimeOptions;
  readonly limits?: Budget;
  readonly fields?: F;
  readonly variables?: V;
  readonly functions?: Record<string, Fn>;
  readonly types?: Record<string, z.ZodType | HostType>;
  readonly methods?: (method: MethodMaker<Self<F, V>>) => M & NoReserved<M>;
  readonly emits?: Record<string, z.ZodType>;
}

const RESERVED: ReadonlySet<string> = new Set(RESERVED_NAMES);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function checkName(place: string, name: string): void {
  if (!IDENTIFIER.test(name)) throw new InvalidDefinitionError(place, `'${name}' is not an identifier`);
}

function checkBindable(place: string, name: string): void {
  try {
    requireBindable(name);
  } catch (error) {
    throw isKarstError(error) ? new InvalidDefinitionError(place, error.message) : error;
  }
}

/** A class written in JavaScript can hold anything; the types refuse it elsewhere. */
function checkParts(className: string, group: string, parts: Readonly<Record<string, unknown>>, part: string, maker: string): void {
  for (const [name, value] of Object.entries(parts)) {
    const mark: unknown = typeof value === "object" && value !== null && "part" in value ? value.part : undefined;
    if (mark !== part) throw new InvalidDefinitionError(`${className}.${group}.${name}`, `it is not made by ${maker}`);
  }
}

function checkMethods(className: string, methods: Readonly<Record<string, Method<never, MethodKind, never, unknown>>>): void {
  for (const name of Object.keys(methods)) {
    checkName(`${className}.methods`, name);
    if (RESERVED.has(name))
      throw new InvalidDefinitionError(`${className}.methods.${name}`, `'${name}' is a reserved name: every handle has it`);
  }
}

function checkRuntimeNames(className: string, groups: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
  const owners = new Map<string, string>();
  for (const [group, parts] of Object.entries(groups)) {
    for (const name of Object.keys(parts)) {
      checkBindable(`${className}.${group}.${name}`, name);
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new InvalidDefinitionError(`${className}.${group}.${name}`, `the name is taken by ${className}.${owner}.${name}`);
      owners.set(name, group);
    }
  }
}

function checkEmits(className: string, emits: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, Boundary>> {
  const checks: Record<string, Boundary> = {};
  for (const [name, schema] of Object.entries(emits)) {
    requireToken(`event of ${className}`, name);
    if (EVENT_TYPES.includes(name))
      throw new InvalidDefinitionError(`${className}.emits.${name}`, "that is the type of an event of Karst itself");
    checks[name] = boundary(`${className}.emits.${name}`, schema);
  }
  return checks;
}

function checkLimits(className: string, limits: Budget): void {
  const numbers = { steps: limits.steps, ms: limits.ms, ...limits.tokens };
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      throw new InvalidDefinitionError(`${className}.limits`, `${name} is ${String(value)}, not a number from 0 up`);
  }
}

/**
 * Defines a class of agents: what they hold, what they can be asked, how far they may go. The result is frozen and has no instances yet.
 *
 * @throws {InvalidDefinitionError} naming the part: a reserved or doubled name, a schema that changes values, a limit that is no number.
 */
export function defineAgent<
  const N extends string,
  F extends Record<string, Field<any>> = Record<never, never>,
  V extends Record<string, Variable<any>> = Record<never, never>,
  M extends Record<string, Method<any, any, any, any>> = Record<never, never>,
>(definition: AgentDefinition<N, F, V, M>): AgentClass<N, F, V, M> {
  const { name, version } = definition;
  requireToken("agent class", name);
  if (!Number.isInteger(version) || version < 1)
    throw new InvalidDefinitionError(`${name}.version`, `${String(version)} is not a whole number from 1 up`);
  const runtime: RuntimeOptions = definition.runtime ?? { kind: "inline" };
  // a class written in JavaScript can ask for a kind that the types refuse
  if ((runtime.kind as string) !== "inline")
    throw new InvalidDefinitionError(
      `${name}.runtime.kind`,
      `'${runtime.kind}' is not available; 'inline' is (docs/decisions/0001-inline-first.md)`,
    );
  const methods = definition.methods?.(createMethodMaker<Self<F, V>>(name)) ?? ({} as M); // M defaults to no methods
  const fields = definition.fields ?? ({} as F); // F defaults to no fields
  const variables = definition.variables ?? ({} as V); // V defaults to no variables
  const functions = definition.functions ?? {};
  const types = definition.types ?? {};
  const limits = definition.limits ?? {};
  checkParts(name, "fields", fields, "field", "field(schema)");
  checkParts(name, "variables", variables, "variable", "variable(schema) or handle(Class)");
  checkParts(name, "functions", functions, "fn", "fn({ … }, run)");
  checkParts(name, "methods", methods, "method", "the `method` that `methods` is given");
  checkMethods(name, methods);
  checkRuntimeNames(name, { variables, functions, types });
  const emits = checkEmits(name, definition.emits ?? {});
  checkLimits(name, limits);
  for (const part of [fields, variables, methods, functions, types, emits]) Object.freeze(part);
  return Object.freeze({
    name,
    fields,
    variables,
    methods: methods, // NoReserved adds no value
    definition: Object.freeze({
      version,
      role: definition.role ?? "worker",
      roles: definition.roles ?? [],
      description: definition.description,
      instructions: definition.instructions,
      model: definition.model ?? "default",
      runtime,
      limits,
      functions,
      types,
      emits,
    }),
  });
}

/** The roles of a class's agents: its name, its `roles`, and `orchestrator` when it is one. */
export function rolesOf(of: AgentClass<string, unknown, unknown, unknown>): readonly string[] {
  const { role, roles } = of.definition;
  return [of.name, ...roles, ...(role === "orchestrator" ? ["orchestrator"] : [])];
}
