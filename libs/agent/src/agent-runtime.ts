import { isReferable, parseAddress, toRef } from "@karst/events";
import type { AgentRef, Referable } from "@karst/events";
import type { Runtime } from "@karst/runtime";
import { checkVariable, classBindings, handleTypeText, variableBinding } from "./bindings.ts";
import { DESCRIBE } from "./endpoint.ts";
import { InvalidValueError } from "./errors.ts";
import type { FnContext } from "./function.ts";
import { createHandle } from "./handle.ts";
import type { HandleHolder } from "./handle.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { Variable } from "./variable.ts";

export interface AgentRuntimeDeps {
  create(): Runtime;
  context(): FnContext;
  classOf(name: string): ErasedClass | undefined;
  /** On whose behalf the handles in it call: this agent. */
  holder(): HandleHolder;
}

/** An agent's runtime, opened with the class's names at the first need. */
export class AgentRuntime {
  readonly #of: ErasedClass;
  readonly #deps: AgentRuntimeDeps;
  #opening: Promise<Runtime> | undefined;

  constructor(of: ErasedClass, deps: AgentRuntimeDeps) {
    this.#of = of;
    this.#deps = deps;
  }

  open(): Promise<Runtime> {
    this.#opening ??= this.#create();
    return this.#opening;
  }

  async inject(name: string, value: unknown, description?: string): Promise<void> {
    const declared = Object.hasOwn(this.#of.variables, name) ? this.#of.variables[name] : undefined;
    const held = this.#own(name, declared, value);
    const binding = variableBinding(name, declared, held, description); // its schema goes along: the runtime checks by it
    const runtime = await this.open();
    await runtime.inject(
      isReferable(held) && declared?.check === undefined
        ? { ...binding, kind: "handle", preview: false, typeText: await this.#handleType(held, declared) }
        : binding,
    );
  }

  async retrieve(name: string): Promise<unknown> {
    const declared = Object.hasOwn(this.#of.variables, name) ? this.#of.variables[name] : undefined;
    const runtime = await this.open();
    return checkVariable(this.#of.name, name, declared, await runtime.retrieve(name));
  }

  async describe(): Promise<string> {
    return (await this.open()).describe();
  }

  async close(): Promise<void> {
    const runtime = await this.#opening?.catch(() => undefined); // one that could not be opened was told to who asked for it
    await runtime?.close();
  }

  async #create(): Promise<Runtime> {
    const runtime = this.#deps.create();
    await runtime.inject(classBindings(this.#of, () => this.#deps.context()));
    return runtime;
  }

  /**
   * A handle given by the agent's own class code, or by a caller, acts for this agent from now on; in a variable for handles, within what
   * that declares.
   */
  #own(name: string, declared: Variable<unknown> | undefined, value: unknown): unknown {
    const ref = isReferable(value) ? refOf(value) : undefined;
    const wanted = value === undefined ? undefined : declared?.handleOf;
    if (wanted !== undefined && (ref === undefined || parseAddress(ref.address).class !== wanted.class.name))
      throw new InvalidValueError(`${this.#of.name}.${name}`, [`it is for a handle of ${wanted.class.name}`]);
    if (ref === undefined) return value;
    const only = ref.only ?? wanted?.only;
    return createHandle(only === undefined ? ref : { ...ref, only }, this.#deps.holder());
  }

  /** Of a class this host does not know, the agent itself is asked. */
  async #handleType(value: Referable, declared: Variable<unknown> | undefined): Promise<string> {
    const ref = refOf(value);
    if (ref === undefined) return "object";
    const { only: wanted, class: of = this.#deps.classOf(parseAddress(ref.address).class) } = declared?.handleOf ?? {};
    if (of !== undefined)
      return handleTypeText(of as ErasedClass, wanted === undefined ? ref.only : ref.only?.filter((name) => wanted.includes(name))); // its types let go
    const agent = createHandle({ ref: "agent", address: ref.address }, this.#deps.holder()) as Readonly<
      Record<string, (only: unknown) => Promise<string>>
    >; // any name is a method of a handle
    return (await agent[DESCRIBE]?.(ref.only)) ?? "object";
  }
}

function refOf(value: Referable): AgentRef | undefined {
  const ref = value[toRef]();
  return ref.ref === "agent" ? ref : undefined;
}
