import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { pdf } from '../../../test/kit/onboarding/document-files.ts'
import { uploadPaper } from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { platformAccount, quote, readTransaction } from '../../../test/kit/payments.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { openProductionAccount, productionBank } from '../../../test/kit/setups/production.ts'
import { newUuid } from '../../kernel/ids.ts'
import { commands } from '../commands.ts'
import { fieldsOf } from './command-body.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const board = await openDashboard(kit)
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const account = await openProductionAccount(kit, platform, {
  id: await platformAccount(platform, 'USD'),
  funded: 1_000_000n,
})
const bank = await productionBank(kit, platform)

async function tokenOf(name: string, roles: string, ...more: string[]): Promise<string> {
  await invited(kit, name, roles)
  const line = `operator-tokens create --operator ${name} --name ci --expires-in 30 --roles ${roles}`
  return text((await operate(kit, line, ...more))['token'])
}

const [vera, ben, anna] = [
  await tokenOf('Vera', 'VIEWER'),
  await tokenOf('Ben', 'TREASURER'),
  await tokenOf('Anna', 'ADMIN'),
]

type Asked = Readonly<{ body?: unknown; key?: string; headers?: Record<string, string> }>

/** Calls the operator API with a token. */
async function call(token: string, path: string, { body = {}, key, headers = {} }: Asked = {}) {
  const answer = await board.send(`/operator/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
  })
  return { ...answer, body: JSON.parse(answer.text) as Body }
}

async function pay(owner: TestPlatform = platform, amount = 100): Promise<string> {
  const ends = { from: account, to: bank, amount, immediatelyExecute: true }
  return expectStatus(await quote(owner, ends), 201).transactionId
}

const codeOf = ({ status, body }: { status: number; body: Body }) => [
  status,
  text(body['code']),
  body['details'] as unknown,
]

test('OPER-60 OPER-4 scenario 2: the role decides before the input is looked at', async () => {
  const refused = await call(vera, 'settlements/confirm', { body: { nonsense: 1 } })
  assert.deepEqual(codeOf(refused), [403, 'FORBIDDEN', { requiredRole: 'TREASURER' }])
  const id = await pay()
  const listed = await call(vera, 'transactions/list', { body: { platform: platform.platformId } })
  assert.equal(listed.status, 200)
  assert.equal(items(listed.body['data'])[0]?.['id'], id)
})

test('OPER-60 a body names words and options, and every field that is wrong is named', async () => {
  const answer = await call(ben, 'settlements/confirm', {
    body: { transactionid: 'x', leg: ['PULL'], hash: true },
  })
  const [status, code, details] = codeOf(answer)
  assert.deepEqual([status, code], [400, 'INVALID_INPUT'])
  assert.deepEqual(
    items((details as Body)['errors']).map(({ field, message }) => [field, message]),
    [
      ['transactionId', 'is required'],
      ['leg', 'must be a text or a number'],
      ['hash', 'must be a text or a number'],
      ['transactionid', 'is not a field of this command'],
      ['Idempotency-Key', 'is required'],
    ] as unknown[],
  )
  const leg = await call(ben, 'settlements/confirm', {
    body: { transactionId: await pay(), leg: 'LUNCH' },
    key: newUuid(),
  })
  assert.equal(leg.status, 400)
  assert.match(leg.text, /"field":"leg"/)
  for (const [body, expected] of [
    ['{', 400],
    ['[]', 400],
    ['"x"', 400],
  ] as const) {
    const headers = { authorization: `Bearer ${vera}`, 'content-type': 'application/json' }
    const sent = await board.send('/operator/v1/platforms/list', { method: 'POST', body, headers })
    assert.equal(sent.status, expected, body)
  }
  const asText = { authorization: `Bearer ${vera}`, 'content-type': 'text/plain' }
  const wrong = { method: 'POST', body: '{}', headers: asText }
  assert.equal((await board.send('/operator/v1/platforms/list', wrong)).status, 415)
  assert.equal((await call(vera, 'no/such')).status, 404)
  assert.equal((await call(vera, 'dashboard/link')).status, 404, 'a local command')
})

test('OPER-62 CORE-41 a write has one effect and one answer under its key', async () => {
  const transactionId = await pay()
  const ask = () => call(ben, 'settlements/confirm', { body: { transactionId }, key: 'confirm-1' })
  const first = await ask()
  assert.deepEqual([first.status, first.body['status']], [200, 'COMPLETED'] as unknown[])
  const again = await ask()
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await call(ben, 'settlements/confirm', {
    body: { transactionId: await pay() },
    key: 'confirm-1',
  })
  assert.deepEqual(codeOf(other).slice(0, 2), [409, 'IDEMPOTENCY_KEY_REUSED'])
  const refused = { body: { transactionId }, key: 'confirm-2' }
  const conflict = await call(ben, 'settlements/confirm', refused)
  assert.deepEqual(codeOf(conflict).slice(0, 2), [409, 'CONFLICT'])
  const same = await call(ben, 'settlements/confirm', refused)
  assert.deepEqual([same.status, same.text], [409, conflict.text])
  assert.equal(same.headers.get('idempotent-replayed'), 'true', 'a refusal is kept too')
})

test('OPER-62 of racing equal requests one runs, and the others get its answer or are told to wait', async () => {
  const transactionId = await pay()
  const asked = { body: { transactionId }, key: newUuid() }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call(ben, 'settlements/confirm', asked)),
  )
  for (const { status, text: said } of answers)
    assert.ok(status === 200 || said.includes('IDEMPOTENCY_KEY_IN_USE'), said)
  assert.ok(answers.some(({ status }) => status === 200))
  const confirmed = items(await operate(kit, `audit list --resource ${transactionId}`))
  assert.equal(confirmed.filter(({ action }) => text(action) === 'settlements confirm').length, 1)
})

test('OPER-62 what is shown once is not in the answer that is kept', async () => {
  const body = { platform: platform.platformId, name: 'shop', permissions: 'VIEW' }
  const first = await call(anna, 'tokens/create', { body, key: 'token-1' })
  assert.ok(text(first.body['clientSecret']).length > 20)
  const again = await call(anna, 'tokens/create', { body, key: 'token-1' })
  assert.equal(again.body['clientSecret'], undefined)
  assert.equal(again.body['tokenId'], first.body['tokenId'])
})

test('OPER-41 OPER-56 every wrong token is refused in one body, and sessions and API tokens are', async () => {
  const visitor = await board.signIn()
  const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
  const gone = await tokenOf('Gerd', 'VIEWER')
  await operate(kit, 'operators disable Gerd')
  const elsewhere = await tokenOf('Nora', 'VIEWER', '--address', '10.1.0.0/16')
  const bodies = new Set<string>()
  for (const headers of [
    {},
    { authorization: 'Bearer flop_unknown' },
    { authorization: `Bearer ${gone}` },
    { authorization: `Bearer ${elsewhere}` },
    { authorization: `Basic ${basic}` },
    { cookie: visitor.cookie },
  ] as Record<string, string>[]) {
    const path = '/operator/v1/platforms/list'
    const refused = await board.send(path, { method: 'POST', body: '{}', headers })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
    bodies.add(refused.text)
  }
  assert.equal(bodies.size, 1)
  await eventually(async () => {
    const [entry] = items(await operate(kit, 'audit list --action', 'token refused'))
    assert.match(text(entry?.['note']), /^operator token from /)
  })
})

test('OPER-65 lists are pages, and documents are not there for who may not review', async () => {
  await pay()
  await pay()
  const first = await call(vera, 'transactions/list', { body: { limit: 1 } })
  assert.deepEqual([items(first.body['data']).length, first.body['hasMore']], [
    1,
    true,
  ] as unknown[])
  const all = await call(vera, 'transactions/list', { body: { limit: 500 } })
  assert.equal(all.body['hasMore'], false)
  const before = text(items(first.body['data'])[0]?.['id'])
  const next = await call(vera, 'transactions/list', { body: { limit: 1, before } })
  assert.equal(items(next.body['data'])[0]?.['id'], items(all.body['data'])[1]?.['id'])
  for (const limit of [0, 501, 'x']) {
    const refused = await call(vera, 'transactions/list', { body: { limit } })
    assert.match(refused.text, /"field":"limit"/)
  }
  const rows = await call(vera, 'platforms/list')
  assert.equal(rows.body['hasMore'], false)
})

test('OPER-65 a document is answered as its bytes, to keep and not to show, and each look is audited', async () => {
  const customer = await createCustomer(platform)
  const { id } = await uploadPaper(platform, customer)
  const rita = await tokenOf('Rita', 'REVIEWER')
  const sent = await fetch(`${board.origin}/operator/v1/review/document`, {
    method: 'POST',
    body: JSON.stringify({ documentId: id }),
    headers: { authorization: `Bearer ${rita}`, 'content-type': 'application/json' },
  })
  assert.deepEqual(Buffer.from(await sent.arrayBuffer()), pdf().bytes)
  assert.equal(sent.headers.get('content-type'), 'application/pdf')
  assert.match(sent.headers.get('content-disposition') ?? '', /^attachment; /)
  assert.equal(sent.headers.get('x-content-type-options'), 'nosniff')
  const [entry] = items(await operate(kit, `audit list --resource ${id}`))
  assert.equal(entry?.['action'], 'review document')
  assert.equal(entry['actor'], 'operator-token:Rita/ci')
  assert.equal((await call(vera, 'review/document', { body: { documentId: id } })).status, 403)
})

test('OPER-65 OPER-77 what the command line writes into files is answered, and nothing of it stays', async () => {
  const customer = await createCustomer(platform)
  await uploadPaper(platform, customer)
  const rita = await tokenOf('Ruth', 'REVIEWER')
  const exported = await board.send('/operator/v1/customers/export', {
    method: 'POST',
    body: JSON.stringify({ customerId: customer.id }),
    headers: { authorization: `Bearer ${rita}`, 'content-type': 'application/json' },
  })
  assert.equal(exported.headers.get('content-type'), 'application/x-tar')
  assert.ok(exported.text.includes(customer.id) && exported.text.includes('%PDF'))
  const own = { body: { customerId: customer.id, to: '/tmp/x' } }
  assert.match((await call(rita, 'customers/export', own)).text, /"field":"to"/)
  // An entry is exported once it is chained, a few seconds after it was written (OPER-50).
  const lines = await eventually(async () => {
    const audit = await board.send('/operator/v1/audit/export', {
      method: 'POST',
      headers: { authorization: `Bearer ${anna}` },
    })
    const exportedLines = audit.text.trim().split('\n')
    assert.ok(exportedLines.length > 3)
    return exportedLines
  })
  assert.ok(lines.every((line) => JSON.parse(line) !== null))
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith('florin-answer-'))
  await eventually(async () => {
    const now = await readdir(tmpdir())
    assert.deepEqual(
      left.filter((name) => now.includes(name)),
      [],
    )
  })
})

test('OPER-63 scenario 11: a batch runs each by itself, and again replays what is done', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => pay(platform, 1)))
  const unknown = Array.from({ length: 3 }, () => `Transaction:${newUuid()}`)
  const all = [...ids, ...unknown].map((transactionId, n) => ({ key: `batch-${n}`, transactionId }))
  await call(ben, 'settlements/confirm/batch', { body: { items: all.slice(0, 7) } })
  const answer = await call(ben, 'settlements/confirm/batch', { body: { items: all } })
  assert.equal(answer.status, 200, answer.text)
  const results = items(answer.body['results'])
  assert.deepEqual(
    results.map(({ key, status }) => [key, status]),
    all.map(({ key }, n) => [key, n < 20 ? 200 : 404]) as unknown[],
  )
  for (const id of ids) assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  const entries = items(await operate(kit, 'audit list --action settlements --limit 500'))
  const of = (id: string) => entries.filter(({ resource }) => text(resource) === id).length
  assert.deepEqual([...new Set(ids.map(of))], [1], 'one entry each')
})

test('OPER-63 a batch that cannot be read is refused whole', async () => {
  const item = { key: 'a', transactionId: 'x' }
  for (const [body, field] of [
    [{}, 'items'],
    [{ items: [] }, 'items'],
    [{ items: Array.from({ length: 501 }, (_, n) => ({ ...item, key: `k${n}` })) }, 'items'],
    [{ items: [item, item] }, 'items.1.key'],
    [{ items: [{ transactionId: 'x' }] }, 'items.0.key'],
  ] as const) {
    const refused = await call(ben, 'settlements/confirm/batch', { body })
    assert.equal(refused.status, 400)
    assert.match(refused.text, new RegExp(`"field":"${field}"`))
  }
  const bad = { items: [{ key: 'bad', transactionId: 1, extra: 2 }] }
  const { body } = await call(ben, 'settlements/confirm/batch', { body: bad })
  assert.equal(items(body['results'])[0]?.['status'], 400 as unknown)
  assert.equal((await call(vera, 'settlements/confirm/batch', { body: {} })).status, 403)
})

test('OPER-60 OPER-63 what no command can use is the caller’s mistake, in a file and in a batch too', async () => {
  const refused = await call(anna, 'audit/export', { body: { from: 'first' } })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /"field":"from"/)
  const money = { currency: 'USD', rail: 'ACH', trace: newUuid() }
  const { body } = await call(ben, 'deposits/receive/batch', {
    body: { items: [{ key: newUuid(), amount: 'much', ...money }] },
  })
  assert.equal(items(body['results'])[0]?.['status'], 400 as unknown)
})

test('OPER-60 a text that cannot be stored is refused in every field of every command', async () => {
  const roles = 'ADMIN,TREASURER,REVIEWER'
  const every = await tokenOf('Every', roles)
  const failed: string[] = []
  for (const command of commands.filter(({ access }) => !access.isLocal)) {
    const fields = fieldsOf(command).filter(({ option }) => !option?.flag && !option?.isSwitch)
    const wrong = fields.map(({ name, option }) => [
      name,
      option?.repeatable ? ['a\u0000'] : 'a\u0000',
    ])
    const path = command.name.replaceAll(' ', '/')
    for (const [name] of wrong) {
      const others = wrong.map(([one, value]) => [
        one,
        one === name ? value : Array.isArray(value) ? ['1'] : '1',
      ])
      const { status } = await call(every, path, {
        body: Object.fromEntries(others),
        key: newUuid(),
      })
      if (status < 400 || status >= 500) failed.push(`${command.name} ${String(name)}: ${status}`)
    }
  }
  assert.deepEqual(failed, [])
})

test('OPER-61 scenario 12: the description has one operation per command, for token or session', async () => {
  const path = '/operator/v1/openapi.json'
  assert.equal((await board.send(path)).status, 401)
  const headers = { authorization: `Bearer ${vera}` }
  const description = JSON.parse((await board.send(path, { headers })).text) as {
    paths: Record<string, { post: Record<string, unknown> }>
  }
  const { valid, errors } = await new Validator().validate(structuredClone(description))
  assert.ok(valid, JSON.stringify(errors))
  const remote = commands.filter(({ access }) => !access.isLocal)
  const paths = remote.map(({ name }) => `/operator/v1/${name.replaceAll(' ', '/')}`)
  const single = Object.keys(description.paths).filter((one) => !one.endsWith('/batch'))
  assert.deepEqual(single.toSorted(), paths.toSorted())
  const confirm = description.paths['/operator/v1/settlements/confirm']?.post
  assert.deepEqual(confirm?.['x-required-role'], ['TREASURER'])
  assert.equal(confirm['x-four-eyes'], 'threshold')
  const visitor = await board.signIn()
  assert.equal((await visitor.get(path)).status, 200)
  const page = await visitor.get('/operator/v1/docs')
  assert.match(page.text, /API reference/)
  assert.equal((await visitor.get('/operator/v1/docs/nothing')).status, 404)
  const collection = await visitor.get('/operator/v1/docs/collection.json')
  assert.equal(collection.status, 200)
  assert.match(collection.text, /"name":"settlements"/)
})

test('OPER-64 a foreign host is refused, and no other site may read', async () => {
  const headers = { authorization: `Bearer ${vera}`, origin: 'https://evil.example' }
  const answer = await board.send('/operator/v1/platforms/list', { method: 'POST', headers })
  assert.equal(answer.status, 200)
  for (const name of answer.headers.keys()) assert.doesNotMatch(name, /^access-control/)
  const asked = { method: 'POST', headers: { ...headers, host: 'evil.example' } }
  const status = await new Promise((resolve) =>
    request(`${board.origin}/operator/v1/platforms/list`, asked, (response) =>
      resolve(response.resume().statusCode),
    ).end(),
  )
  assert.equal(status, 421)
})

test('OPER-64 a token has a hundred calls at once, then 429', async () => {
  const token = await tokenOf('Rolf', 'VIEWER')
  const now = new Date()
  // By a clock that stands still: otherwise a busy machine gives back what it takes.
  const still = await openDashboard(kit, { clock: { now: () => now } })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: '{"id":"x"}' }
  const ask = () => still.send('/operator/v1/look-up', asked)
  const answers = await Promise.all(Array.from({ length: 104 }, ask))
  const limited = answers.filter(({ status }) => status === 429)
  assert.equal(limited.length, 4)
  for (const { headers: answered, text: body } of limited) {
    assert.equal((JSON.parse(body) as Body)['code'], 'RATE_LIMITED')
    assert.ok(answered.get('retry-after'))
  }
})

test('OPER-23 OPER-62 OPER-63 where a second operator is needed, the answer is a proposal, of a batch one', async () => {
  const strict = { ...board.deps, settings: { ...board.deps.settings, fourEyes: 'on' as const } }
  const strictBoard = await openDashboard(kit, strict)
  const send = async (token: string, path: string, body: unknown, key?: string) => {
    const answer = await strictBoard.send(`/operator/v1/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    })
    return { status: answer.status, body: JSON.parse(answer.text) as Body }
  }
  const tom = await invited(kit, 'Tom', 'TREASURER')
  const own = await operate(tom.kit, 'operator-tokens create --personal --name laptop')
  const approve = (id: unknown) =>
    send(text(own['token']), 'proposals/approve', { proposalId: id }, newUuid())

  const one = await pay()
  const proposed = await send(ben, 'settlements/confirm', { transactionId: one }, 'four-eyes-1')
  assert.deepEqual([proposed.status, proposed.body['status']], [202, 'PROPOSED'] as unknown[])
  assert.equal((await readTransaction(platform, one)).status, 'PROCESSING')
  assert.equal((await approve(proposed.body['proposalId'])).status, 200)
  const replayed = await send(ben, 'settlements/confirm', { transactionId: one }, 'four-eyes-1')
  assert.deepEqual([replayed.status, replayed.body['status']], [202, 'EXECUTED'] as unknown[])

  const many = await Promise.all([pay(), pay()])
  const items_ = [...many, `Transaction:${newUuid()}`].map((transactionId, n) => ({
    key: `four-eyes-batch-${n}`,
    transactionId,
  }))
  const batch = await send(ben, 'settlements/confirm/batch', { items: items_ })
  const results = items(batch.body['results'])
  assert.deepEqual(
    results.map(({ status }) => status),
    [202, 202, 404] as unknown[],
  )
  const [id, same] = results.map(({ body }) => body?.['proposalId'])
  assert.equal(id, same)
  const done = await approve(id)
  assert.deepEqual(
    items(done.body['results']).map(({ status }) => status),
    [200, 200] as unknown[],
  )
  for (const each of many) assert.equal((await readTransaction(platform, each)).status, 'COMPLETED')
  const again = await send(ben, 'settlements/confirm/batch', { items: items_ })
  assert.equal(items(again.body['results'])[0]?.['body']?.['status'], 'EXECUTED' as unknown)
})

test('OPER-26 OPER-62 a secret that an approval shows is not in its replay', async () => {
  const settings = { ...board.deps.settings, fourEyes: 'on' as const }
  const strict = await openDashboard(kit, { settings })
  const send = async (token: string, path: string, body: object, key: string = newUuid()) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const init = { method: 'POST', body: JSON.stringify(body), headers }
    return JSON.parse((await strict.send(`/operator/v1/${path}`, init)).text) as Body
  }
  const { platformId } = platform
  const proposal = await send(anna, 'tokens/create', { platform: platformId, name: 'once' })
  const bea = await invited(kit, 'Bea', 'ADMIN')
  const own = await operate(bea.kit, 'operator-tokens create --personal --name laptop')
  const approve = () =>
    send(text(own['token']), 'proposals/approve', { proposalId: proposal['proposalId'] }, 'once')
  const { clientSecret, ...shown } = await approve()
  assert.ok(clientSecret)
  assert.deepEqual(await approve(), shown)
})
