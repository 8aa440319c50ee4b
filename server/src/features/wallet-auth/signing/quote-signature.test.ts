import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asId } from '../../../kernel/ids.ts'
import { quotePayload } from '../index.ts'

const organizationId = '019a0000-0000-7000-8000-000000000001'
const walletId = '019a0000-0000-7000-8000-000000000002'

test('SIGN-18 the payload of a quote names no signature request and writes amounts as text', () => {
  const payload = quotePayload(
    { organizationId, walletId },
    {
      quoteId: asId('quote', '019a0000-0000-7000-8000-000000000003'),
      destination: { destinationType: 'ACCOUNT' },
      feesIncluded: 10n,
      sendingCurrency: 'USDB',
      receivingCurrency: 'USD',
      totalSendingAmount: 1000n,
      totalReceivingAmount: 990n,
    },
    new Date(0),
  )
  const content = JSON.parse(payload) as Record<string, Record<string, unknown>>
  assert.equal(content['requestId'], undefined)
  assert.equal(content['parameters']?.['totalSendingAmount'], '1000')
  assert.equal(content['parameters']?.['signWith'], walletId)
})
