/** What people send who are new to the API, and what they are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basicAuth, expectStatus, text, type Body } from '../kit/api.ts'
import { startKit } from '../kit/florin.ts'
import { payee, payer, quote, quoteBody } from '../kit/payments.ts'

const kit = await startKit()
const platform = await kit.platform()
const { api } = platform
const { account, customerId } = await payer(platform)
const to = await payee(platform, 'USD_ACCOUNT')
const payment = { from: account, to, amount: 1_000 }
const executed = expectStatus(await quote(platform, payment), 201).id
expectStatus(await api.post(`/quotes/${executed}/execute`), 200)
const open = expectStatus(await quote(platform, payment), 201).id
const reading = { name: 'reader', permissions: ['VIEW'] }
const reader = expectStatus(await api.post('/tokens', reading), 201)
const { clientId, clientSecret = '' } = reader
const PERSON = { customerType: 'INDIVIDUAL', region: 'US', fullName: 'Ada Moreau' }
const first = { ...PERSON, platformCustomerId: 'taken' }
expectStatus(await api.post('/customers', first, { headers: { 'idempotency-key': 'used' } }), 201)

const UUID = '00000000-0000-7000-8000-000000000000'
const VERSION = '/2025-10-13'

type Sent = Readonly<{
  /** JSON, or text that is sent as it is. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Without the version in front. */
  isBare?: boolean
}>
type Expected = Readonly<{ details?: object; message?: RegExp }>
type Row = readonly [why: string, request: string, answer: string, expected?: Expected, sent?: Sent]

const missing = (resource: string, field: string): Expected => ({
  details: { resource, field, id: `${resource}:${UUID}` },
})
const field = (name: string, message?: string, constraint?: object): Expected => ({
  details: {
    errors: [{ field: name, ...(message && { message }), ...(constraint && { constraint }) }],
  },
})
const write = (path: string): Expected => ({
  details: { path: `${VERSION}${path}` },
  message: new RegExp(`write it as ${VERSION}${path}\\.$`),
})
const reason = (what: string): Expected => ({ details: { reason: what } })
const bare: Sent = { isBare: true }
const paying = (changes: object): Sent => ({ body: { ...quoteBody(payment), ...changes } })
const person = (changes: object): Sent => ({ body: { ...PERSON, ...changes } })
const by = (authorization: string): Sent => ({ headers: { authorization } })
const SMALLEST =
  'must be an integer: amounts are in the smallest unit of the currency, 1050 for 10.50 USD'
