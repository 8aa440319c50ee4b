// Runs alone: it measures for how long other requests have to wait.
/** Requests that cost more than they weigh: each is answered soon, briefly and without stopping the others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, items, type Answer } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { longestStop } from '../../../../test/kit/processes/longest-stop.ts'

const kit = await startOwnKit()
const { api } = await kit.platform()

const STOP_MS_MAX = 50
const ANSWER_BYTES_MAX = 64 * 1024
const MEGABYTE = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }

const list = (entry: string, count: number): string => `[${Array(count).fill(entry).join()}]`
const keys = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()
const filled = (text: string): string => text.repeat((MEGABYTE - 1_000) / text.length)

const send = (method: string, path: string, body: string) =>
  api.send(method, path, { body, headers: JSON_TYPE })

const nested = (opening: string, closing: string): string =>
  `{"x":${opening.repeat(60)}1${closing.repeat(60)}}`

type Costly = readonly [what: string, run: () => Promise<Answer>]

const post = (what: string, path: string, body: string): Costly => [
  what,
  () => send('POST', path, body),
]
const patch = (what: string, body: string): Costly => [what, () => send('PATCH', '/config', body)]
const get = (what: string, query: string): Costly => [
  what,
  () => api.send('GET', `/transactions?${query}`),
]

const COSTLY: readonly Costly[] = [
  patch('5,000 empty entries', `{"supportedCurrencies":${list('{}', 5_000)}}`),
  patch('as many empty entries as are taken', `{"supportedCurrencies":${list('{}', 11_900)}}`),
  patch('a megabyte of entries', `{"supportedCurrencies":${list('{}', 340_000)}}`),
  patch(
    'right entries before many wrong ones',
    `{"feeConfigs":[${list('{"feeType":"CROSS_CURRENCY_TRANSACTION","sourceCurrency":"USD","variableFeeBps":1,"fixedFee":{"amount":1,"currency":"USD"}}', 400).slice(1, -1)},${list('{}', 8_000).slice(1, -1)}]}`,
  ),
  patch('lists in lists', `{"supportedCurrencies":${list(list('{}', 100), 110)}}`),
  post('as many unknown keys as are taken', '/tokens', `{${keys(11_900)}}`),
  post('a megabyte of unknown keys', '/tokens', `{${keys(70_000)}}`),
  post('deep nesting', '/tokens', nested('{"a":', '}')),
  post('nesting of a megabyte', '/tokens', '['.repeat(MEGABYTE - 1_000)),
  post('quotes and escapes', '/tokens', `{"name":"${filled('\\"')}"}`),
  post('a name of a megabyte', '/tokens', `{"name":"${filled('a')}","permissions":["VIEW"]}`),
  ...['a', ' ', 'é', 'a@', '1.', '-', '\u0301', 'می\u200c'].map((char) =>
    post(
      `fields with a form, of a megabyte of ${JSON.stringify(char)}`,
      '/customers',
      JSON.stringify({
        customerType: 'INDIVIDUAL',
        ...Object.fromEntries(
          ['fullName', 'email', 'phoneNumber', 'birthDate', 'umaAddress', 'nationality'].map(
            (name) => [name, char.repeat(MEGABYTE / 8 / Buffer.byteLength(char))],
          ),
        ),
      }),
    ),
  ),
  post(
    'a beneficiary of a megabyte',
    '/platform/external-accounts',
    JSON.stringify({
      currency: 'EUR',
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban: 'DE'.repeat(100_000),
        swiftCode: 'A1'.repeat(100_000),
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: 'a '.repeat(100_000),
          email: 'a.'.repeat(100_000),
          phoneNumber: '+1 '.repeat(50_000),
        },
      },
    }),
  ),
  get('a query of many entries', `status=${'A,'.repeat(6_000)}`),
  get('a query of many parameters', Array.from({ length: 2_000 }, (_, n) => `a${n}=`).join('&')),
  get('a query that repeats one parameter', 'status=&'.repeat(1_800)),
]

describe('CORE-30 ERR-5 a costly request', () => {
  for (const [what, run] of COSTLY) {
    test(`${what}: a short refusal, and the event loop goes on`, async () => {
      // The first one compiles what the others use.
      let answer = await run()
      const stop = await longestStop(STOP_MS_MAX, async () => void (answer = await run()))
      assert.equal(answer.status, 400, answer.text.slice(0, 300))
      assert.ok(answer.text.length < ANSWER_BYTES_MAX, `${answer.text.length} bytes`)
      assert.ok(stop < STOP_MS_MAX, `the loop stood still for ${stop} ms`)
    })
  }
})

test('CORE-30 a hundred invalid fields are listed and the others counted', async () => {
  const sent = { supportedCurrencies: Array.from({ length: 60 }, () => ({})) }
  const details = expectError(await api.patch('/config', sent), 400, 'INVALID_INPUT')
  const errors = items(details['errors'])
  assert.equal(errors.length, 100)
  assert.equal(details['furtherErrors'], 60 * 5 - 100)
  const few = await api.patch('/config', { supportedCurrencies: [{}] })
  const shown = expectError(few, 400, 'INVALID_INPUT')
  assert.equal(items(shown['errors']).length, 5)
  assert.equal(shown['furtherErrors'], undefined)
})

test('CORE-30 an error behind thousands of right entries is found', async () => {
  const ids = Array<string>(2_000).fill('VIEW')
  const permissions = [...ids, 'NOTHING']
  const answer = await api.post('/tokens', { name: 'long', permissions })
  const [error] = items(expectError(answer, 400, 'INVALID_INPUT')['errors'])
  assert.equal(error?.['field'], 'permissions.2000')
})

test('ERR-5 a key that stands twice in one object is refused', async () => {
  for (const body of [
    '{"name":"a","name":"b","permissions":["VIEW"]}',
    '{"name":"a","n\\u0061me":"b","permissions":["VIEW"]}',
    '{"name":"a","permissions":["VIEW"],"x":[{"y":{"z":1,"z":1}}]}',
  ]) {
    const details = expectError(await send('POST', '/tokens', body), 400, 'INVALID_REQUEST_FORMAT')
    assert.equal(details['reason'], 'An object has the same key twice.')
  }
  const sound =
    '{"name":"a:b,\\"{[\\\\","permissions":["VIEW"],"x":{"name":{},"__proto__":[[],[1]]}}'
  assert.equal((await send('POST', '/tokens', sound)).status, 201)
})
