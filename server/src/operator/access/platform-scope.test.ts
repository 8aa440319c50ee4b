import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { OWNED } from '../../../test/contract/owned-resources.ts'
import { expectStatus, text, type Body } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard, visitorWith } from '../../../test/kit/pages/dashboard.ts'
import { arrived, shortPurchase } from '../../../test/kit/setups/waiting-work.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { platformAccount } from '../../../test/kit/payments.ts'
import { sections } from '../../dashboard/sections.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { newUuid } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Command } from '../command.ts'
import { commands } from '../commands.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' }, { worker: false })
const { db, clock } = kit.florin.deps
const [own, foreign] = [await kit.platform(), await kit.platform()]
const foreignUuid = foreign.platformId.replace('Platform:', '')
const limited = await invited(
  kit,
  'Petra',
  'REVIEWER,TREASURER,ADMIN',
  '--platform',
  own.platformId,
)

const owned = (name: string): Promise<string> => OWNED[name]?.(foreign) ?? assert.fail(name)

/** Held for an account of the other platform. */
async function heldDeposit(): Promise<string> {
  const account = await platformAccount(foreign, 'USD')
  const { data } = expectStatus(await foreign.api.get('/platform/internal-accounts'), 200)
  const shown = JSON.stringify(data.find(({ id }) => id === account))
  const reference = /"reference":"([^"]+)"/.exec(shown)?.[1]
  assert.ok(reference, shown)
  return arrived(kit, { amount: 700, reference })
}

/** Rows that only a provider outside would bring about. */
async function orderAndException(): Promise<readonly [string, string]> {
  const [order, exception, now] = [newUuid(), newUuid(), clock.now()]
  const line = 'providers add --name bank --kind http --url http://127.0.0.1:9 --ports cards'
  const added = await operate(kit, `${line} --environment SANDBOX --platform ${own.platformId}`)
  const provider = text(added['providerId']).replace('Provider:', '')
  await db.read.run(
    sql`insert into provider_orders (platform_id, id, provider_id, type, request, own_reference, created_at, execute_at,
          updated_at)
        values (${foreignUuid}, ${order}, ${provider}, 'PAYOUT', '{}', ${order}, ${now}, ${now}, ${now})`,
  )
  await db.read.run(
    sql`insert into exceptions (platform_id, id, type, details, opened_at)
        values (${foreignUuid}, ${exception}, 'OVERDUE', '{}', ${now})`,
  )
  return [`Order:${order}`, `Exception:${exception}`]
}

