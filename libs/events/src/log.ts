/** Logging as a port; the services put pino behind it, libraries stay silent unless given one. */
export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to each line. */
  child(fields: LogFields): Log;
}

export type LogFields = Readonly<Record<string, unknown>>;

const nothing = (): void => undefined;

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silentLog };

export interface RecordedLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps each line in `lines`, for tests; children write to the same list. */
export function createRecordingLog(lines: RecordedLine[] = [], base: LogFields = {}): Log & { readonly lines: readonly RecordedLine[] } {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields: { ...base, ...fields } });
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    lines,
    child: (fields) => createRecordingLog(lines, { ...base, ...fields }),
  };
}
