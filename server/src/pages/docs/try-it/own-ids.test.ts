/** Which lists hold the ids that a field of the real description takes, and how an object of theirs is called. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

type Field = { name: string; pattern?: string }
type Source = { operation: { id: string }; query: string; field: string }

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { createModel } = await load('../model.js')
const { createFieldReader } = await load('../schema/schema-fields.js')
const { sourcesOf } = await load('id-kinds.js')
const { wordsFor }: { wordsFor(item: unknown): string } = await load('object-words.js')

const DESCRIPTION = join(import.meta.dirname, '../../../../../docs/reference/openapi.json')
const model = createModel(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))

function listsFor(id: string, path: string): string[] {
  const operation = model.operationById.get(id)
  const parameter = operation.parameters.find(({ name }: Field) => name === path)
  const field: Field = parameter
    ? { name: path, pattern: model.reader.read(parameter.schema).notes.pattern }
    : createFieldReader(model.reader, 'request')(operation.body.content.schema).get(path)
  const sources: Source[] = sourcesOf({ model, operation, field })
  return sources.map(({ operation: list }) => list.id)
}

const INTERNAL = ['listPlatformInternalAccounts', 'listCustomerInternalAccounts']
const EXTERNAL = ['listCustomerExternalAccounts', 'listPlatformExternalAccounts']

const CASES: [operation: string, field: string, lists: string[]][] = [
  ['getCustomerById', 'customerId', ['listCustomers']],
  ['listCards', 'cardholderId', ['listCustomers']],
  ['getTokenById', 'tokenId', ['listTokens']],
  ['getEvent', 'eventId', ['listEvents']],
  ['getQuoteById', 'quoteId', ['listTransactions']],
  ['cancelTransaction', 'transactionId', ['listTransactions']],
  ['revealCard', 'cardId', ['listCards']],
  ['updateAgentPolicy', 'agentId', ['listAgents']],
  ['approveAgentAction', 'actionId', ['listAgentApprovals']],
  ['agentGetAction', 'actionId', ['agentListActions']],
  ['agentGetTransaction', 'transactionId', ['agentListTransactions']],
  ['createStablecoinMint', 'stablecoinId', ['listStablecoins']],
  ['exportInternalAccount', 'accountId', INTERNAL],
  ['sandboxFundInternalAccount', 'accountId', INTERNAL],
  ['lookupExternalAccount', 'accountId', EXTERNAL],
  ['getCustomerExternalAccountById', 'externalAccountId', ['listCustomerExternalAccounts']],
  ['getPlatformExternalAccountById', 'externalAccountId', ['listPlatformExternalAccounts']],
  ['getTimeline', 'resourceId', ['listTransactions', 'listCards', 'listCustomers']],
  ['createQuote', 'source.customerId', ['listCustomers']],
  ['createQuote', 'destination.accountId', [...INTERNAL, ...EXTERNAL]],
  ['agentCreateTransferOut', 'destination.accountId', ['agentListExternalAccounts']],
  ['createCard', 'fundingSources', INTERNAL],
  ['uploadDocument', 'documentHolder', ['listCustomers']],
  ['sandboxSimulateCardClearing', 'cardTransactionId', ['listTransactions']],
  ['createCustomer', 'platformCustomerId', []],
  ['createQuote', 'lookupId', []],
  ['createQuote', 'lockedCurrencySide', []],
]

test('OPER-172 a field that takes an id knows the lists that hold it', () => {
  for (const [operation, field, lists] of CASES) {
    assert.deepEqual(listsFor(operation, field), lists, `${operation} ${field}`)
  }
})

test('OPER-172 an object is called by its name and what matters about it', () => {
  const usd = { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 }
  const cases: [unknown, string][] = [
    [{ fullName: 'Ada', kycStatus: 'APPROVED', customerType: 'INDIVIDUAL' }, 'Ada, APPROVED'],
    [{ businessInfo: { legalName: 'Acme' }, kybStatus: 'PENDING' }, 'Acme, PENDING'],
    [
      { type: 'INTERNAL_FIAT', balance: { amount: 123_45, currency: usd }, status: 'ACTIVE' },
      'INTERNAL_FIAT, 123.45 USD, ACTIVE',
    ],
    [{ last4: '4242', state: 'FROZEN', currency: 'USD' }, '•••• 4242, USD, FROZEN'],
    [
      {
        accountInfo: { accountType: 'USD_ACCOUNT', beneficiary: { fullName: 'Ben' } },
        currency: 'USD',
        status: 'ACTIVE',
      },
      'Ben, USD, ACTIVE',
    ],
    [{ name: 'ci', permissions: ['VIEW'] }, 'ci'],
    [{}, ''],
  ]
  for (const [item, words] of cases) assert.equal(wordsFor(item), words)
})
