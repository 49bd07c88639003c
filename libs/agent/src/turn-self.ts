import { KarstError } from "@karst/events";
import { InvalidDefinitionError } from "./errors.ts";
import type { ErasedClass } from "./handle-type.ts";
import type { RunOptions, RunResult } from "./run.ts";
import type { Self } from "./self.ts";
import type { Turn } from "./turn.ts";

/** What a turn's `self` reaches of its agent. */
export interface SelfOwner {
  readonly class: ErasedClass;
  readonly id: string;
  runTask(turn: Turn, task: string, options: RunOptions): Promise<RunResult>;
  ask(turn: Turn, question: string, options: RunOptions): Promise<unknown>;
  inject(name: string, value: unknown): Promise<void>;
  retrieve(name: string): Promise<unknown>;
  handleTo(turn: Turn, of: ErasedClass, id: string): object;
  emit(name: string, payload: unknown): void;
  now(): Date;
  random(): number;
}

/**
 * `self` of one turn. It is dead after the turn: what a method left running can do nothing more for the agent.
 */
export class TurnSelf implements Self<Record<string, never>, Record<string, never>> {
  readonly #owner: SelfOwner;
  readonly #turn: Turn;

  constructor(owner: SelfOwner, turn: Turn) {
    this.#owner = owner;
    this.#turn = turn;
  }

  get state(): Record<string, never> {
    return this.#turn.draft.state as Record<string, never>;
  } // erased: the class's own types are checked where it is defined
  get signal(): AbortSignal {
    return this.#turn.signal;
  }
  get id(): string {
    return this.#owner.id;
  }

  async inject(name: string, value: unknown): Promise<void> {
    this.#requireTurn();
    await this.#owner.inject(name, value);
  }

  async retrieve(name: string): Promise<never> {
    this.#requireTurn();
    return (await this.#owner.retrieve(name)) as never; // erased, as above
  }

  async run<T>(task: string, options: RunOptions<T> = {}): Promise<RunResult<T>> {
    this.#requireTurn();
    return (await this.#owner.runTask(this.#turn, task, options)) as RunResult<T>; // its value is checked by `options.result`
  }

  async ask<T>(question: string, options: RunOptions<T> = {}): Promise<T> {
    this.#requireOpen();
    return (await this.#owner.ask(this.#turn, question, options)) as T; // checked by `options.result`, else text
  }

  agent(of: ErasedClass, id: string): never {
    return this.#owner.handleTo(this.#turn, of, id) as never; // erased, as above
  }

  emit(name: string, payload: unknown): void {
    this.#requireTurn();
    this.#owner.emit(name, payload);
  }

  now(): Date {
    return this.#owner.now();
  }
  random(): number {
    return this.#owner.random();
  }

  #requireTurn(): void {
    const { kind, call } = this.#turn;
    if (kind === "query")
      throw new InvalidDefinitionError(
        `${this.#owner.class.name}.${call.method}`,
        "a query reads committed fields only; make it a command",
      );
    this.#requireOpen();
  }

  #requireOpen(): void {
    if (!this.#turn.open) throw new KarstError("Interrupted", `the turn of ${this.#turn.call.method} is over`);
  }
}
