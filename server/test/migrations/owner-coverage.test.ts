/** What becomes of owners who were there before coverage was recorded. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { items, type HasId } from '../kit/api.ts'
import { createOwner } from '../kit/onboarding/beneficial-owners.ts'
import { startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { completeBusiness, submitted } from '../kit/onboarding/verification.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId } from '../../src/kernel/ids.ts'

const kit = await startOwnKit()
const MIGRATION = new URL('../../migrations/0025-owner-reviews.sql', import.meta.url)

const backfill = async (): Promise<string> => {
  const statements = await readFile(MIGRATION, 'utf8')
  return statements.slice(statements.indexOf('update beneficial_owners'))
}

test('KYB-9 owners of packets that were validated are covered, those who came later are outside', async () => {
  const full = await kit.platform({ kind: 'UNREGULATED' })
  const light = await kit.platform({ kind: 'REGULATED' })
  const approved = await completeBusiness(full)
  const waiting = await completeBusiness(light, '5523003')
  const unlooked = await completeBusiness(light)
  const open = await completeBusiness(full)
  for (const [on, business] of [
    [full, approved],
    [light, waiting],
    [light, unlooked],
  ] as const) {
    await submitted(on, business)
    await createOwner(on, business.id, { ownershipPercentage: 30 })
  }
  const { db } = kit.florin.deps
  const own = [full, light].map(({ platformId }) => mustParseId('platform', platformId))
  const recorded = sql`select id, coverage from beneficial_owners
    where platform_id = any(${own}::uuid[]) order by id`
  const before = await db.read.many(recorded)
  await db.transaction(async (tx) => {
    await tx.run(
      sql`update beneficial_owners set coverage = 'NONE' where platform_id = any(${own}::uuid[])`,
    )
    await tx.run({ parts: [await backfill()], values: [] })
  })
  assert.deepEqual(await db.read.many(recorded), before)
  const covered = async (business: HasId): Promise<unknown[]> =>
    items((await operate(kit, `review show ${business.id}`))['beneficialOwners']).map(
      (owner) => owner['covered'],
    )
  assert.deepEqual(await covered(approved), [true, false])
  assert.deepEqual(await covered(waiting), [true, false])
  assert.deepEqual(await covered(unlooked), [false, false])
  assert.deepEqual(await covered(open), [false])
})