const BASIC: Expected = { message: /client id and the client secret .* HTTP Basic/ }

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  'ERR-20 a 404 names the field and the id': [
    [
      'a filter',
      `GET /transactions?customerId=Customer:${UUID}`,
      '404 USER_NOT_FOUND',
      missing('Customer', 'customerId'),
    ],
    [
      'a payee',
      'POST /quotes',
      '404 REFERENCE_NOT_FOUND',
      missing('ExternalAccount', 'destination.accountId'),
      { body: quoteBody({ ...payment, to: `ExternalAccount:${UUID}` }) },
    ],
    [
      'a payer',
      'POST /quotes',
      '404 REFERENCE_NOT_FOUND',
      missing('InternalAccount', 'source.accountId'),
      { body: quoteBody({ ...payment, from: `InternalAccount:${UUID}` }) },
    ],
    [
      'a payee of a transfer',
      'POST /transfer-out',
      '404 REFERENCE_NOT_FOUND',
      missing('ExternalAccount', 'destination.accountId'),
      {
        body: {
          source: { accountId: account },
          destination: { accountId: `ExternalAccount:${UUID}` },
          amount: 5,
        },
      },
    ],
    [
      'a holder of an agent',
      `GET /agents?customerId=Customer:${UUID}`,
      '404 USER_NOT_FOUND',
      missing('Customer', 'customerId'),
    ],
    [
      'an owner of a payee',
      'POST /customers/external-accounts',
      '404 USER_NOT_FOUND',
      missing('Customer', 'customerId'),
      {
        body: {
          customerId: `Customer:${UUID}`,
          currency: 'EUR',
          accountInfo: {
            accountType: 'EUR_ACCOUNT',
            iban: 'DE89370400440532013000',
            beneficiary: {
              beneficiaryType: 'INDIVIDUAL',
              fullName: 'Jane Doe',
              countryOfResidence: 'DE',
            },
          },
        },
      },
    ],
  ],
  'CORE-3 ERR-20 an id in the path is not found in the words of its kind': [
    [
      'an unknown id',
      `GET /customers/Customer:${UUID}`,
      '404 USER_NOT_FOUND',
      { message: /No customer/ },
    ],
    ['a number', 'GET /customers/42', '404 USER_NOT_FOUND', { message: /No customer/ }],
    ['no prefix', `GET /customers/${UUID}`, '404 USER_NOT_FOUND', { message: /No customer/ }],
    ['another kind', `GET /customers/${account}`, '404 USER_NOT_FOUND', { message: /No customer/ }],
    [
      'nothing after the slash',
      'GET /customers/',
      '404 USER_NOT_FOUND',
      { message: /No customer/ },
    ],
    [
      'a transaction',
      `GET /transactions/Transaction:${UUID}`,
      '404 TRANSACTION_NOT_FOUND',
      { message: /No transaction/ },
    ],
    [
      'a quote',
      `POST /quotes/Quote:${UUID}/execute`,
      '404 QUOTE_NOT_FOUND',
      { message: /No quote/ },
    ],
    ['a token', `GET /tokens/Token:${UUID}`, '404 TOKEN_NOT_FOUND', { message: /No API token/ }],
    ['a card', `GET /cards/Card:${UUID}`, '404 REFERENCE_NOT_FOUND', { message: /path or id/ }],
    [
      'an account to fund',
      `POST /sandbox/internal-accounts/InternalAccount:${UUID}/fund`,
      '404 REFERENCE_NOT_FOUND',
      { message: /path or id/ },
      { body: { amount: 5 } },
    ],
  ],
  'ERR-22 a path that is almost right is named as it should be': [
    ['no version', 'GET /customers', '404 REFERENCE_NOT_FOUND', write('/customers'), bare],
    [
      'no version, with an id',
      `GET /customers/${customerId}`,
      '404 REFERENCE_NOT_FOUND',
      write(`/customers/${customerId}`),
      bare,
    ],
    [
      'no version, with a query',
      'GET /transactions?limit=2',
      '404 REFERENCE_NOT_FOUND',
      write('/transactions'),
      bare,
    ],
    [
      'no version, to write',
      'POST /quotes',
      '404 REFERENCE_NOT_FOUND',
      write('/quotes'),
      { ...paying({}), ...bare },
    ],
    ['/v1', 'GET /v1/customers', '404 REFERENCE_NOT_FOUND', write('/customers'), bare],
    ['/api/v1', 'GET /api/v1/config', '404 REFERENCE_NOT_FOUND', write('/config'), bare],
    ['a slash at the end', 'GET /config/', '404 REFERENCE_NOT_FOUND', write('/config')],
    [
      'another version',
      'GET /2024-01-01/customers',
      '404 REFERENCE_NOT_FOUND',
      { message: /supported version is 2025-10-13/ },
      bare,
    ],
    [
      'a path that is nowhere',
      'GET /payouts',
      '404 REFERENCE_NOT_FOUND',
      { message: /check both/ },
    ],
    [
      'PUT',
      `PUT /customers/${customerId}`,
      '405 METHOD_NOT_ALLOWED',
      { details: { allowed: ['GET', 'HEAD', 'DELETE', 'PATCH'] } },
      person({}),
    ],
    [
      'DELETE of a list',
      'DELETE /customers',
      '405 METHOD_NOT_ALLOWED',
      { details: { allowed: ['POST', 'GET', 'HEAD'] } },
    ],
    [
      'POST of what is only read',
      'POST /transactions',
      '405 METHOD_NOT_ALLOWED',
      { details: { allowed: ['GET', 'HEAD'] } },
      person({}),
    ],
  ],
  'ERR-23 CORE-20 credentials are asked for in one form': [
    ['none', 'GET /config', '401 UNAUTHORIZED', BASIC, by('')],
    [
      'the secret as a bearer token',
      'GET /config',
      '401 UNAUTHORIZED',
      BASIC,
      by(`Bearer ${clientSecret}`),
    ],
    [
      'not in base64',
      'GET /config',
      '401 UNAUTHORIZED',
      BASIC,
      by(`Basic ${clientId}:${clientSecret}`),
    ],
    [
      'a wrong secret',
      'GET /config',
      '401 UNAUTHORIZED',
      BASIC,
      by(basicAuth({ clientId, clientSecret: 'x' })),
    ],
    ['an API token for an agent', 'GET /agents/me', '401 UNAUTHORIZED', { message: /Bearer agt_/ }],
    [
      'a token that may only read',
      'POST /customers',
      '403 FORBIDDEN',
      { details: { requiredPermission: 'MANAGE' } },
      { ...person({}), ...by(basicAuth({ clientId, clientSecret })) },
    ],
  ],
  'ERR-23 a body that cannot be read says where': [
    [
      'a comma too many',
      'POST /customers',
      '400 INVALID_REQUEST_FORMAT',
      reason('The body is not valid JSON: line 2 column 1.'),
      { body: '{"region": "US",\n}' },
    ],
    [
      'single quotes',
      'POST /customers',
      '400 INVALID_REQUEST_FORMAT',
      reason('The body is not valid JSON: line 1 column 2.'),
      { body: "{'region': 'US'}" },
    ],
    [
      'cut off',
      'POST /customers',
      '400 INVALID_REQUEST_FORMAT',
      reason('The body is not valid JSON: line 1 column 7.'),
      { body: '{"a":1' },
    ],
    [
      'a key twice',
      'POST /customers',
      '400 INVALID_REQUEST_FORMAT',
      reason('An object has the same key twice.'),
      { body: '{"a":1,"a":2}' },
    ],
    [
      'a form',
      'POST /customers',
      '415 UNSUPPORTED_MEDIA_TYPE',
      { message: /send application\/json/ },
      { body: 'region=US', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'JSON as plain text',
      'POST /customers',
      '415 UNSUPPORTED_MEDIA_TYPE',
      { message: /send application\/json/ },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ],
    ['no body', 'POST /customers', '400 INVALID_INPUT', field('', 'must be a JSON object')],
    [
      'a list',
      'POST /customers',
      '400 INVALID_INPUT',
      field('', 'must be a JSON object'),
      { body: [] },
    ],
  ],
  'ERR-23 an amount is in the smallest unit': [
    [
      'decimals',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', SMALLEST),
      paying({ lockedCurrencyAmount: 10.5 }),
    ],
    [
      'text',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', SMALLEST),
      paying({ lockedCurrencyAmount: '10.50' }),
    ],
    [
      'text with commas',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', SMALLEST),
      paying({ lockedCurrencyAmount: '1,050' }),
    ],
    [
      'decimals to fund with',
      `POST /sandbox/internal-accounts/${account}/fund`,
      '400 INVALID_INPUT',
      field('amount', SMALLEST),
      { body: { amount: 12.34 } },
    ],
    [
      'nothing',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', 'must be at least 1'),
      paying({ lockedCurrencyAmount: 0 }),
    ],
    [
      'less than nothing',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', 'must be at least 1'),
      paying({ lockedCurrencyAmount: -5 }),
    ],
    [
      'no number at all',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencyAmount', 'must be an integer'),
      paying({ lockedCurrencyAmount: true }),
    ],
  ],
  'ERR-23 CORE-30 a field says how it is written': [
    [
      'nothing given',
      'POST /customers',
      '400 INVALID_INPUT',
      field('customerType', 'is required', { enum: ['INDIVIDUAL', 'BUSINESS'] }),
      { body: {} },
    ],
    [
      'a choice in small letters',
      'POST /customers',
      '400 INVALID_INPUT',
      field('customerType', 'must be one of INDIVIDUAL, BUSINESS'),
      person({ customerType: 'individual' }),
    ],
    [
      'the name of a country',
      'POST /customers',
      '400 INVALID_INPUT',
      field('region', 'must be a country code of two capital letters, such as US'),
      person({ region: 'Germany' }),
    ],
    [
      'no e-mail address',
      'POST /customers',
      '400 INVALID_INPUT',
      field('email', 'must be an e-mail address'),
      person({ email: 'nobody' }),
    ],
    [
      'a date of the country',
      'POST /customers',
      '400 INVALID_INPUT',
      field('birthDate', 'must be a date as YYYY-MM-DD'),
      person({ birthDate: '01/02/1990' }),
    ],
    [
      'a phone number of the country',
      'POST /customers',
      '400 INVALID_INPUT',
      field(
        'phoneNumber',
        'must be a telephone number with + and country code, such as +14155550123',
      ),
      person({ phoneNumber: '0170 1234' }),
    ],
    [
      'a side in small letters',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('lockedCurrencySide', 'must be one of SENDING, RECEIVING'),
      paying({ lockedCurrencySide: 'sending' }),
    ],
    [
      'no type of the destination',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('destination.destinationType', 'is required', { enum: ['ACCOUNT', 'UMA_ADDRESS'] }),
      paying({ destination: { accountId: to } }),
    ],
    [
      'a customer in the place of an account',
      'POST /quotes',
      '400 INVALID_INPUT',
      field('destination.accountId', 'has the wrong form'),
      { body: quoteBody({ ...payment, to: customerId }) },
    ],
    [
      'no scheme in an address',
      'PATCH /config',
      '400 INVALID_INPUT',
      field('webhookEndpoint', 'must be an absolute http or https address'),
      { body: { webhookEndpoint: 'localhost:3000/hook' } },
    ],
    [
      'a permission that there is not',
      'POST /tokens',
      '400 INVALID_INPUT',
      field('permissions.0', 'must be one of VIEW, TRANSACT, MANAGE'),
      { body: { name: 'x', permissions: ['READ'] } },
    ],
    [
      'an account type that there is not',
      'POST /platform/external-accounts',
      '400 INVALID_INPUT',
      field('accountInfo.accountType'),
      { body: { currency: 'EUR', accountInfo: { accountType: 'IBAN' } } },
    ],
    [
      'a parameter with a typo',
      'GET /customers?limitt=2',
      '400 INVALID_INPUT',
      { details: { suggestions: { limitt: 'limit' } } },
    ],
    [
      'a parameter in small letters',
      'GET /transactions?customerid=x',
      '400 INVALID_INPUT',
      { details: { suggestions: { customerid: 'customerId' } } },
    ],
    [
      'too long a page',
      'GET /customers?limit=1000',
      '400 INVALID_INPUT',
      field('limit', 'must be at most 100'),
    ],
    [
      'a word for a number',
      'GET /customers?limit=ten',
      '400 INVALID_INPUT',
      field('limit', 'must be an integer'),
    ],
    [
      'a cursor of one’s own',
      'GET /customers?cursor=2',
      '400 INVALID_INPUT',
      field('cursor', 'is not a cursor of this list with these filters'),
    ],
    [
      'a word for an instant',
      'GET /transactions?startDate=yesterday',
      '400 INVALID_INPUT',
      field(
        'startDate',
        'must be an ISO 8601 instant with its offset, such as 2026-01-31T12:00:00Z, or a date',
      ),
    ],
    [
      'an empty key',
      `POST /quotes/${open}/execute`,
      '400 INVALID_INPUT',
      field('Idempotency-Key', 'must be 1 to 255 printable ASCII characters'),
      { headers: { 'idempotency-key': '' } },
    ],
  ],
  'ERR-23 what is in the way is named': [
    [
      'an id of the platform that is taken',
      'POST /customers',
      '409 CONFLICT',
      { details: { reason: 'PLATFORM_CUSTOMER_ID_TAKEN' } },
      person({ platformCustomerId: 'taken' }),
    ],
    [
      'a quote that was executed',
      `POST /quotes/${executed}/execute`,
      '409 CONFLICT',
      { details: { quoteStatus: 'COMPLETED' } },
    ],
    [
      'a key of another request',
      'POST /customers',
      '409 IDEMPOTENCY_KEY_REUSED',
      { message: /use a new key/ },
      { ...person({ fullName: 'Bo Lind' }), headers: { 'idempotency-key': 'used' } },
    ],
    [
      'the same account twice',
      'POST /quotes',
      '400 SELF_PAYMENT',
      { message: /two different accounts/ },
      { body: quoteBody({ ...payment, to: account }) },
    ],
    [
      'more than there is',
      'POST /quotes',
      '400 INSUFFICIENT_BALANCE',
      {},
      paying({ lockedCurrencyAmount: 90_000_000, immediatelyExecute: true }),
    ],
    [
      'no endpoint for webhooks',
      'POST /sandbox/webhooks/test',
      '400 WEBHOOK_ENDPOINT_NOT_SET',
      { message: /set webhookEndpoint/ },
    ],
  ],
}

