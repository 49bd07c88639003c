import { isReferable, parseAddress, toRef } from "@karst/events";
import type { AgentRef, Referable } from "@karst/events";
import type { Runtime } from "@karst/runtime";
import { checkVariable, classBindings, handleTypeText, variableBinding } from "./bindings.ts";
import { DESCRIBE } from "./endpoint.ts";
import type { FnContext } from "./function.ts";
import { createHandle } from "./handle.ts";
import type { HandleHolder } from "./handle.ts";
import type { ErasedClass } from "./handle-type.ts";

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
    const held = this.#own(value);
    const binding = variableBinding(name, declared, held, description); // its schema goes along: the runtime checks by it
    const runtime = await this.open();
    await runtime.inject(
      isReferable(held)
        ? { ...binding, kind: "handle", preview: false, typeText: binding.typeText ?? (await this.#handleType(held)) }
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
    const opening = this.#opening;
    if (opening !== undefined) await (await opening).close();
  }

  async #create(): Promise<Runtime> {
    const runtime = this.#deps.create();
    await runtime.inject(classBindings(this.#of, () => this.#deps.context()));
    return runtime;
  }

  /** A handle given by the agent's own class code, or by a caller, acts for this agent from now on. */
  #own(value: unknown): unknown {
    const ref = isReferable(value) ? refOf(value) : undefined;
    return ref === undefined ? value : createHandle(ref, this.#deps.holder());
  }

  /** Of a class this host does not know, the agent itself is asked. */
  async #handleType(value: unknown): Promise<string> {
    const ref = isReferable(value) ? refOf(value) : undefined;
    if (ref === undefined) return "object";
    const known = this.#deps.classOf(parseAddress(ref.address).class);
    if (known !== undefined) return handleTypeText(known, ref.only);
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
