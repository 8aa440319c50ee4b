import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import {
  basicAuth,
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Answer,
  type Api,
} from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { rawConnection } from '../../../test/kit/processes/raw-connection.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { sql } from '../db/statement/sql.ts'

const kit = await startOwnKit()
const platform = await kit.platform()
const { api } = platform
const production = await kit.platform({ environment: 'PRODUCTION' })

const VALID = { name: 'valid', permissions: ['VIEW'] }
const JSON_TYPE = { 'content-type': 'application/json' }
const origin = new URL(kit.baseUrl).origin
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const post = (
  body: string | Buffer<ArrayBuffer>,
  type: string | undefined = 'application/json',
  of: Api = api,
) => of.send('POST', '/tokens', { body, headers: type === '' ? {} : { 'content-type': type } })

const ignored = (answer: Answer): string[] =>
  (answer.headers.get('ignored-fields') ?? '').split(', ').filter((name) => name !== '')

async function holder(permissions: readonly string[]): Promise<Api> {
  const token = expectStatus(await api.post('/tokens', { name: 'holder', permissions }), 201)
  return api.with({ clientId: token.clientId, clientSecret: text(token.clientSecret) })
}

/** Any method, any path, no help from fetch. */
function raw(method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; allow: string | undefined; body: string }>(
    (resolve, reject) => {
      const sent = httpRequest(`${origin}${path}`, { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode, allow: response.headers.allow, body })
        })
      })
      sent.on('error', reject)
      sent.end()
    },
  )
}

