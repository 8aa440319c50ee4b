import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../../test/kit/florin.ts'
import { ID_KINDS, mustParseId, newUuid, type AnyId, type IdKind } from '../../kernel/ids.ts'
import { versionOf } from './resource-store.ts'

const kit = await startKit()
const { platformId } = await kit.platform()

test('OPER-23 what a command names is looked for in the tables of its kind', async () => {
  const { db } = kit.florin.deps
  await db.transaction(async (tx) => {
    for (const kind of Object.keys(ID_KINDS) as IdKind[])
      assert.deepEqual(await versionOf(tx, { kind, id: newUuid() } as AnyId), [], kind)
    const found = await versionOf(tx, { kind: 'platform', id: mustParseId('platform', platformId) })
    assert.equal(found.length, 1)
  })
})
