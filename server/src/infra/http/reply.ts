import type { Deps } from '../deps.ts'

/** What an operation answers. Headers beyond the standard ones are rare; `body` is absent on 204. */
export type Reply<Status extends number = number, Body = unknown> = Readonly<{
  status: Status
  body?: Body
  headers?: Readonly<Record<string, string>>
  /** Work was left that is due now; in sandbox it is run before the answer leaves, so that the next read sees it. */
  isWorkDue?: boolean
  /** False: it was so already, and leaves no entry in the audit. */
  isChange?: boolean
  /** Waits for the outside once the effect is committed, in no transaction; the answer that leaves in place of this one. */
  afterwards?(deps: Deps): Promise<Reply<Status, Body>>
  /** Server-sent events in place of a body; ends when the signal is aborted. */
  stream?(signal: AbortSignal): AsyncIterable<string>
}>

export function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: Record<string, string>,
): Reply<Status, Body> {
  return headers ? { status, body, headers } : { status, body }
}

export function noContent(): Reply<204, undefined> {
  return { status: 204 }
}

/** No answer of the API is for a cache, nor for a browser to guess what it is. */
export const EVERY_ANSWER = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
export const JSON_TYPE = 'application/json; charset=utf-8'
