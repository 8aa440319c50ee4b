import { addMs } from '../../../kernel/clock.ts'
import { maskGovernmentNumber } from '../../../kernel/government-number.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money.ts'
import type { Work } from '../../../infra/work.ts'
import { findCustomer, isGovernmentNumber } from '../../customers/index.ts'
import { readConfig } from '../../platform/index.ts'
import {
  enqueueSteps,
  failedAtOnce,
  lockTransaction,
  type OutgoingTransaction,
  type PayoutStep,
} from '../../transactions/index.ts'
import { findReceiver, type LocalReceiver } from '../receiver/find-receiver.ts'
import { findPayerData, type PayerData } from './payer-data-store.ts'
import { receivePayment } from './receive-payment.ts'
import { parseUmaAddress, platformAddress } from '../receiver/address.ts'

type UmaPayment = OutgoingTransaction & Readonly<{ received: Money }>

/**
 * Takes on a payment to a UMA address, whose money is here: the sandbox plays what its address stands for, a customer
 * here gets an incoming payment to be approved (UMA-9), and what goes elsewhere is settled by the operator. Refuses
 * nothing: where there is nobody any more, the payment fails and is refunded.
 */
export async function handOver(work: Work, id: Id<'transaction'>): Promise<void> {
  const transaction = await lockTransaction(work.tx, work.platform.id, id)
  if (transaction?.type !== 'OUTGOING' || transaction.status !== 'PROCESSING') return
  const { received, destination } = transaction
  const address = 'umaAddress' in destination ? parseUmaAddress(destination.umaAddress) : undefined
  if (!received || !address) return
  const looked = await findReceiver(work, address)
  const payment = { ...transaction, received }
  if (!looked.ok) return play(work, payment, failedAtOnce('COUNTERPARTY_POST_TX_FAILED'))
  const { found } = looked
  if (found.route === 'sandbox') return play(work, payment, found.receiver.payout)
  if (found.route === 'local') await passOn(work, payment, found)
}

function play(work: Work, { id }: UmaPayment, steps: readonly PayoutStep[]): void {
  enqueueSteps(work, { transactionId: id, steps, takenAt: work.now })
}

async function passOn(work: Work, payment: UmaPayment, receiver: LocalReceiver): Promise<void> {
  const { id, sent, received, description } = payment
  const { platform, customer, accounts } = receiver
  const account = accounts.find(({ currency }) => currency === received.currency)
  if (!account) return play(work, payment, failedAtOnce('COUNTERPARTY_POST_TX_FAILED'))
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
      counterpartyInformation: withoutNumbers(await findPayerData(work, id)),
    },
  )
}

/**
 * CUST-12 goes before what the receiver's platform asks: of a government's number it learns the end, since whatever
 * it is told it is answered, and told in events.
 */
function withoutNumbers(data: PayerData | undefined): PayerData | null {
  if (!data) return null
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isGovernmentNumber(name) ? maskedNumber(value) : value,
    ]),
  )
}

/** Somebody's platform may have told anything in its place. */
const maskedNumber = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? maskGovernmentNumber(String(value))
    : '****'

async function senderAddressOf(work: Work, { customerId }: UmaPayment): Promise<string> {
  const customer = customerId ? await findCustomer(work, customerId) : undefined
  if (customer) return customer.umaAddress
  return platformAddress(await readConfig(work))
}
