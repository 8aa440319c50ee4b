import { Type, type Static } from '../infra/http/schema/type.ts'
import { failOutOfRange } from '../kernel/money/amount-range.ts'
import { fail, failFields, type FieldError } from '../kernel/errors.ts'
import { mustParseId } from '../kernel/ids.ts'
import { AMOUNT_MAX } from '../kernel/money/money.ts'
import { convertedAmount, invert } from '../kernel/money/rate.ts'
import { amountFromWire } from '../kernel/money/wire-money.ts'
import { write, type Operation } from '../infra/http/operation.ts'
import { reply } from '../infra/http/reply.ts'
import { amount, idField, object } from '../infra/http/schema/wire-schema.ts'
import type { Work } from '../infra/work/work.ts'
import { findCustomerByUma, mustFindCustomer, type Customer } from '../features/customers/index.ts'
import { readConfig, takesIncoming } from '../features/platform/index.ts'
import { midRate, SANDBOX_PRICES } from '../features/rates/index.ts'
import { incomingToWire, TransactionSchema } from '../features/transactions/index.ts'
import {
  findSandboxSender,
  formatUmaAddress,
  listDepositAccounts,
  mustParseUmaAddress,
  receivePayment,
} from '../features/uma/index.ts'

const ReceiveRequestSchema = object('SandboxUmaReceiveRequest', {
  senderUmaAddress: Type.String({ description: 'One of the sandbox’s own addresses.' }),
  receiverUmaAddress: Type.Optional(Type.String()),
  customerId: Type.Optional(idField('customer', 'The same, by its id.')),
  receivingCurrencyCode: Type.String(),
  receivingCurrencyAmount: amount(),
})

type ReceiveRequest = Static<typeof ReceiveRequestSchema>

/** Simulates a payment to a customer's UMA address (chapter 31, 9.4). */
export const umaRoutes: readonly Operation[] = [
  write({
    id: 'sandboxReceive',
    method: 'POST',
    path: '/sandbox/uma/receive',
    tag: 'Sandbox',
    needs: 'TRANSACT',
    summary: 'Receive a UMA payment',
    description: 'The platform is asked for its approval as by a payment from another provider.',
    body: ReceiveRequestSchema,
    example: {
      senderUmaAddress: '$success.usd@sandbox.uma.test',
      customerId: 'Customer:0199e7a5-0000-7000-8000-000000000001',
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 5_000,
    },
    replies: { 200: TransactionSchema },
    errors: [
      'INVALID_UMA_ADDRESS',
      'UMA_NOT_FOUND',
      'USER_NOT_FOUND',
      'INVALID_CURRENCY',
      'AMOUNT_OUT_OF_RANGE',
    ],
    check: ({ body }) => checkReceiverNamed(body),
    settlesAtOnce: true,
    handler: async ({ work, body }) =>
      reply(200, incomingToWire(work.platform.id, await receive(work, body))),
  }),
]

/** Accepts unvalidated input. */
function checkReceiverNamed(body: unknown): FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const { receiverUmaAddress, customerId } = body as Readonly<Record<string, unknown>>
  if (receiverUmaAddress !== undefined || customerId !== undefined) return []
  return [{ field: 'receiverUmaAddress', message: 'is required unless customerId is given' }]
}

async function receive(work: Work, body: ReceiveRequest) {
  const sandboxDomains = work.settings.sandboxUmaDomains
  const address = mustParseUmaAddress(body.senderUmaAddress)
  const looked = findSandboxSender({ address, sandboxDomains })
  if (!looked.ok) return fail(looked.code)
  const receiver = await mustFindReceiver(work, body)
  const { receivingCurrencyCode: currency } = body
  const accounts = await listDepositAccounts(work, receiver)
  const account = accounts.find((one) => one.currency === currency)
  if (!account) return fail('INVALID_CURRENCY', { currency })
  if (!takesIncoming(await readConfig(work), currency)) {
    return fail('INVALID_CURRENCY', { currency, transactionType: 'INCOMING' })
  }
  const received = { amount: amountFromWire(body.receivingCurrencyAmount), currency }
  const { found: sender } = looked
  const rate = midRate({ sending: sender.currency, receiving: currency, prices: SANDBOX_PRICES })
  if (!rate) return fail('INVALID_CURRENCY', { currency })
  const sentAmount = convertedAmount(received, invert(rate), 'up')
  if (sentAmount > AMOUNT_MAX) {
    const most = { amount: AMOUNT_MAX, currency: sender.currency }
    return failOutOfRange({ maximum: convertedAmount(most, rate, 'down'), currency })
  }
  return receivePayment(work, {
    senderUmaAddress: formatUmaAddress(address),
    receiver,
    account,
    sent: { amount: sentAmount, currency: sender.currency },
    received,
    requestedFields: sender.asksOfPayee,
    reviewSeconds: sender.approvalAfterSeconds,
    failure: sender.failure,
    payer: null,
  })
}

async function mustFindReceiver(
  work: Work,
  { receiverUmaAddress, customerId }: ReceiveRequest,
): Promise<Customer> {
  if (receiverUmaAddress === undefined) {
    return mustFindCustomer(work, mustParseId('customer', customerId ?? ''))
  }
  const address = formatUmaAddress(mustParseUmaAddress(receiverUmaAddress))
  const customer = (await findCustomerByUma(work, address)) ?? fail('UMA_NOT_FOUND')
  if (customerId !== undefined && mustParseId('customer', customerId) !== customer.id) {
    const message = 'must be the customer with receiverUmaAddress'
    return failFields([{ field: 'customerId', message }])
  }
  return customer
}
