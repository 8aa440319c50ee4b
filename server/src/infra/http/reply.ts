import type { Deps } from '../deps.ts'

/** The answer of an operation. Headers beyond the standard ones are rare; `body` is absent on 204. */
export type Reply<Status extends number = number, Body = unknown> = Readonly<{
  status: Status
  body?: Body
  headers?: Readonly<Record<string, string>>
  /** There are jobs due now; in sandbox they run before the answer is sent, so that the next read sees their effect. */
  isWorkDue?: boolean
  /** False where nothing changed, so that no audit entry is written. */
  isChange?: boolean
  /** Called after the commit, without a transaction, to wait for the outside; returns the answer to send instead. */
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

/** Headers of every answer: none is cached, and browsers do not guess its type. */
export const EVERY_ANSWER = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
export const JSON_TYPE = 'application/json; charset=utf-8'
