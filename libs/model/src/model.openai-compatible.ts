import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { systemClock } from "@karst/events";
import type { Clock } from "@karst/events";
import { aiSdkCall, aiSdkStream } from "./ai-sdk-stream.ts";
import { InvalidModelSettingError } from "./errors.ts";
import { requireEventStream } from "./event-stream-body.ts";
import { modelStream } from "./model-stream.ts";
import type { Model, ModelPart } from "./model.ts";
import { readOpenaiChunk } from "./openai-chunk.ts";

export interface OpenaiCompatibleOptions {
  /** Where `/chat/completions` is found, such as `http://localhost:11434/v1`. A query is sent with each request. */
  readonly baseURL: string;
  /** Sent as a bearer token; a local server may need none. White space around it is dropped. */
  readonly apiKey?: string | undefined;
  /** The provider's name of the model; it is also the `id`. */
  readonly model: string;
  readonly contextTokens?: number | undefined;
  /** For requests that name no limit of their own. Default: the provider's. */
  readonly maxOutputTokens?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to ask for token counts (`stream_options`). Default true; a provider that refuses the question is not asked it again. */
  readonly requestUsage?: boolean;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/**
 * A model behind the streaming chat-completions wire that OpenAI made and many servers speak.
 *
 * One try each: retries are withRetry's. Redirects are not followed, for the key would travel with the headers. The key is in
 * requests only, never in a message or in anything that can be printed.
 *
 * @throws {InvalidModelSettingError} at once, when an option cannot work.
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): Model {
  const { model, contextTokens, maxOutputTokens, headers = {}, clock = systemClock } = options;
  const url = readBaseUrl(options.baseURL);
  const apiKey = options.apiKey?.trim();
  if (model.trim() === "") throw new InvalidModelSettingError("name", "must not be empty");
  requireHeaderText("apiKey", apiKey ?? "");
  for (const [name, value] of Object.entries(headers)) requireHeaderText(`header ${name}`, value);

  const doFetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const queryParams = Object.fromEntries(url.searchParams);
  const chatModel = (includeUsage: boolean) =>
    createOpenAICompatible({
      name: "openai-compatible",
      baseURL: url.origin + url.pathname,
      ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }),
      headers: { ...headers },
      ...(url.search === "" ? {} : { queryParams }),
      includeUsage,
      fetch: async (input, init) => requireEventStream(await doFetch(input, { ...init, redirect: "manual" })),
    }).chatModel(model);
  const withUsage = chatModel(true);
  const withoutUsage = chatModel(false);
  const clean = redactor([apiKey ?? "", ...Object.values(headers), ...Object.values(queryParams)]);
  let asksUsage = options.requestUsage ?? true;

  return {
    id: model,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    stream: (request, signal) =>
      modelStream(signal, async function* (inner): AsyncGenerator<ModelPart, void, undefined> {
        const call = aiSdkCall(request, maxOutputTokens);
        const ask = (chat: typeof withUsage) => aiSdkStream(chat, call, inner, { clock, readChunk: readOpenaiChunk, clean });
        if (asksUsage) {
          for await (const part of ask(withUsage)) {
            if (refusesUsage(part)) {
              asksUsage = false;
              break;
            }
            yield part;
            if (part.type === "finish" || part.type === "error") return;
          }
        }
        yield* ask(withoutUsage);
      }),
  };
}

function refusesUsage(part: ModelPart): boolean {
  return part.type === "error" && part.error.kind === "bad-request" && /stream_options|include_usage/.test(part.error.message);
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new InvalidModelSettingError("baseURL", "must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw new InvalidModelSettingError("baseURL", "must not contain a user or password; use headers");
  return url;
}

/** Fetch would refuse other characters too, but with the value in its message. */
function requireHeaderText(setting: string, value: string): void {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new InvalidModelSettingError(setting, "has characters that no HTTP header may have");
}

/** Shorter values are words such as `true`, whose removal would only make messages unreadable. */
const SHORTEST_SECRET = 6;

function redactor(values: readonly string[]): (message: string) => string {
  const secrets = values.filter((value) => value.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
  return (message) => secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), message);
}
