import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectStatus } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { createAdminServer } from '../../app/admin-server.ts'
import { formatId } from '../../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { recordChangedSettings } from './changed-settings.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const { deps } = kit.florin
const HOUSE = formatId('platform', HOUSE_PLATFORM_IDS.PRODUCTION)

type Entry = Readonly<{ action: string; actor: string; resource?: string; note?: string }>

const entriesOf = async (action: string, platformId = HOUSE): Promise<readonly Entry[]> =>
  (await operate<Entry[]>(kit, `audit list --platform ${platformId} --action`, action)).filter(
    (entry) => entry.action === action,
  )

test('OPER-56 a refused token leaves one entry per minute and address', async () => {
  const { clientId } = await kit.platform()
  const wrong = { clientId, clientSecret: 'guessed' }
  const neighbour = await kit.neighbour()
  const apis = [client(kit.baseUrl, wrong), client(neighbour, wrong)]
  for (let n = 0; n < 6; n += 1) {
    for (const api of apis) assert.equal((await api.get('/config')).status, 401)
  }
  const [entry] = await eventually(async () => {
    const found = await entriesOf('token refused')
    assert.ok(found.length > 0)
    return found
  })
  assert.equal(entry?.note, 'API token from 127.0.0.1')
  assert.doesNotMatch(JSON.stringify(entry), /guessed/)
  const { length } = await entriesOf('token refused')
  assert.ok(length <= 2, 'a minute may have passed in between')
})

test('OPER-56 refused sign-ins, links and tokens are audited', async () => {
  const admin = createAdminServer(kit.florin)
  const headers = {
    host: '127.0.0.1:8081',
    origin: 'http://127.0.0.1:8081',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const call = { method: 'POST', url: '/sign-in', headers, payload: 'secret=guessed' } as const
  const refused = await admin.inject(call)
  await admin.close()
  assert.equal(refused.statusCode, 410)
  const [entry] = await entriesOf('dashboard sign-in refused')
  assert.equal(entry?.note, 'link, from 127.0.0.1')
  assert.doesNotMatch(JSON.stringify(entry), /guessed/)

  await operate(kit, 'dashboard link --name Anna')
  assert.equal((await entriesOf('dashboard link'))[0]?.resource, 'Anna')
  const { api, platformId } = await kit.platform()
  await operate(kit, `tokens create --platform ${platformId} --name one`)
  expectStatus(await api.post('/tokens', { name: 'two', permissions: ['VIEW'] }), 201)
  for (const action of ['tokens create', 'createToken']) {
    assert.equal((await entriesOf(action, platformId)).length, 1, action)
  }
})

test('OPER-56 CORE-25 guessed links are audited no more often than failed authentications are allowed', async () => {
  const before = (await entriesOf('dashboard sign-in refused')).length
  const settings = { ...deps.settings, rateLimitFailedAuthPerMinute: 2 }
  const board = await openDashboard(kit, { settings })
  const headers = { origin: board.origin }
  const guess = (secret: string) =>
    board.send('/sign-in', { method: 'POST', body: new URLSearchParams({ secret }), headers })
  const seen = []
  for (const secret of ['a', 'b', 'c', 'd']) seen.push((await guess(secret)).status)
  assert.deepEqual(seen, [410, 410, 429, 429])
  assert.equal((await entriesOf('dashboard sign-in refused')).length, before + 2)
  await board.signIn('Anna')
})

test('OPER-56 settings that differ from the last start are audited by name', async () => {
  const { settings } = deps
  await recordChangedSettings(deps, settings)
  await recordChangedSettings(deps, settings)
  assert.deepEqual(await entriesOf('settings changed'), [], 'nothing has changed')
  const smtpUrl = 'smtps://florin:hidden@mail.example:465'
  await recordChangedSettings(deps, { ...settings, legalName: 'Another', smtpUrl })
  const [entry, ...others] = await entriesOf('settings changed')
  assert.deepEqual([entry?.note, others], ['LEGAL_NAME, SMTP_URL', []])
  const everything = JSON.stringify(await operate(kit, 'audit list'))
  assert.doesNotMatch(everything, /hidden|Another/)
})

test('OPER-56 reads leave no entry', async () => {
  const { api, platformId } = await kit.platform()
  const count = async () =>
    (await operate<Entry[]>(kit, `audit list --platform ${platformId}`)).length
  const before = await count()
  expectStatus(await api.get('/config'), 200)
  for (const line of ['customers list', 'transactions list', 'platforms list', 'audit verify']) {
    await operate(kit, line)
  }
  assert.equal(await count(), before)
})
