import assert from 'node:assert/strict'
import { inWork } from '../../../src/infra/work/in-work.ts'
import type { Sending } from '../../../src/infra/work/outbox-events.ts'
import { findPlatform } from '../../../src/infra/platforms.ts'
import { formatId, mustParseId, newUuid } from '../../../src/kernel/ids.ts'
import { jsonText, quoted, type ByteText } from '../../../src/kernel/text/byte-text.ts'
import { emitJson } from '../../../src/webhooks/emit.ts'
import type { EventType } from '../../../src/webhooks/event-types.ts'
import type { Kit, TestPlatform } from '../florin.ts'

export type ToEmit = Readonly<{
  type?: EventType
  data?: Record<string, unknown>
  sending?: Sending
}>

/** A part for each member, as payments have them. */
const partsOf = (data: Record<string, unknown>): ByteText[] => [
  '{' as ByteText,
  ...Object.entries(data).map(
    ([name, value], at) => `${at > 0 ? ',' : ''}${quoted(name)}:${jsonText(value)}` as ByteText,
  ),
  '}' as ByteText,
]

/** Emits events in one transaction, as a feature would, and answers their ids. */
export async function emitEvents(
  { florin }: Pick<Kit, 'florin'>,
  { platformId }: Pick<TestPlatform, 'platformId'>,
  events: readonly ToEmit[],
): Promise<string[]> {
  const { deps } = florin
  const platform = await findPlatform(deps.db.read, mustParseId('platform', platformId))
  assert.ok(platform)
  const caller = {
    platform,
    actor: { kind: 'system', name: 'test' },
    requestId: newUuid(),
  } as const
  return inWork(deps, caller, (work) =>
    Promise.resolve(
      events.map(({ type = 'CARD.STATE_CHANGE', data = { id: `Card:${newUuid()}` }, sending }) => {
        const event = { resourceId: data['id'] as string | undefined, json: partsOf(data) }
        return formatId('webhook', emitJson(work, type, event, { sending: sending ?? 'RETRIED' }))
      }),
    ),
  )
}

/** One event, and its id. */
export async function emitEvent(
  kit: Pick<Kit, 'florin'>,
  platform: Pick<TestPlatform, 'platformId'>,
  event: ToEmit = {},
): Promise<string> {
  const [id] = await emitEvents(kit, platform, [event])
  assert.ok(id)
  return id
}
