import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startOwnKit } from '../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../test/kit/operator.ts'
import type { ApiError } from '../kernel/errors.ts'
import { formatId, newUuid } from '../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../kernel/platform.ts'
import { sql } from '../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const folder = mkdtempSync(join(tmpdir(), 'florin-house-'))
after(() => rmSync(folder, { recursive: true }))

type AuditAction = Readonly<{ action: string; resource: string; actor: string; platformId: string }>

async function actionsOf(action: string): Promise<AuditAction[]> {
  const lines = (await operate(kit, 'audit list')) as unknown as AuditAction[]
  return lines.filter((line) => line.action === action)
}

test('CORE-23 each environment has one house platform, that no token opens and no command changes', async () => {
  const houses = await db.read.many<{ id: string; environment: string; tokens: number }>(
    sql`select id, environment, (select count(*)::int from api_tokens t where t.platform_id = p.id) as tokens
        from platforms p where kind = 'HOUSE' order by environment`,
  )
  assert.deepEqual(houses, [
    { id: HOUSE_PLATFORM_IDS.PRODUCTION, environment: 'PRODUCTION', tokens: 0 },
    { id: HOUSE_PLATFORM_IDS.SANDBOX, environment: 'SANDBOX', tokens: 0 },
  ])
  const listed = (await operate(kit, 'platforms list')) as unknown as { kind: string }[]
  assert.ok(listed.every(({ kind }) => kind !== 'HOUSE'))
  const house = formatId('platform', HOUSE_PLATFORM_IDS.SANDBOX)
  for (const line of [
    `tokens create --platform ${house} --name intruder`,
    `platforms update ${house} --name Mine`,
    `platforms rotate-webhook-key ${house}`,
  ]) {
    await assert.rejects(
      operate(kit, line),
      ({ code }: ApiError) => code === 'REFERENCE_NOT_FOUND',
      line,
    )
  }
})

test('CORE-92 what concerns the whole installation is remembered in the house of production', async () => {
  const path = join(folder, 'terms.txt')
  writeFileSync(path, 'Terms.')
  await operate(kit, `terms publish --version V7 --file ${path}`)
  await assert.rejects(operate(kit, `terms publish --version V7 --file ${path}`))
  await operate(kit, 'rates set --price EUR=0.5 --price BTC=1/100000')
  const platformId = formatId('platform', HOUSE_PLATFORM_IDS.PRODUCTION)
  const [published, ...none] = await actionsOf('terms publish')
  assert.deepEqual(none, [], 'a refused publication is not audited')
  assert.equal(published?.resource, 'V7')
  assert.equal(published.actor, LOCAL_ACTOR)
  assert.equal(published.platformId, platformId)
  assert.deepEqual(
    (await actionsOf('rates set')).map((entry) => [entry.platformId, entry.resource]),
    [[platformId, 'EUR,BTC']],
  )
})

test("CORE-92 jobs retry wakes a dead job and is remembered in the job's platform", async () => {
  const { platformId } = await kit.platform()
  const [id, owner] = [newUuid(), platformId.replace('Platform:', '')]
  await db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, created_at)
        values (${owner}, ${id}, 'nobody.runs.this', '{}', ${new Date(0)}, 'DEAD', 25, ${new Date(0)})`,
  )
  const retried = (await operate(kit, `jobs retry ${id}`)) as Record<string, unknown>
  assert.equal(retried['state'], 'WAITING')
  assert.equal(retried['attempts'], 0)
  assert.deepEqual(
    (await actionsOf('jobs retry')).map((entry) => [entry.platformId, entry.resource]),
    [[platformId, id]],
  )
  await assert.rejects(
    operate(kit, `jobs retry ${newUuid()}`),
    ({ code }: ApiError) => code === 'REFERENCE_NOT_FOUND',
  )
})
