// the port
export type { FinishReason, Model, ModelFailure, ModelMessage, ModelPart, ModelRequest } from "./model.ts";
// models
export { openaiCompatible } from "./model.openai-compatible.ts";
export type { OpenaiCompatibleOptions } from "./model.openai-compatible.ts";
export { scriptedModel } from "./model.scripted.ts";
export type { ModelScript, ScriptedModel, ScriptedModelOptions, ScriptedReply, ScriptedReplyFunction } from "./model.scripted.ts";
// around a model
export { withRetry } from "./model.retried.ts";
export type { RetryOptions } from "./model.retried.ts";
export { isRetried, retryDelayMs } from "./retry.ts";
export type { RetryLimits } from "./retry.ts";
export { collect } from "./collect.ts";
export type { Collected } from "./collect.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export { modelStream } from "./model-stream.ts";
// errors
export { InvalidModelSettingError, ModelFailedError, ModelScriptError } from "./errors.ts";