async function deadJob(): Promise<string> {
  const id = newUuid()
  await db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, created_at)
        values (${foreignUuid}, ${id}, 'nobody.runs.this', '{}', ${new Date(0)}, 'DEAD', 25, ${new Date(0)})`,
  )
  return id
}

/** One that the log has. */
async function loggedRequest(): Promise<string> {
  const id = (await foreign.api.get('/config')).headers.get('x-request-id') ?? ''
  await eventually(() => operate(kit, `requests show ${id}`))
  return id
}

const [orderId, exceptionId] = await orderAndException()
const transactionId = await owned('transactionId')
const customerId = await owned('customerId')
const depositId = await heldDeposit()
const nobodys = await arrived(kit, { amount: 900 })

/** For every word that a command takes: what of the other platform it is given. */
const WORDS: Readonly<Record<string, string>> = {
  platformId: foreign.platformId,
  orderId,
  exceptionId,
  internalAccountId: await platformAccount(foreign, 'USD'),
  tokenId: await owned('tokenId'),
  eventId: await owned('eventId'),
  externalAccountId: await owned('externalAccountId'),
  id: customerId,
  transactionId,
  depositId,
  cardId: await owned('cardId'),
  cardTransactionId: (await shortPurchase(foreign)).id,
  stablecoinProviderAccountId: await owned('stablecoinProviderAccountId'),
  stablecoinId: await owned('stablecoinId'),
  resetId: await owned('resetId'),
  documentId: await owned('documentId'),
  customerId,
  jobId: await deadJob(),
  proposalId: `Proposal:${newUuid()}`,
  requestId: await loggedRequest(),
  agentId: await owned('agentId'),
  actionId: await owned('actionId'),
  quoteId: await owned('quoteId'),
  state: 'on',
  status: 'INACTIVE',
}

/** Where one word of two commands means different things, or the options have a form of their own. */
const CALLS: Readonly<Record<string, string>> = {
  'transactions show': transactionId,
  'stablecoins set-status': `${WORDS['stablecoinId']} DISABLED`,
  'platforms update': `${foreign.platformId} --name Mine`,
  'accounts provision': `${WORDS['internalAccountId']} --failed`,
  'orders reassign': `${orderId} --provider bank`,
  'exceptions resolve': `${exceptionId} --as IGNORED --note x`,
  'deposits attribute': `${depositId} --to ${WORDS['internalAccountId']}`,
  'settlements fail': `${transactionId} --reason PAYOUT_RETURNED`,
  'settlements confirm': `${transactionId} --reference x`,
  'customers erase': `${customerId} --note x`,
  'sandbox fund': `${WORDS['internalAccountId']} --amount 5`,
}

const remote = commands.filter(({ access }) => !access.isLocal)
const scoped = remote.filter(({ access }) => access.scope !== 'installation')

const requiredOf = ({ options = {} }: Command, except: readonly string[] = []): string =>
  Object.entries(options)
    .filter(([name, { required }]) => required && !except.includes(name))
    .map(([name]) => ` --${name} x`)
    .join('')

const refused =
  (code: string, reason?: string) =>
  (error: ApiError): boolean => {
    assert.equal(error.code, code, String(error.stack))
    if (reason !== undefined) assert.equal(error.details?.['reason'], reason)
    return true
  }

const isUnknown = (error: ApiError): boolean => {
  assert.equal(error.status, 404, String(error.stack))
  return true
}

test('OPER-3 commands about the whole installation need an operator without platforms', async () => {
  const whole = remote.filter(({ access }) => access.scope !== undefined)
  assert.ok(whole.length > 20)
  for (const command of whole) {
    const line = `${command.name}${requiredOf(command)}`
    await assert.rejects(operate(limited.kit, line), refused('FORBIDDEN', 'PLATFORM_SCOPE'), line)
  }
  for (const group of ['providers', 'operators', 'keys', 'rates', 'terms', 'uma-providers'])
    for (const { name, access } of remote.filter((one) => one.name.startsWith(`${group} `)))
      assert.equal(access.scope, 'installation', name)
})

/** As little as makes it one of the other platform. */
async function insertProposal(id: string): Promise<void> {
  const [now, bytes] = [clock.now(), Buffer.alloc(32)]
  await db.read.run(
    sql`insert into proposals (platform_id, id, command, sealed_input, digest, status, proposer, proposed_by, created_at,
          expires_at)
        values (${foreignUuid}, ${id}, 'tokens create', ${bytes}, ${bytes}, 'PROPOSED', 'a', 'a', ${now}, ${now})`,
  )
}

test('OPER-3 whatever a command is given of another platform is unknown', async () => {
  const proposal = (WORDS['proposalId'] ?? '').replace('Proposal:', '')
  await insertProposal(proposal)
  const taking = scoped.filter(({ takes = [], name }) => {
    return takes.length > 0 && name !== 'look-up' && name !== 'operator-tokens revoke'
  })
  assert.ok(taking.length > 30)
  for (const command of taking) {
    const { name, takes = [] } = command
    const words = takes.map((word) => WORDS[word] ?? assert.fail(`${name} takes ${word}`)).join(' ')
    const line = `${name} ${CALLS[name] ?? `${words}${requiredOf(command)}`}`
    await assert.rejects(operate(limited.kit, line), isUnknown, line)
  }
  await db.read.run(sql`delete from proposals where id = ${proposal}`)
  assert.deepEqual(await operate(limited.kit, `look-up ${customerId}`), [])
})

test('OPER-3 a list of another platform is unknown, and one of all has only one’s own', async () => {
  for (const command of scoped.filter(({ options = {} }) => 'platform' in options)) {
    if (command.takes?.length) continue
    const line = `${command.name} --platform ${foreign.platformId}${requiredOf(command, ['platform'])}`
    await assert.rejects(operate(limited.kit, line), refused('REFERENCE_NOT_FOUND'), line)
  }
  const lists = scoped.filter(({ name, options = {}, access }) => {
    const isList = /( list|returnable|balances)$/.test(name)
    return isList && !options['platform']?.required && access.scope === undefined
  })
  assert.ok(lists.length >= 14, String(lists.length))
  const ids = Object.values(WORDS).filter((word) => word.length > 20)
  const showing: string[] = []
  for (const { name, options = {} } of lists) {
    for (const line of [name, ...(options['all'] ? [`${name} --all`] : [])]) {
      const all = JSON.stringify(await operate(kit, line))
      if (all.includes(foreign.platformId)) showing.push(line)
      const seen = JSON.stringify(await operate(limited.kit, line))
      assert.ok(!seen.includes(foreign.platformId), line)
      for (const id of ids) assert.ok(!seen.includes(id), line)
    }
  }
  for (const line of ['orders list', 'exceptions list', 'transactions list', 'customers list'])
    assert.ok(showing.includes(line), `${line} shows others to those who may see them`)
  const platforms = (await operate(limited.kit, 'platforms list')) as unknown as Body[]
  assert.deepEqual(
    platforms.map((one) => one['platformId']),
    [own.platformId],
  )
})

test('OPER-3 money of nobody lies in the house, which needs an operator without platforms', async () => {
  const account = await platformAccount(own, 'USD')
  for (const line of [
    `deposits show ${nobodys}`,
    `deposits return ${nobodys}`,
    `deposits attribute ${nobodys} --to ${account}`,
    'deposits receive --environment SANDBOX --amount 5 --currency USD --rail ACH --trace t-1',
  ])
    await assert.rejects(operate(limited.kit, line), refused('FORBIDDEN', 'PLATFORM_SCOPE'), line)
})

test('OPER-3 within their platforms operators work as any other', async () => {
  const customer = await OWNED['customerId']?.(own)
  assert.ok(await operate(limited.kit, `platforms show ${own.platformId}`))
  assert.ok(await operate(limited.kit, `customers show ${customer}`))
  const audit = await operate(limited.kit, `audit list --platform ${own.platformId}`)
  assert.ok(Array.isArray(audit))
  await operate(limited.kit, `tokens create --platform ${own.platformId} --name theirs`)
  await operate(limited.kit, 'operator-tokens create --personal --name mine')
  await assert.rejects(
    operate(limited.kit, 'operator-tokens create --operator Petra --name x --expires-in 3'),
    refused('FORBIDDEN', 'PLATFORM_SCOPE'),
  )
})

test('OPER-1 OPER-3 the dashboard shows the sections and forms that the operator may use', async () => {
  const board = await openDashboard(kit)
  const petra = visitorWith(`florin_dashboard=${limited.session}`, board)
  const overview = await petra.get('/')
  assert.equal(overview.status, 200)
  assert.doesNotMatch(overview.text, /href="\/providers|Check now/)
  for (const { path, list } of sections) {
    if (list.command.access.scope === 'installation') continue
    const page = await petra.get(`/${path}`)
    assert.equal(page.status, 200, `${path}: ${page.text}`)
    assert.ok(!page.text.includes(foreignUuid), path)
  }
  const vera = await invited(kit, 'Vera', 'VIEWER')
  const viewer = visitorWith(`florin_dashboard=${vera.session}`, board)
  const page = await viewer.get(`/deposits/${encodeURIComponent(nobodys)}`)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /aria-label="Actions"/)
  const sent = await viewer.post(`/deposits/${encodeURIComponent(nobodys)}/return`)
  assert.equal(sent.status, 403)
  assert.match(sent.text, /TREASURER/)
  assert.equal((await viewer.get('/platforms/-/create')).status, 403)
})

test('OPER-106 the page of an order has its timeline, for those who may see the platform', async () => {
  const board = await openDashboard(kit)
  const page = `/orders/${encodeURIComponent(orderId)}`
  const { status, text: shown } = await (await board.signIn()).get(page)
  assert.equal(status, 200, shown)
  assert.match(shown, /<h2>Timeline<\/h2>[^]*PAYOUT/)
  const petra = visitorWith(`florin_dashboard=${limited.session}`, board)
  assert.equal((await petra.get(page)).status, 404)
})

test('OPER-105 a developer reaches the developers’ commands of its own platform, and nothing else', async () => {
  const dora = await invited(kit, 'Dora', 'DEVELOPER', '--platform', own.platformId)
  const theirs = remote.filter(({ access }) => access.roles.includes('DEVELOPER'))
  assert.ok(theirs.length >= 15)
  for (const command of remote.filter((one) => !theirs.includes(one))) {
    const line = `${command.name}${requiredOf(command)}`
    await assert.rejects(operate(dora.kit, line), refused('FORBIDDEN'), line)
  }
  for (const command of theirs) {
    const { name, takes = [], options = {} } = command
    if (name.startsWith('operator-tokens') || name.startsWith('proposals')) continue
    const words = takes.map((word) => WORDS[word] ?? assert.fail(word)).join(' ')
    const of = takes.length > 0 ? words : `--platform ${foreign.platformId}`
    if (takes.length === 0 && !('platform' in options)) continue
    const line = CALLS[name]
      ? `${name} ${CALLS[name]}`
      : `${name} ${of}${requiredOf(command, ['platform'])}`
    await assert.rejects(operate(dora.kit, line), isUnknown, line)
  }
  const board = await openDashboard(kit)
  const visitor = visitorWith(`florin_dashboard=${dora.session}`, board)
  assert.equal((await visitor.get('/')).headers.get('location'), '/requests')
  for (const { path, list } of sections) {
    const isTheirs = list.command.access.roles.includes('DEVELOPER')
    const page = await visitor.get(`/${path}`)
    assert.equal(page.status, isTheirs ? 200 : 403, path)
    assert.ok(!page.text.includes(foreignUuid), path)
  }
})

test('OPER-133 no page and no form of the dashboard leads a developer to another platform', async () => {
  const dirk = await invited(kit, 'Dirk', 'DEVELOPER', '--platform', own.platformId)
  const visitor = visitorWith(`florin_dashboard=${dirk.session}`, await openDashboard(kit))
  const foreigners = [...new Set(Object.values(WORDS).filter((word) => word.length > 20))]
  for (const { path, detail, actions = [] } of sections) {
    for (const { name } of actions) {
      const sent = await visitor.post(`/${path}/-/${name}`, { platform: foreign.platformId })
      assert.ok([400, 403, 404].includes(sent.status), `${path} ${name}: ${sent.status}`)
    }
    if (!detail) continue
    const isTheirs = detail.command?.access.roles.includes('DEVELOPER') ?? true
    for (const id of isTheirs ? foreigners : foreigners.slice(0, 1)) {
      const page = await visitor.get(`/${path}/${encodeURIComponent(id)}`)
      assert.ok([403, 404].includes(page.status), `${path} ${id}: ${page.status}`)
    }
    const at = `/${path}/${encodeURIComponent(foreign.platformId)}`
    for (const { name } of detail.actions ?? []) {
      const { status } = await visitor.post(`${at}/${name}`, { platform: foreign.platformId })
      assert.ok([403, 404, 409].includes(status), `${path} ${name}: ${status}`)
    }
  }
})

test('OPER-133 a developer sets the webhook endpoint of its platform, tests it and takes it away', async () => {
  const received = createServer((request, response) => {
    request.resume()
    response.end('taken')
  })
  received.listen(0, '127.0.0.1')
  await once(received, 'listening')
  after(() => received.close())
  const { port } = received.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hooks`
  const dee = await invited(kit, 'Dee', 'DEVELOPER', '--platform', own.platformId)
  const visitor = visitorWith(`florin_dashboard=${dee.session}`, await openDashboard(kit))
  const page = `/platforms/${encodeURIComponent(own.platformId)}`
  assert.equal((await visitor.post(`${page}/webhook-endpoint`, { url })).status, 303)
  assert.equal(expectStatus(await own.api.get('/config'), 200).webhookEndpoint, url)
  assert.match((await visitor.post(`${page}/test-webhook`)).text, /taken/)
  assert.equal((await visitor.post(`${page}/webhook-endpoint`, { none: 'on' })).status, 303)
  assert.equal(expectStatus(await own.api.get('/config'), 200).webhookEndpoint, undefined)
  const wrong = await visitor.post(`${page}/webhook-endpoint`, { url: 'nowhere' })
  assert.match(wrong.text, /is a web address/)
  const production = await kit.platform({ environment: 'PRODUCTION' })
  const set = `webhooks set-endpoint --platform ${production.platformId} --url`
  await assert.rejects(operate(kit, `${set} http://10.0.0.1/hooks`), refused('INVALID_INPUT'))
})

