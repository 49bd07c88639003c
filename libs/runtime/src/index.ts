// The port
export type {
  Binding,
  BindingKind,
  CellError,
  CellResult,
  DescribeOptions,
  ExecuteOptions,
  LateOutput,
  NameInfo,
  NamespaceDiff,
  Runtime,
  RuntimeKind,
} from "./runtime.ts";

// Kinds of runtime
export { createRuntime } from "./create-runtime.ts";
export type { RuntimeOptions } from "./create-runtime.ts";
export { createInlineRuntime } from "./runtime.inline.ts";
export type { InlineRuntimeOptions } from "./runtime.inline.ts";
export type { ModuleOptions } from "./modules.inline.ts";
export { DEFAULT_LIMITS, resolveLimits } from "./limits.ts";
export type { RuntimeLimits } from "./limits.ts";

// Names and values as the model sees them
export { requireBindable } from "./names.ts";
export { describeBindings, NOTHING_TO_DESCRIBE } from "./describe.ts";
export { zodShapeToTypeScript, zodToTypeScript } from "./zod-to-typescript.ts";
export type { ZodTypeOptions, ZodTypeText } from "./zod-to-typescript.ts";
export { inferType } from "./infer-type.ts";
export type { InferOptions, InferredType } from "./infer-type.ts";
export { inspectValue } from "./inspect-value.ts";
export type { InspectOptions } from "./inspect-value.ts";

// Cells
export { cellFileName, compileCell } from "./cell.ts";
export type { CellHooks } from "./cell-hooks.ts";
export type { CellFunction, CellOutcome, CompiledCell, CompileOptions, Position } from "./cell.ts";

// Errors
export {
  CellSyntaxError,
  InvalidBindingError,
  InvalidRuntimeOptionError,
  ModuleRefusedError,
  NameTakenError,
  NoSuchNameError,
  RuntimeOverloadedError,
  RuntimeStoppedError,
} from "./errors.ts";
