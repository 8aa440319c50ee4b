import { setTimeout as delay } from 'node:timers/promises'
import type { EventRecord, Florin, WebhookType } from '../../sdk/src/index.ts'
import { CallError, type Run } from '../command.ts'
import { clientOf, loginOf } from '../session.ts'
import { NOT_TRIGGERED, TRIGGERS } from '../trigger/triggers.ts'

const LOOKS_MAX = 50
const LOOK_MS = 200

/** Makes the sandbox do what the event tells of, with real objects, and answers the event (OPER-154). */
export const trigger: Run = async ({ args: [type = ''], option }, context) => {
  const make = TRIGGERS[type as WebhookType]
  if (make === undefined) throw new CallError(whyNot(type))
  const login = await loginOf(context)
  const florin = clientOf(login)
  const before = await newest(florin, type)
  await make({ florin, on: option('on') }, login.origin)
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const event = await newest(florin, type)
    if (event && event.id !== before?.id) {
      const about = (event.data as { id?: string; code?: string }).id
      return { type, id: event.id, ...(about !== undefined && { about }) }
    }
    await delay(LOOK_MS, undefined, { signal: context.signal })
  }
  throw new CallError(`The calls were made, but no ${type} came of them.`)
}

const newest = async (florin: Florin, type: string): Promise<EventRecord | undefined> =>
  (await florin.events.list({ type: type as WebhookType, limit: 1 })).data[0]

function whyNot(type: string): string {
  const why = NOT_TRIGGERED[type as WebhookType]
  return why === undefined
    ? `There is no event ${type}. There are ${Object.keys(TRIGGERS).join(', ')}.`
    : `No call of a sandbox brings ${type} about. ${why}`
}
