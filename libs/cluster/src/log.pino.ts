import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";
import type { Log, LogLevel } from "@karst/events";

export interface PinoLogOptions {
  /** Default `info`. */
  readonly level?: LogLevel;
  /** On each line. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Where the lines go. Default: standard output, written at once, so that none is lost when the process ends. */
  readonly destination?: DestinationStream;
}

/** Names whose values never reach a log, wherever they stand: at the top of a line and in objects up to three deeper. */
const SECRET_NAMES = ["apiKey", "api_key", "authorization", "Authorization", "token", "password", "secret", "proof"];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]);

/**
 * The Log port as JSON lines: `level` as a word, `time` in ms since 1970, `msg`, then the fields; errors under `err` or `error` with class, code, message and
 * stack. Values named as secrets are replaced by `[redacted]`; credentials inside URLs too.
 */
export function createPinoLog({ level = "info", fields = {}, destination }: PinoLogOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: fields,
      redact: { paths: SECRET_PATHS, censor: "[redacted]" },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err, error: serialiseError },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
  return wrap(logger);
}

const serialiseError = (value: unknown): unknown => (value instanceof Error ? pino.stdSerializers.err(value) : value);

const URL_CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;

/** A text without the credentials of the URLs in it. */
const withoutCredentials = (text: string): string => text.replace(URL_CREDENTIALS, "$1[redacted]@");

function wrap(logger: Logger): Log {
  const at = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](clean(fields), withoutCredentials(message));
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => wrap(logger.child(clean(fields))),
  };
}

/** The fields, with credentials taken out of their texts at the first level; deeper ones are left to the redaction by name. */
function clean(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? withoutCredentials(value) : value]),
  );
}
