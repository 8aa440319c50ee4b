/** SECURITY.md answers questions of others: what it says is there, and what it admits is so. */
import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { mustParseId } from '../../src/kernel/ids.ts'
import type { VerifiedChain } from '../../src/operator/audit/verify.ts'
import { eventuallyChained } from '../kit/database/chained.ts'
import { startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'

const said = await readFile(join(ROOT, 'SECURITY.md'), 'utf8')

test('SECURITY.md leads to proofs that are there', async () => {
  const links = [...said.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path)
  assert.ok(links.length > 40)
  for (const path of links) await assert.doesNotReject(access(join(ROOT, path)), path)
})

test('OPER-7 the database’s credentials stand above roles, as SECURITY.md says, and the chain shows their use', async () => {
  assert.match(
    said,
    /Roles do not stop a person who holds the database's credentials and the master key \(OPER-7\)/,
  )
  assert.match(
    said,
    /shows afterwards in `florin audit verify`, save entries changed within the 5 s/,
  )
  const kit = await startOwnKit()
  const { platformId } = await kit.platform()
  await eventuallyChained(kit)
  const verify = () =>
    operate<{ ok: boolean; platforms: readonly VerifiedChain[] }>(
      kit,
      `audit verify --platform ${platformId}`,
    )
  assert.equal((await verify()).ok, true)
  const id = mustParseId('platform', platformId)
  const changed = await kit.florin.deps.db.read.run(
    sql`update audit_entries set actor = 'operator:Nobody' where platform_id = ${id}`,
  )
  assert.ok(changed > 0, 'nothing stops the owner of the tables')
  const { ok, platforms } = await verify()
  assert.equal(ok, false)
  assert.deepEqual(
    platforms[0]?.problems.map(({ problem, seq }) => ({ problem, seq })),
    [{ problem: 'CHANGED', seq: 1 }],
  )
})
