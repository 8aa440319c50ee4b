import type { StreamedEvent } from '../../sdk/src/index.ts'
import { CallError, limitOf, type Run } from '../command.ts'
import { connect } from '../session.ts'

export function shownEvent({ sequence, event }: StreamedEvent) {
  const { id, type, timestamp } = event
  const about = (event.data as { id?: string }).id
  return { timestamp, sequence, type, id, ...(about !== undefined && { about }) }
}

/** Prints events as they happen (OPER-152). */
export const tail: Run = async (input, context) => {
  const { print, isJson, signal } = context
  const type = input.option('type')
  const florin = await connect(context)
  const limit = limitOf(input)
  let printed = 0
  for await (const streamed of florin.events.stream({ after: input.option('after'), signal })) {
    if (type !== undefined && streamed.event.type !== type) continue
    const line = shownEvent(streamed)
    print(
      isJson
        ? `${JSON.stringify({ sequence: line.sequence, ...streamed.event })}\n`
        : `${Object.values(line).join('  ')}\n`,
    )
    printed += 1
    if (printed >= limit) break
  }
  return undefined
}

/** One attempt at the present endpoint (HOOK-44). */
export const resend: Run = async ({ args: [id = ''] }, context) => {
  if (!id.startsWith('Webhook:')) throw new CallError('Give the id of an event, as Webhook:….')
  const { deliveryStatus, type } = await (await connect(context)).events.redeliver(id)
  return { id, type, deliveryStatus }
}
