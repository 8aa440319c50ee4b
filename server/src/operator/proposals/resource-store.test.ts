import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../test/kit/outside/scripted-provider.ts'
import { railsSetup } from '../../../test/kit/setups/rails.ts'
import {
  ID_KINDS,
  mustParseId,
  newUuid,
  parseAnyId,
  type AnyId,
  type IdKind,
} from '../../kernel/ids.ts'
import { versionOf } from './resource-store.ts'

const kit = await startOwnKit()
const platform = await kit.platform()
const { platformId } = platform

test('OPER-23 what a command names is looked for in the tables of its kind', async () => {
  const { db } = kit.florin.deps
  await db.transaction(async (tx) => {
    for (const kind of Object.keys(ID_KINDS) as IdKind[])
      assert.deepEqual(await versionOf(tx, { kind, id: newUuid() } as AnyId), [], kind)
    const found = await versionOf(tx, { kind: 'platform', id: mustParseId('platform', platformId) })
    assert.equal(found.length, 1)
  })
})

/** How what is named stands before and after a command. */
async function aroundCommand(id: string, line: string) {
  const named = parseAnyId(id)
  assert.ok(named)
  const read = () => kit.florin.deps.db.transaction((tx) => versionOf(tx, named))
  const before = await read()
  await operate(kit, line)
  return { before, after: await read() }
}

test('OPER-25 a card that was frozen is not what a second operator was shown', async () => {
  const { card } = await newCard(platform)
  const { before, after } = await aroundCommand(card.id, `cards freeze ${card.id}`)
  assert.deepEqual([before.length, after.length], [1, 1])
  assert.notDeepEqual(after, before)
})

test('OPER-25 an order that another provider got is not what a second operator was shown', async () => {
  const rails = await railsSetup(kit)
  const pause = (id: string) => operate(kit, `providers update ${id} --status PAUSED`)
  await pause(rails.provider.id)
  const [order] = items(await operate(kit, `orders list --transaction ${await rails.pay()}`))
  const place = `--environment SANDBOX --platform ${rails.platform.platformId}`
  const other = await scriptedProvider(kit, `${place} --ports rails --rail ACH`)
  await pause(other.id)
  const id = text(order?.['orderId'])
  const line = `orders reassign ${id} --provider ${other.id}`
  const { before, after } = await aroundCommand(id, line)
  assert.notDeepEqual(after, before)
})
