/** The log for a person at a terminal: one short line per entry, made of the JSON line that passed the redaction list. */
import { styleText } from 'node:util'
import { pino, type DestinationStream } from 'pino'
import type { Settings } from '../settings/settings.ts'

type Entry = Readonly<Record<string, unknown>>
type Style = Parameters<typeof styleText>[0]

const STYLES: Readonly<Record<string, Style>> = {
  warn: 'yellow',
  error: 'red',
  fatal: ['red', 'bold'],
  debug: 'gray',
  trace: 'gray',
}
/** They stand elsewhere in the line, or are the same in all of them. */
const LEFT_OUT = ['level', 'time', 'pid', 'msg', 'err']
const VERSION = /^\/\d{4}-\d{2}-\d{2}(?=\/)/

/** JSON lines, unless a person looks on: then readable ones, in development by themselves. */
export function logDestination(
  { logFormat, production }: Pick<Settings, 'logFormat' | 'production'>,
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
): DestinationStream {
  const isReadable = logFormat === 'auto' ? terminal.isTTY && !production : logFormat === 'text'
  return isReadable
    ? { write: (line) => void terminal.write(readableLine(line, terminal.isTTY)) }
    : pino.destination({ fd: 1, sync: true })
}

/** `12:00:05 POST /quotes 201 14 ms` for a request; level, message and fields for everything else. */
function readableLine(line: string, isColoured: boolean): string {
  const entry = JSON.parse(line) as Entry
  const time = String(entry['time']).slice(11, 19)
  const words = entry['msg'] === 'request' ? wordsOfRequest(entry) : wordsOf(entry)
  const style = STYLES[levelOf(entry)]
  const shown = isColoured && style ? styleText(style, words, { validateStream: false }) : words
  return `${time} ${shown}\n`
}

/** A request that failed stands out as a warning or an error does. */
function levelOf({ level, msg, status }: Entry): string {
  if (msg !== 'request' || Number(status) < 400) return String(level)
  return Number(status) < 500 ? 'warn' : 'error'
}

const wordsOfRequest = ({ method, path, status, durationMs }: Entry): string =>
  `${String(method)} ${String(path).replace(VERSION, '')} ${String(status)} ${String(durationMs)} ms`

function wordsOf(entry: Entry): string {
  const { level, msg, err } = entry
  const fields = Object.entries(entry)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const words = [String(level).toUpperCase(), String(msg ?? ''), ...fields].join(' ')
  return err === undefined ? words : `${words}\n${stackOf(err)}`
}

const stackOf = (error: unknown): string =>
  String((error as { stack?: unknown } | null)?.stack ?? JSON.stringify(error))
