/** The log: one JSON line per entry. Nothing is written that did not pass the redaction list (CORE-91). */
import { pino } from 'pino'
import type { Bindings, ChildLoggerOptions, DestinationStream, Logger } from 'pino'
import { redact } from './redact.ts'
import { redactText } from './redact-text.ts'
import type { Settings } from '../settings/settings.ts'

export type Log = Logger

/** Writes to standard output unless another destination is given. */
export function createLog(
  settings: Pick<Settings, 'logLevel'>,
  destination: DestinationStream = pino.destination({ fd: 1, sync: true }),
): Log {
  const log = pino(
    {
      level: settings.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redactBindings,
      },
      serializers: {
        msg: redactText,
        // `redact` has already turned the error into plain data.
        err: (error: unknown) => error,
      },
      hooks: {
        // Values that are printed into a message are not part of the object that `log` sees.
        logMethod(args, method) {
          const [first, ...printed] = args
          method.apply(this, [first, ...printed.map(redact)] as typeof args)
        },
      },
    },
    destination,
  )
  return withRedactedBindings(log)
}

/**
 * pino formats the fields of a child logger without asking the formatters. Children inherit from
 * their parent, so that replacing the two methods on the root covers them all.
 */
function withRedactedBindings(log: Log): Log {
  const { child, setBindings } = log
  return Object.defineProperties(log, {
    child: {
      value(this: Log, bindings: Bindings, options?: ChildLoggerOptions) {
        return Reflect.apply(child, this, [redactBindings(bindings), options]) as Log
      },
    },
    setBindings: {
      value(this: Log, bindings: Bindings) {
        setBindings.call(this, redactBindings(bindings))
      },
    },
  })
}

/** An object of a class comes back as its name alone, which needs a field to stand in. */
function redactBindings(bindings: object): Record<string, unknown> {
  const shown = redact(bindings)
  return typeof shown === 'object' ? (shown as Record<string, unknown>) : { value: shown }
}
