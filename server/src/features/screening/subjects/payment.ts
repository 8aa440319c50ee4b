/** Payments out, which wait for the verdict (PROV-104). */
import { fail } from '../../../kernel/errors.ts'
import { formatId, mustParseId, parseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listOpenOfSubject, openException, type Order } from '../../../orders/index.ts'
import { lockAccountsOfCustomer } from '../../internal-accounts/index.ts'
import { readParties } from '../../payment-terms/index.ts'
import { awaitsScreening, rejectScreened, sendScreened } from '../../payments/index.ts'
import { lockTransaction, type OutgoingTransaction } from '../../transactions/index.ts'
import { restrictCustomer } from '../restrict-customer.ts'
import { listScreenings, type Match } from '../store.ts'
import type { SubjectKind } from './subject.ts'

const TYPE = 'SCREENING_REVIEW'

const lockOf = async ({ tx, platform }: Work, { subject }: Order): Promise<OutgoingTransaction> => {
  const transaction = await lockTransaction(
    tx,
    platform.id,
    mustParseId('transaction', subject ?? ''),
  )
  invariant(transaction?.type === 'OUTGOING', 'A payment that is screened is there.')
  return transaction
}

export const paymentSubject: SubjectKind = {
  covers: ({ subject, request }) =>
    parseId('transaction', subject ?? '') !== undefined && request['direction'] === 'OUTGOING',
  lock: lockOf,
  async describe(work, order) {
    const transaction = await lockOf(work, order)
    const { owner, destination } = await readParties(work, transaction)
    const { party, account } = destination
    return {
      subjectType: 'PAYMENT',
      subject: order.subject,
      direction: 'OUTGOING',
      parties: [owner, ...(party ? [party] : [])],
      ...(account && { account }),
    }
  },
  async act(work, order, { verdict, matches }) {
    const transaction = await lockOf(work, order)
    if (!awaitsScreening(transaction)) return
    if (verdict === 'BLOCK') return block(work, transaction, matches)
    const { platformId, subject, id: orderId, providerId } = order
    const open = await listOpenOfSubject(work.tx, {
      platformId,
      type: TYPE,
      subject: subject ?? '',
    })
    // A person has it already: no later word of the provider takes it back.
    if (open.length > 0) return
    if (verdict === 'CLEAR') return sendScreened(work, transaction)
    openException(work, { type: TYPE, orderId, providerId, subject, details: { verdict } })
  },
  async reviewed(work, order, as) {
    const transaction = await lockOf(work, order)
    const isWaiting = awaitsScreening(transaction)
    if (as === 'RELEASED') {
      return isWaiting ? sendScreened(work, transaction) : fail('CONFLICT', { reason: 'ENDED' })
    }
    const [found] = await listScreenings(work, [order.subject ?? ''])
    if (isWaiting) await block(work, transaction, found?.matches ?? [])
  },
}

/**
 * The refund comes before the freeze: a frozen account keeps what came back to it. The accounts are locked before the
 * refund locks a balance, as in a payment.
 */
async function block(
  work: Work,
  transaction: OutgoingTransaction,
  matches: readonly Match[],
): Promise<void> {
  const isPayerFound = matches.some(({ subject }) => subject === 'PAYER')
  const customerId = isPayerFound ? transaction.customerId : null
  if (customerId !== null) await lockAccountsOfCustomer(work, { customerId })
  await rejectScreened(work, transaction)
  if (customerId === null) return
  const found = { reason: 'SCREENING_BLOCK', level: 'BLOCK', isAlert: false } as const
  await restrictCustomer(work, { customerId, subject: formatId('customer', customerId), ...found })
}
