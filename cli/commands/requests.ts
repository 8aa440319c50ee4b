import { setTimeout as delay } from 'node:timers/promises'
import type { LoggedRequest } from '../../sdk/src/index.ts'
import { limitOf, type Run } from '../command.ts'
import { connect } from '../session.ts'

const PAGE = 100
const LOOK_MS = 1_000

const lineOf = ({
  at,
  status,
  method,
  path,
  durationMs,
  error,
  requestId,
}: LoggedRequest): string =>
  [at, status, method, path, `${durationMs}ms`, error ?? '', requestId].filter(Boolean).join('  ')

/** Prints requests of the platform as they are answered, except those of this command (OPER-157). */
export const tail: Run = async (input, context) => {
  const { print, isJson, signal } = context
  const florin = await connect(context)
  const limit = limitOf(input)
  const look = async (): Promise<LoggedRequest[]> =>
    (await florin.requests.list({ limit: PAGE }, { signal })).data
      .filter(({ operation }) => operation !== 'listRequests')
      .toReversed()
  let seen = new Set((await look()).map(({ requestId }) => requestId))
  for (let printed = 0; printed < limit;) {
    await delay(LOOK_MS, undefined, { signal })
    const found = await look()
    const fresh = found.filter(({ requestId }) => !seen.has(requestId)).slice(0, limit - printed)
    for (const one of fresh) print(`${isJson ? JSON.stringify(one) : lineOf(one)}\n`)
    printed += fresh.length
    seen = new Set(found.map(({ requestId }) => requestId))
  }
  return undefined
}
