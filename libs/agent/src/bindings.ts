import { schemaText } from "./schema-text.ts";
import type { Binding } from "@karst/runtime";
import { checkValue } from "./boundary-schema.ts";
import { BadArgsError } from "./errors.ts";
import { freshDefault } from "./field.ts";
import type { Fn, FnContext } from "./function.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { Variable } from "./variable.ts";

/** What a class puts into the runtime of a new agent. */

/** `contextOf` gives what a host function is told of its caller, fresh for each call. */
export function classBindings(of: ErasedClass, contextOf: () => FnContext): readonly Binding[] {
  const bindings: Binding[] = [];
  for (const [name, declared] of Object.entries(of.variables)) {
    bindings.push(variableBinding(name, declared, freshDefault(declared.options.default, `${of.name}.${name}`)));
  }
  for (const [name, part] of Object.entries(of.definition.functions)) {
    bindings.push({
      kind: "function",
      name,
      value: (input: unknown) => callFunction(`${of.name}.${name}`, part, input, contextOf()),
      description: part.description,
      input: part.input,
      output: part.outputCheck.schema,
    });
  }
  for (const [name, part] of Object.entries(of.definition.types)) {
    if ("part" in part)
      bindings.push({
        kind: "type",
        name,
        value: part.of,
        doc: part.doc,
        ...(part.description === undefined ? {} : { description: part.description }),
      });
    else bindings.push({ kind: "type", name, value: part, schema: part });
  }
  return bindings;
}

export function variableBinding(name: string, declared: Variable<unknown> | undefined, value: unknown, description?: string): Binding {
  const said = description ?? declared?.options.description;
  const handleOf = declared?.handleOf;
  return {
    kind: handleOf === undefined ? "variable" : "handle",
    name,
    value,
    ...(said === undefined ? {} : { description: said }),
    ...(declared?.check === undefined ? {} : { schema: declared.check.schema }),
    ...(declared?.options.preview === undefined ? {} : { preview: declared.options.preview }),
    ...(handleOf === undefined ? {} : { typeText: handleTypeText(handleOf.class as ErasedClass, handleOf.only) }),
  };
}

/** A variable's value, checked. @throws {InvalidValueError} naming class and variable. */
export function checkVariable(className: string, name: string, declared: Variable<unknown> | undefined, value: unknown): unknown {
  return declared?.check === undefined ? value : checkValue(`${className}.${name}`, declared.check, value);
}

async function callFunction(place: string, part: Fn, input: unknown, context: FnContext): Promise<unknown> {
  const accepted = part.inputCheck.accept(input ?? {});
  if (!accepted.ok) throw new BadArgsError(place, accepted.issues);
  context.signal.throwIfAborted();
  return checkValue(`the result of ${place}`, part.outputCheck, await part.run(accepted.value, context));
}

const VERB_TYPES: Readonly<Record<string, string>> = {
  run: "run(task: string): Promise<{ content: string; completed: boolean; stopReason: string }>",
  ask: "ask(question: string): Promise<string>",
  inject: "inject(name: string, value: unknown): Promise<void>",
  retrieve: "retrieve(name: string): Promise<any>",
  state: "state(...names: string[]): Promise<Record<string, unknown>>",
  only: "only(...names: string[]): Handle",
  stop: "stop(): Promise<void>",
};

/** The methods of a class as the model sees them on a handle. `only`: the names it grants; absent: all. */
export function handleTypeText(of: ErasedClass, only?: readonly string[]): string {
  const granted = (name: string): boolean => only === undefined || only.includes(name);
  const lines: string[] = [];
  for (const [name, method] of Object.entries(of.methods)) {
    if (!granted(name)) continue;
    const comment = method.description === undefined ? "" : `/** ${method.description} */ `;
    const input = method.input === undefined ? "" : `input: ${schemaText(method.input.schema)}`;
    lines.push(`${comment}${name}(${input}): Promise<${schemaText(method.output.schema)}>`);
  }
  const variables = Object.keys(of.variables);
  for (const [verb, text] of Object.entries(VERB_TYPES)) {
    if (only === undefined ? verb !== "stop" : verb === "only" || only.includes(verb))
      lines.push(verb === "retrieve" && variables.length > 0 ? `${text} /* ${variables.join(", ")}, or any name there */` : text);
  }
  return `{ ${lines.join("; ")} }`;
}
