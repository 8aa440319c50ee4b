import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { operate } from '../../../test/kit/operator.ts'
import { mappedOutgoing } from '../../../test/kit/outside/uma-counterparty.ts'

type Answer = Readonly<{ status: number; body: string }>

const says = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })
const takes = (minSendable: unknown, maxSendable: unknown) =>
  says({ tag: 'payRequest', callback: 'https://ln.example/pay', minSendable, maxSendable })

/** Answers by the user part of the address. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  alice: takes(1_500, 90_000_999),
  generous: takes(1, Number.MAX_SAFE_INTEGER),
  dust: takes(1, 999),
  nobody: says({ status: 'ERROR', reason: 'unknown user' }),
  gone: says({}, 404),
  broken: says({}, 500),
  words: { status: 200, body: 'not JSON' },
  empty: says({ tag: 'payRequest' }),
  upside: takes(2_000, 1_000),
  fractions: takes(0.5, 1_000),
  withdraw: says({ tag: 'withdrawRequest', minSendable: 1, maxSendable: 1_000_000 }),
}

const asked: string[] = []
const provider = await serveHttp((request, response) => {
  asked.push(request.url ?? '')
  const answer = ANSWERS[request.url?.split('/').at(-1) ?? ''] ?? says({}, 404)
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
})
const outgoing = mappedOutgoing(new Map([['ln.example', provider.port]]))
const kit = await startOwnKit({}, { outgoing })
await operate(kit, 'rates set --price BTC=1/100000')
const production = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'BTC'] })

async function lookUp({ api }: TestPlatform, lightningAddress: string) {
  const accountInfo = { accountType: 'LIGHTNING', lightningAddress }
  const account = await api.post('/platform/external-accounts', { currency: 'BTC', accountInfo })
  const id = expectStatus(account, 201).id
  return api.get(`/receiver/external-account/${id}`)
}

const rangeOf = async (user: string) => {
  const found = expectStatus(await lookUp(production, `${user}@ln.example`), 200)
  return found.supportedCurrencies.map(({ min, max }) => [min, max])
}

test('UMA-3 UMA-8 the provider of a Lightning address is asked for its range, in whole satoshi', async () => {
  assert.deepEqual(await rangeOf('alice'), [[2, 90_000]])
  assert.equal(asked.at(-1), '/.well-known/lnurlp/alice')
  const [[min, max] = []] = await rangeOf('generous')
  assert.equal(min, 1)
  assert.ok(Number(max) > 90_000, 'our own limit holds where theirs is higher')
  assert.deepEqual(await rangeOf('dust'), [], 'nothing that it takes is a satoshi')
})

for (const [user, status, code] of [
  ['nobody', 404, 'UMA_NOT_FOUND'],
  ['gone', 404, 'UMA_NOT_FOUND'],
  ['broken', 424, 'LNURLP_REQUEST_FAILED'],
  ['words', 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
  ['empty', 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
  ['upside', 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
  ['fractions', 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
  ['withdraw', 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
] as const) {
  test(`UMA-8 the answer for ${user} is refused with ${code}`, async () => {
    expectError(await lookUp(production, `${user}@ln.example`), status, code)
  })
}

test('UMA-8 an unreachable provider is refused with LNURLP_REQUEST_FAILED', async () => {
  const answer = await lookUp(production, 'alice@nobody.invalid')
  expectError(answer, 424, 'LNURLP_REQUEST_FAILED')
})

test('UMA-2 the sandbox asks no provider', async () => {
  const sandbox = await kit.platform({ currencies: ['USD', 'BTC'] })
  const before = asked.length
  const found = expectStatus(await lookUp(sandbox, 'broken@ln.example'), 200)
  assert.equal(found.supportedCurrencies.length, 1)
  assert.equal(asked.length, before)
})