test('OPER-105 a developer funds, tests, moves the clock and makes tokens of its sandbox', async () => {
  const dana = await invited(kit, 'Dana', 'DEVELOPER', '--platform', own.platformId)
  const account = await platformAccount(own, 'USD')
  const funded = await operate(dana.kit, `sandbox fund ${account} --amount 500`)
  expectStatus(await own.api.get(`/transactions/${text(funded['transactionId'])}` as const), 200)
  const moved = await operate(dana.kit, `sandbox clock --platform ${own.platformId} --advance 60`)
  assert.equal(moved['platformId'], own.platformId)
  await assert.rejects(
    operate(dana.kit, `webhooks test --platform ${own.platformId}`),
    refused('WEBHOOK_ENDPOINT_NOT_SET'),
  )
  const made = await operate(dana.kit, `tokens create --platform ${own.platformId} --name ci`)
  await operate(dana.kit, `tokens revoke ${text(made['tokenId'])}`)
  const production = await kit.platform({ environment: 'PRODUCTION' })
  await assert.rejects(
    operate(kit, `sandbox clock --platform ${production.platformId} --advance 60`),
    refused('FORBIDDEN', 'SANDBOX_ONLY'),
  )
  await assert.rejects(invited(kit, 'Nowhere', 'DEVELOPER'), /give --platform/)
})