describe('requests', () => {
  test('CORE-1 another version is not found, and told which one is supported', async () => {
    for (const path of ['/2024-01-01/tokens', '/2025-10-14/tokens?limit=1', '/2024-01-01']) {
      const response = await fetch(`${origin}${path}`)
      const body = (await response.json()) as { code: string; message: string }
      assert.deepEqual([response.status, body.code], [404, 'REFERENCE_NOT_FOUND'])
      assert.match(body.message, /2025-10-13/)
    }
    assert.equal((await fetch(`${origin}/tokens`)).status, 404)
  })

  test('CORE-2 a body is JSON in UTF-8, and said to be', async () => {
    const body = JSON.stringify(VALID)
    const accepted = [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json;',
      'application/json; charset=utf-8; profile=x',
    ]
    for (const type of accepted) expectStatus(await post(body, type), 201)
    const refused = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/vnd.api+json',
      'application/jsonp',
      'nonsense',
    ]
    for (const type of refused) expectError(await post(body, type), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await post(Buffer.from(body), ''), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('CORE-2 what does not parse is INVALID_REQUEST_FORMAT', async () => {
    const broken = ['{', '{"name":}', "{'name':'x'}", 'undefined', '{} {}', 'NaN', '\ufeff{']
    for (const body of broken) expectError(await post(body), 400, 'INVALID_REQUEST_FORMAT')
    const latin1 = Buffer.from('{"name":"é"}', 'latin1')
    expectError(await post(latin1), 400, 'INVALID_REQUEST_FORMAT')
  })

  test('CORE-2 a JSON body has at most 1 MiB', async () => {
    const padded = (length: number) => JSON.stringify(VALID).padEnd(length, ' ')
    expectStatus(await post(padded(1024 * 1024)), 201)
    expectError(await post(padded(1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('CORE-4 an id in a query is a field: a wrong form is 400, one that is not there is 404', async () => {
    const list = (customerId: string, of: Api = api) =>
      of.get('/customers/internal-accounts', { query: { customerId } })
    const made = await api.post('/customers', { customerType: 'INDIVIDUAL' })
    const own = expectStatus(made, 201).id
    expectStatus(await list(own), 200)
    for (const wrong of [
      '',
      'x',
      own.slice(0, -1),
      own.replace('Customer', 'Card'),
      own.toUpperCase(),
    ]) {
      expectFields(await list(wrong), ['customerId'])
    }
    const other = await kit.platform()
    const unknown = `${own.slice(0, -12)}000000000000`
    const answers = [await list(own, other.api), await list(unknown)]
    for (const answer of answers) expectError(answer, 404, 'USER_NOT_FOUND')
    const [foreign, missing] = answers.map(({ text: body }) => body.replace(/Customer:[^"]+/, ''))
    assert.equal(foreign, missing)
  })

  test('CORE-5 timestamps are answered in UTC with milliseconds', async () => {
    const token = expectStatus(await api.post('/tokens', VALID), 201)
    for (const time of [token.createdAt, token.updatedAt]) {
      assert.match(time, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    }
  })

  test('CORE-7 no answer holds null', async () => {
    await api.post('/tokens', VALID)
    for (const path of ['/config', '/tokens', '/uma-providers']) {
      assert.doesNotMatch((await api.get(path)).text, /:null\b/)
    }
  })

  test('CORE-8 unknown fields are ignored, and named in sandbox, wherever they lie', async () => {
    const answer = await api.post('/tokens', { ...VALID, nmae: 1, note: { text: 'x' } })
    expectStatus(answer, 201)
    assert.deepEqual(ignored(answer), ['nmae', 'note'])
    const nested = await api.patch('/config', {
      embeddedWalletConfig: { appName: 'x', colour: 'red' },
      feeConfigs: [{ fixedFee: { cents: 5 } }],
      webhook: 'x',
    })
    assert.deepEqual(ignored(nested), [
      'embeddedWalletConfig.colour',
      'feeConfigs.0.fixedFee.cents',
      'webhook',
    ])
    assert.equal((await api.post('/tokens', VALID)).headers.get('ignored-fields'), null)
    const bodiless = await api.post('/sandbox/webhooks/test', { endpoint: 'x', a: { b: 1 } })
    assert.deepEqual(ignored(bodiless), ['endpoint', 'a'])
  })

  test('CORE-8 a typo is named also where it is the cause of a refusal', async () => {
    const answer = await api.post('/tokens', { nmae: 'x', permissions: ['VIEW'] })
    expectFields(answer, ['name'])
    assert.deepEqual(ignored(answer), ['nmae'])
  })

  test('CORE-8 field names of any kind and number make a sound header', async () => {
    const odd = { 'a,b': 1, 'é 😀': 1, 'line\nbreak': 1, '': 1 }
    const answer = await api.post('/tokens', { ...VALID, ...odd })
    expectStatus(answer, 201)
    const names = ['a%2Cb', '%C3%A9%20%F0%9F%98%80', 'line%0Abreak']
    for (const name of names) assert.ok(ignored(answer).includes(name), name)
    const refused = await api.post('/tokens', { ...VALID, '\ud800': 1 })
    expectFields(refused, ['\ufffd'])
    assert.deepEqual(ignored(refused), ['%EF%BF%BD'])
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, n]))
    const crowded = await api.post('/tokens', { ...VALID, ...many })
    expectStatus(crowded, 201)
    assert.ok((crowded.headers.get('ignored-fields') ?? '').length <= 4096)
    assert.equal(ignored(crowded)[0], 'field0')
  })

  test('CORE-8 in production unknown fields are ignored in silence', async () => {
    const answer = await production.api.post('/tokens', { ...VALID, nmae: 1 })
    expectStatus(answer, 201)
    assert.equal(answer.headers.get('ignored-fields'), null)
  })

  test('CORE-9 an unknown route is 404, also without credentials', async () => {
    for (const path of ['/nothing', '/tokens/a/b', '/', '', '/tokens/%zz']) {
      expectError(await api.get(path), 404, 'REFERENCE_NOT_FOUND')
      assert.equal((await fetch(`${kit.baseUrl}${path}`)).status, 404)
    }
  })

  test('CORE-9 a known route with another method is 405 and lists those it has', async () => {
    const answer = await api.send('PUT', '/tokens')
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    assert.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), ['GET', 'HEAD', 'POST'])
    const version = new URL(kit.baseUrl).pathname
    for (const method of ['OPTIONS', 'TRACE', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'PURGE']) {
      const { status, allow } = await raw(method, `${version}/tokens?limit=1`)
      assert.deepEqual([status, allow], [405, 'POST, GET, HEAD'], method)
    }
    const onlyPost = await raw('HEAD', `${version}/sandbox/webhooks/test`)
    assert.deepEqual([onlyPost.status, onlyPost.allow], [405, 'POST'])
    for (const method of ['LINK', 'POST', 'DELETE']) {
      const closest = await raw(method, `${version}/customers/end-user-terms`)
      assert.deepEqual([closest.status, closest.allow], [405, 'GET, HEAD'], 'not a customer’s')
    }
    const page = await raw('PUT', '/pay/x')
    assert.deepEqual([page.status, page.allow], [405, 'GET, HEAD, POST'])
    assert.equal((await raw('LINK', `${version}/nothing`)).status, 404)
  })

  test('CORE-9 HEAD follows GET, without the body', async () => {
    const [head, get] = [await api.send('HEAD', '/config'), await api.get('/config')]
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
    assert.equal((await api.send('HEAD', '/tokens/x')).status, 404)
    assert.equal((await fetch(`${kit.baseUrl}/config`, { method: 'HEAD' })).status, 401)
  })

  test('CORE-10 every answer carries a request id, the caller’s own where it sends a sound one', async () => {
    const send = (id: string | undefined, path = '/config') =>
      api.get(path, id === undefined ? {} : { headers: { 'x-request-id': id } })
    const own = 'Any printable text, up to 128: ~!'
    for (const path of ['/config', '/tokens/x', '/nothing']) {
      assert.equal((await send(own, path)).headers.get('x-request-id'), own)
    }
    for (const id of [undefined, '', 'x'.repeat(129), 'é']) {
      assert.match((await send(id)).headers.get('x-request-id') ?? '', UUID)
    }
    assert.equal((await send('x'.repeat(128))).headers.get('x-request-id'), 'x'.repeat(128))
    const refused = [
      await post('{'),
      await api.send('PUT', '/tokens'),
      await api.get('/config', { headers: { authorization: '' } }),
    ]
    for (const answer of refused) assert.match(answer.headers.get('x-request-id') ?? '', UUID)
  })
})

describe('callers', () => {
  test('CORE-20 CORE-24 whatever is wrong with the credentials, the answer is the same', async () => {
    const { clientId, clientSecret, tokenId } = platform
    const basic = (user: string, secret: string) =>
      basicAuth({ clientId: user, clientSecret: secret })
    const wrong = [
      '',
      'Basic',
      'Basic !!!',
      `Bearer ${clientSecret}`,
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      basic(clientId, 'wrong'),
      basic(clientId, ''),
      basic(clientId, `${clientSecret}x`),
      basic(clientId.toUpperCase(), clientSecret),
      basic('', clientSecret),
      basic(tokenId.replace('Token:', 'Customer:'), clientSecret),
      basic(`${clientId}0`, clientSecret),
      basic(production.clientId, clientSecret),
      basic('0'.repeat(32), clientSecret),
      basic(`Token:${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`, clientSecret),
    ]
    const bodies = new Set<string>()
    for (const authorization of wrong) {
      const answer = await api.get('/config', { headers: { authorization } })
      expectError(answer, 401, 'UNAUTHORIZED')
      assert.equal(answer.headers.get('www-authenticate'), 'Basic')
      bodies.add(answer.text)
    }
    assert.equal(bodies.size, 1)
    assert.equal((await fetch(`${kit.baseUrl}/config`)).status, 401)
  })

  test('CORE-20 the secret is kept as a digest only', async () => {
    const rows = await kit.florin.deps.db.read.many<{ row: string }>(
      sql`select api_tokens::text as row from api_tokens`,
    )
    const shown = JSON.stringify(rows)
    assert.ok(shown.includes('first token'))
    for (const { clientSecret } of [platform, production]) {
      assert.ok(!shown.includes(clientSecret))
      assert.ok(!shown.includes(Buffer.from(clientSecret).toString('hex')))
    }
  })

  test('CORE-21 no permission implies another', async () => {
    const [viewer, trader, manager] = await Promise.all([
      holder(['VIEW']),
      holder(['TRANSACT']),
      holder(['MANAGE']),
    ])
    const wanted: [Api, string, number][] = [
      [viewer, 'GET', 200],
      [viewer, 'PATCH', 403],
      [trader, 'GET', 403],
      [trader, 'PATCH', 403],
      [manager, 'GET', 403],
      [manager, 'PATCH', 200],
    ]
    for (const [of, method, status] of wanted) {
      const answer = await of.send(method, '/config', {
        headers: JSON_TYPE,
        ...(method === 'PATCH' && { body: '{}' }),
      })
      assert.equal(answer.status, status, answer.text)
    }
  })

  test('CORE-22 the sandbox is closed to production tokens, the rest is the same for both', async () => {
    expectError(await production.api.get('/sandbox/clock'), 403, 'FORBIDDEN')
    expectStatus(await api.get('/sandbox/clock'), 200)
    expectStatus(await production.api.get('/config'), 200)
  })
})

describe('order of checks', () => {
  test('CORE-32 route, authentication, permission, body form, fields, key, existence', async () => {
    const viewer = await holder(['VIEW'])
    const nobody = api.with({ clientId: platform.clientId, clientSecret: 'wrong' })
    const send = (of: Api, path: string, body: string, headers = {}) =>
      of.send('POST', path, { headers: { 'content-type': 'text/plain', ...headers }, body })
    const key = { 'idempotency-key': 'order' }
    const huge = 'x'.repeat(1024 * 1024 + 1)

    expectError(await send(nobody, '/nothing', huge), 404, 'REFERENCE_NOT_FOUND')
    expectError(await nobody.send('PUT', '/tokens', { body: '{' }), 405, 'METHOD_NOT_ALLOWED')
    expectError(await send(nobody, '/tokens', huge), 401, 'UNAUTHORIZED')
    expectError(await send(viewer, '/tokens', huge), 403, 'FORBIDDEN')
    expectError(await send(api, '/tokens', huge), 413, 'PAYLOAD_TOO_LARGE')
    expectError(await send(api, '/tokens', '{'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const json = { ...JSON_TYPE, ...key }
    expectError(await send(api, '/tokens', '{', json), 400, 'INVALID_REQUEST_FORMAT')
    expectStatus(await send(api, '/tokens', JSON.stringify(VALID), json), 201)
    // The key was used for something else by now, but the fields are looked at before it …
    expectFields(await send(api, '/tokens', '{}', json), ['name', 'permissions'])
    // … and it before anything that is or is not there.
    const unknown = await api.delete('/tokens/x', { headers: key })
    expectError(unknown, 409, 'IDEMPOTENCY_KEY_REUSED')
    expectError(await api.delete('/tokens/x'), 404, 'TOKEN_NOT_FOUND')
  })

  test('CORE-30 parameters, body and header are reported in one list', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) }
    const answer = await api.post('/tokens', { name: '', permissions: ['ALL'] }, { headers })
    expectFields(answer, ['name', 'permissions.0', 'Idempotency-Key'])
    const query = { limit: '0', createdAfter: 'now', updatedBefore: '2025-13-01T00:00:00Z' }
    const errors = expectFields(await api.get('/tokens', { query }), Object.keys(query))
    const constraints = new Map(errors.map((one) => [text(one['field']), one['constraint']]))
    assert.deepEqual(constraints.get('limit'), { minimum: 1 })
    assert.deepEqual(constraints.get('createdAfter'), { format: 'date-time' })
    for (const one of errors) assert.ok(text(one['message']).length > 0)
  })
})

describe('errors', () => {
  test('ERR-1 ERR-6 every refusal is the envelope, by the catalogue, and tells nothing of the inside', async () => {
    const answers = [
      await api.get('/nothing'),
      await api.send('PUT', '/tokens'),
      await api.get('/tokens/x'),
      await api.get('/tokens', { query: { limit: 'x' } }),
      await api.get('/config', { headers: { authorization: '' } }),
      await (await holder(['TRANSACT'])).get('/config'),
      await post('{'),
      await post('{}', 'text/html'),
      await post(' '.repeat(1024 * 1024 + 1)),
      await api.patch('/config', { feeConfigs: [], umaDomain: "'; drop table platforms; --" }),
      await production.api.get('/sandbox/clock'),
    ]
    for (const { status, body, text: shown, headers } of answers) {
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assert.deepEqual(
        Object.keys(body).filter((key) => key !== 'details'),
        ['status', 'code', 'message'],
      )
      assert.equal(body['status'], status)
      assert.equal(ERRORS[text(body['code']) as ErrorCode].status, status)
      assert.match(text(body['message']), /^[A-Z].+\.$/)
      assert.doesNotMatch(
        shown,
        /select |insert |update |\bat \w+.*\.ts|node_modules|127\.0\.0\.1|postgres/,
      )
      assert.ok(!shown.includes(production.platformId.replace('Platform:', '')))
    }
    assert.equal(new Set(answers.map(({ status }) => status)).size, 7)
  })

  test('ERR-2 a body of another JSON type is one FieldError on the body itself', async () => {
    for (const body of ['[]', '"text"', '5', 'null', 'true', '[{"name":"x"}]', '']) {
      const errors = expectFields(await post(body), [''])
      assert.equal(errors.length, 1)
    }
  })

  test('ERR-4 numbers that JSON cannot hold, booleans and numeric strings are no amounts', async () => {
    for (const value of ['9007199254740993', '1e400', '-1e400', 'true', '"100"', '0.1']) {
      const body = `{"feeConfigs":[{"feeType":"CROSS_CURRENCY_TRANSACTION","sourceCurrency":"USD",
        "variableFeeBps":1,"fixedFee":{"amount":${value},"currency":"USD"}}]}`
      const answer = await api.send('PATCH', '/config', { headers: JSON_TYPE, body })
      expectFields(answer, ['feeConfigs.0.fixedFee.amount'])
    }
  })

  test('ERR-5 hostile text is stored as it is given', async () => {
    for (const name of [
      "'; drop table api_tokens; --",
      '<script>alert(1)</script>',
      '{{7*7}} ${7*7} <%= 7 %> #{7}',
      '$(rm -rf /) `id` | cat',
      '../../etc/passwd',
      '%00 %s %n',
      '\u202e\u0301 zalgo 😀',
      '__proto__',
    ]) {
      const token = expectStatus(await api.post('/tokens', { ...VALID, name }), 201)
      assert.equal(token.name, name)
      const { data } = expectStatus(await api.get('/tokens', { query: { name } }), 200)
      assert.deepEqual(
        data.map((one) => one.id),
        [token.id],
      )
    }
  })

  test('ERR-5 what no text can hold is refused where it stands', async () => {
    for (const name of ['a\\u0000b', '\\ud800', '\\udc00x']) {
      expectFields(await post(`{"name":"${name}","permissions":["VIEW"]}`), ['name'])
    }
    expectFields(await api.get('/tokens?name=%00'), ['name'])
    expectStatus(await api.get('/tokens?name=%ff'), 200)
  })

  test('ERR-5 CORE-8 a field name that no text can hold, and a number too large for one, are refused by name', async () => {
    const cases = [
      ['"x\\ud800":1', ['x\ufffd']],
      ['"x\\u0000":1', ['x\ufffd']],
      ['"x":1e400', ['x']],
      ['"x":[{"y":-1e400},{"\\udc00":true}]', ['x.0.y', 'x.1.\ufffd']],
    ] as const
    for (const [member, fields] of cases) {
      const body = `{"name":"plain","permissions":["VIEW"],${member}}`
      expectFields(await post(body), fields)
    }
  })

  test('ERR-5 keys that mean something to the language mean nothing here', async () => {
    const answer = await post(
      '{"__proto__":{"permissions":["MANAGE"]},"constructor":{"prototype":{"name":"x"}},"toString":1,"name":"plain","permissions":["VIEW"]}',
    )
    const token = expectStatus(answer, 201)
    assert.deepEqual([token.name, token.permissions], ['plain', ['VIEW']])
    assert.deepEqual(ignored(answer), ['__proto__', 'constructor', 'toString'])
    expectFields(await post('{"__proto__":{"name":"x","permissions":["VIEW"]}}'), [
      'name',
      'permissions',
    ])
    const odd = '{"feeConfigs":[{"feeType":{"toString":1},"sourceCurrency":{"valueOf":2}}]}'
    const patched = await api.send('PATCH', '/config', { headers: JSON_TYPE, body: odd })
    expectError(patched, 400, 'INVALID_INPUT')
    assert.equal(Object.hasOwn(Object.prototype, 'permissions'), false)
  })

  test('ERR-5 CORE-30 endless lists and keys are INVALID_REQUEST_FORMAT, not an error for each', async () => {
    const listing = (entries: number) => ({
      name: 'x',
      permissions: Array.from({ length: entries }, () => 1),
    })
    const bounded = expectError(await post(JSON.stringify(listing(11_000))), 400, 'INVALID_INPUT')
    assert.equal(items(bounded['errors']).length, 100)
    const spread = { ...listing(6_000), more: [listing(6_000)] }
    const keyed = Object.fromEntries(Array.from({ length: 12_001 }, (_, n) => [`k${n}`, n]))
    for (const body of [listing(12_000), listing(500_000), spread, keyed]) {
      expectError(await post(JSON.stringify(body)), 400, 'INVALID_REQUEST_FORMAT')
    }
  })

  test('ERR-5 nesting beyond 64 levels is INVALID_REQUEST_FORMAT, however deep', async () => {
    const nested = (depth: number) =>
      `{"name":"deep","permissions":["VIEW"],"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expectStatus(await post(nested(63)), 201)
    for (const depth of [64, 10_000, 200_000]) {
      expectError(await post(nested(depth)), 400, 'INVALID_REQUEST_FORMAT')
    }
    expectStatus(await post(JSON.stringify({ ...VALID, name: '['.repeat(200) })), 201)
  })

  test('ERR-1 ERR-6 CORE-10 an unexpected failure is 500 with the request id and nothing else', async () => {
    const { db } = kit.florin.deps
    await db.read.run(sql`alter table platform_currencies rename to hidden_away`)
    try {
      const answer = await api.get('/config', { headers: { 'x-request-id': 'find me' } })
      const details = expectError(answer, 500, 'INTERNAL_ERROR')
      assert.deepEqual(details, { requestId: 'find me' })
      assert.doesNotMatch(answer.text, /platform_currencies|relation|select/)
    } finally {
      await db.read.run(sql`alter table hidden_away rename to platform_currencies`)
    }
    expectStatus(await api.get('/config'), 200)
  })
})

test('CORE-2 every answer of the API is for no cache, and for no guess at its type', async () => {
  const refused = await fetch(`${kit.baseUrl}/config`)
  await refused.text()
  for (const { headers } of [await api.get('/config'), await api.get('/nothing'), refused]) {
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('ERR-5 two hosts or two idempotency keys are refused, with the reason', async () => {
  for (const [twice, name] of [
    [['Host: a.example', 'Host: b.example'], 'host'],
    [['Host: a.example', 'Idempotency-Key: a', 'idempotency-key: b'], 'idempotency-key'],
  ] as const) {
    const connection = await rawConnection(kit.baseUrl)
    const head = ['GET /2025-10-13/config HTTP/1.1', ...twice, 'Connection: close']
    connection.send(`${head.join('\r\n')}\r\n\r\n`)
    const [answer] = await connection.answers()
    assert.equal(answer?.status, 400)
    const { code, details } = JSON.parse(answer.body) as { code: string; details: object }
    assert.equal(code, 'INVALID_REQUEST_FORMAT')
    assert.partialDeepStrictEqual(details, { reason: `Two ${name} headers.` })
  }
})
