import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { text } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { createFlorin } from '../../app/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081', SEAL_CONTACT_DATA: 'on' })
const { settings, log, db } = kit.florin.deps

test('CORE-90 OPER-62 over the operator API keys reseal commits batch by batch, and its answer is kept', async () => {
  const { platformId } = await kit.platform({ currencies: ['USD'] })
  const id = mustParseId('platform', platformId)
  const keys = [`2027:${randomBytes(32).toString('base64')}`, settings.masterKey]
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: kit.databaseUrl, masterKey: keys.join() },
    log,
    checkReplies: true,
    worker: false,
  })
  after(() => florin.stop())
  await invited({ florin }, 'Anna', 'ADMIN')
  const line = 'operator-tokens create --operator Anna --name ci --expires-in 30 --roles ADMIN'
  const token = text((await operate({ florin }, line))['token'])
  const board = await openDashboard({ florin })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'reseal',
  }
  const reseal = () =>
    board.send('/operator/v1/keys/reseal', { method: 'POST', body: '{}', headers })
  const readKey = () =>
    db.read.one<{ sealed: Buffer }>(
      sql`select webhook_private_key as sealed from platforms where id = ${id}`,
    )
  const before = await readKey()
  // Accounts come after the platform's key, and this one holds the command up.
  const account = sql`select 1 from internal_accounts where platform_id = ${id} limit 1 for update`
  const { answer } = await db.transaction(async (tx) => {
    assert.equal(await tx.run(account), 1)
    const resealing = reseal()
    await eventually(async () => assert.notDeepEqual(await readKey(), before))
    return { answer: resealing }
  })
  const first = await answer
  const again = await reseal()
  assert.deepEqual(
    [first, again].map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
    [
      [200, null],
      [200, 'true'],
    ],
  )
  assert.equal(again.text, first.text)
})
