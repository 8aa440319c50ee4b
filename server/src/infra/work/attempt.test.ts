import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../../test/kit/florin.ts'
import { fail } from '../../kernel/errors.ts'
import { newUuid, parseId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { sql } from '../db/statement/sql.ts'
import { findPlatform } from '../platforms.ts'
import { attempt } from './attempt.ts'
import { inWork } from './in-work.ts'
import type { Work } from './work.ts'

const kit = await startKit()
const { deps } = kit.florin

const insert = ({ tx }: Work, key: string) =>
  tx.run(
    sql`insert into rate_buckets (key, tokens, granted, refilled_at) values (${key}, 1, 1, now())`,
  )

const isThere = async (key: string): Promise<boolean> =>
  (await deps.db.read.maybe(sql`select from rate_buckets where key = ${key}`)) !== undefined

test('CORE-43 an attempt that is refused after one inside it undoes all that came before, too', async () => {
  const { platformId } = await kit.platform()
  const platform = await findPlatform(
    deps.db.read,
    parseId('platform', platformId) ?? fail('FORBIDDEN'),
  )
  invariant(platform, 'It was just made.')
  const [before, outer, inner] = [newUuid(), newUuid(), newUuid()]
  const actor = { kind: 'system', name: 'test' } as const
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) => {
    await insert(work, before)
    const refused = await attempt(work, async (outside) => {
      await insert(outside, outer)
      await attempt(outside, (inside) => insert(inside, inner))
      fail('CONFLICT')
    })
    assert.equal(refused.ok, false)
  })
  assert.deepEqual(
    [await isThere(before), await isThere(outer), await isThere(inner)],
    [true, false, false],
  )
})
