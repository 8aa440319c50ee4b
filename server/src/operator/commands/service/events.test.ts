import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { emitEvent } from '../../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()

type Line = Readonly<Record<string, unknown>>

const run = (name: string, ...args: string[]): Promise<unknown> => operate(kit, name, ...args)

const list = async (...args: string[]) => (await run('events list', ...args)) as Line[]

test('CORE-83 events list shows what a platform was told and whether it arrived', async () => {
  const [platform, other] = [await kit.platform(), await kit.platform()]
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  const eventId = await emitEvent(kit, platform)
  await emitEvent(kit, other)
  const [line] = await eventually(async () => {
    const lines = await list('--platform', platform.platformId, '--type', 'CARD.STATE_CHANGE')
    assert.equal(lines[0]?.['attempts'], 1)
    return lines
  })
  assert.equal(line?.['eventId'], eventId)
  assert.equal(line['deliveryStatus'], 'PENDING')
  assert.equal(line['lastStatus'], 500)
  const all = await list('--platform', platform.platformId)
  assert.deepEqual(
    all.map(({ type }) => type),
    ['CARD.STATE_CHANGE', 'TEST'],
  )
  assert.equal((await list('--platform', platform.platformId, '--limit', '1')).length, 1)
  await assert.rejects(list('--platform', platform.platformId, '--type', 'CARD'), UsageError)
  await assert.rejects(list('--platform', platform.platformId, '--limit', '101'), UsageError)
})

test('CORE-83 HOOK-44 events redeliver sends one again', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const eventId = await emitEvent(kit, platform)
  await eventually(() => assert.equal(receiver.types().length, 1))
  await run('events redeliver', eventId)
  await eventually(() => assert.equal(receiver.types().length, 2))
  const code = { code: 'REFERENCE_NOT_FOUND' }
  await assert.rejects(run('events redeliver', `Webhook:${newUuid()}`), code)
  await assert.rejects(run('events redeliver', 'x'), code)
})
