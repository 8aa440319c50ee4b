import { addMs } from '../../../kernel/clock.ts'
import { maskGovernmentNumber } from '../../../kernel/text/government-number.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer, isGovernmentNumber } from '../../customers/index.ts'
import { readConfig } from '../../platform/index.ts'
import { enqueueSteps, orderMoney } from '../../payments/index.ts'
import { failedAtOnce, type PayoutStep } from '../../../providers/rails/sandbox-outcomes.ts'
import { lockTransaction, type OutgoingTransaction } from '../../transactions/index.ts'
import { findReceiver, type LocalReceiver, type Receiver } from '../receiver/find-receiver.ts'
import { isInvoiceTaken } from './invoice-store.ts'
import { findPayerData, type PayerData } from './payer-data-store.ts'
import { receivePayment } from './receive-payment.ts'
import { parseUmaAddress, platformAddress } from '../receiver/address.ts'

type UmaPayment = OutgoingTransaction & Readonly<{ received: Money }>

/**
 * Hands over a funded payment to a UMA address: the sandbox plays the outcome of its address, a customer of this
 * installation gets an incoming payment to be approved (UMA-9), and the operator settles the others. Refuses nothing: a
 * payment whose receiver is gone fails and is refunded.
 */
export async function handOver(work: Work, id: Id<'transaction'>): Promise<void> {
  const transaction = await lockTransaction(work.tx, work.platform.id, id)
  if (transaction?.type !== 'OUTGOING' || transaction.status !== 'PROCESSING') return
  const { received, destination } = transaction
  const address = 'umaAddress' in destination ? parseUmaAddress(destination.umaAddress) : undefined
  if (!received || !address) return
  const looked = await findReceiver(work, address)
  const payment = { ...transaction, received }
  const invoice = invoiceOf(transaction)
  if (!looked.ok || !(await mayBePaid(work, { id, invoice, found: looked.found })))
    return scheduleSteps(work, payment, failedAtOnce('COUNTERPARTY_POST_TX_FAILED'))
  const { found } = looked
  if (found.route === 'sandbox') return scheduleSteps(work, payment, found.receiver.payout)
  if (found.route === 'local') return handToCustomer(work, payment, found)
  const query = { port: 'rails', rail: 'LIGHTNING', currency: received.currency } as const
  orderMoney(work, payment, { type: 'PAYOUT', query, money: received })
}

/** What another provider agreed to be paid by; a quote that waited for funds has their reference in its place. */
const invoiceOf = ({ reconciliationReference }: OutgoingTransaction): string | undefined =>
  reconciliationReference?.toLowerCase().startsWith('ln') ? reconciliationReference : undefined

type HandedOver = Readonly<{
  id: Id<'transaction'>
  invoice: string | undefined
  found: Receiver
}>

/**
 * The receiver is where it was when the payment was quoted: an address may have moved to another provider or from one. And
 * nobody is paid by its invoice: a node that has paid one may answer that it is paid, and this payer would have paid for
 * nothing.
 */
async function mayBePaid(
  { tx }: Work,
  { id, invoice, found: { route } }: HandedOver,
): Promise<boolean> {
  if (invoice === undefined) return route !== 'remote'
  return route === 'remote' && !(await isInvoiceTaken(tx, { invoice, exceptFor: id }))
}

function scheduleSteps(work: Work, { id }: UmaPayment, steps: readonly PayoutStep[]): void {
  enqueueSteps(work, { transactionId: id, steps, takenAt: work.now })
}

async function handToCustomer(
  work: Work,
  payment: UmaPayment,
  receiver: LocalReceiver,
): Promise<void> {
  const { id, sent, received, description } = payment
  const { platform, customer, accounts } = receiver
  const account = accounts.find(({ currency }) => currency === received.currency)
  if (!account) return scheduleSteps(work, payment, failedAtOnce('COUNTERPARTY_POST_TX_FAILED'))
  const now = addMs(work.now, platform.clockOffsetMs - work.platform.clockOffsetMs)
  const config = await readConfig(work)
  receivePayment(
    { ...work, platform, now },
    {
      senderUmaAddress: await senderAddressOf(work, payment),
      receiver: customer,
      account,
      sent,
      received,
      requestedFields:
        config.currencies.find(({ currency }) => currency === sent.currency)
          ?.requiredCounterpartyFields ?? [],
      reviewSeconds: 0,
      payer: { platformId: work.platform.id, transactionId: id },
      description,
      counterpartyInformation: maskNumbers(await findPayerData(work, id)),
    },
  )
}

/**
 * The receiver's platform gets only the end of a government number, because its answers and events show the payer's data
 * (CUST-12).
 */
function maskNumbers(data: PayerData | undefined): PayerData | null {
  if (!data) return null
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isGovernmentNumber(name) ? maskedNumber(value) : value,
    ]),
  )
}

/** The sender's platform may have sent a value of any type. */
const maskedNumber = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? maskGovernmentNumber(String(value))
    : '****'

async function senderAddressOf(work: Work, { customerId }: UmaPayment): Promise<string> {
  const customer = customerId ? await findCustomer(work, customerId) : undefined
  if (customer) return customer.umaAddress
  return platformAddress(await readConfig(work))
}