async function send(
  request: string,
  { body, headers = {}, isBare = false }: Sent,
): Promise<Response> {
  const [method = '', path = ''] = request.split(' ')
  const base = isBare ? kit.baseUrl.slice(0, -VERSION.length) : kit.baseUrl
  const given = {
    authorization: basicAuth(platform),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  const isGiven = ([name, value]: [string, string]) => name !== 'authorization' || value !== ''
  return fetch(`${base}${path}`, {
    method,
    headers: Object.entries(given).filter(isGiven),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

for (const [rule, rows] of Object.entries(TABLE))
  test(`ERR-21 ${rule}`, async (t) => {
    for (const [why, request, answer, { details = {}, message = /\S/ } = {}, sent = {}] of rows)
      await t.test(why, async () => {
        const response = await send(request, sent)
        const body = (await response.json()) as Body
        const code = text(body['code'])
        assert.equal(`${response.status} ${code}`, answer, JSON.stringify(body))
        assert.partialDeepStrictEqual(body['details'], details)
        assert.match(text(body['message']), message)
        assert.equal(text(body['details']?.['docUrl']), `/docs#errors/${code}`)
      })
  })

test('ERR-20 a refusal that is repeated under its key names the same', async () => {
  const body = quoteBody({ ...payment, to: `ExternalAccount:${UUID}` })
  const headers = { 'idempotency-key': 'missing-payee' }
  const refused = await api.post('/quotes', body, { headers })
  const again = await api.post('/quotes', body, { headers })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, refused.body)
})
