/** Transfers that waited for the platform's word, and now have it (ACT-21). */
import { fail, refusalToError } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work.ts'
import { postWith } from '../../ledger/post.ts'
import { mustBeAbleToPay } from '../customers/index.ts'
import {
  countVolume,
  mustFitVolume,
  readTerms,
  sizeRefusal,
  volumeDayOf,
  writeVolumes,
} from '../rates/index.ts'
import { lockScaPayers } from '../sca/index.ts'
import {
  acceptPayment,
  collectionKeysOf,
  deliveryKeysOf,
  endsOf,
  findSides,
  insertTransactions,
  loadPaymentTerms,
  mustBeUsable,
  saveTransactions,
  tellOutgoing,
  wantedSidesOf,
  type IncomingTransaction,
  type OutgoingTransaction,
  type Transaction,
} from '../transactions/index.ts'
import { beginCollection } from './transfer-in.ts'
import { mustNeedNoProof } from './transfer-out.ts'

/**
 * Runs a pending transfer as it was drawn up, if it may be run now. Its price stays; everything that can have changed
 * is asked again. The caller holds its lock.
 * Fails: as the transfer itself does (INVALID_CURRENCY where it is not sent any more), and CONFLICT where an account is
 * gone; nothing is posted then.
 */
export function resumeTransfer(work: Work, transaction: Transaction): Promise<Transaction> {
  return transaction.type === 'INCOMING'
    ? resumeIn(work, transaction)
    : resumeOut(work, transaction)
}

async function loadEnds({ tx, platform }: Work, transaction: Transaction) {
  const sides = await findSides(tx, wantedSidesOf(platform.id, transaction))
  return endsOf(platform.id, transaction, sides)
}

async function resumeOut(work: Work, before: OutgoingTransaction): Promise<OutgoingTransaction> {
  const { tx, platform, now } = work
  const { paying, receiving } = await loadEnds(work, before)
  invariant(paying.kind === 'internal' && receiving.kind === 'external', 'A transfer goes out.')
  const corridor = { sending: paying.account.currency, receiving: receiving.account.currency }
  const asked = { platform, now, ...corridor }
  const terms = (await loadPaymentTerms(tx, [asked]))(asked)
  const { customerId, payer } = paying.account
  const key = customerId && { platformId: platform.id, customerId }
  const payerOf = await lockScaPayers(tx, key ? [key] : [])
  if (!terms.terms.isOutgoingEnabled) fail('INVALID_CURRENCY', { currency: corridor.sending })
  if (payer) mustBeAbleToPay(platform, payer)
  mustNeedNoProof(key ? payerOf(key) : undefined, receiving.account, now)
  mustBeUsable(
    { paying, receiving },
    { received: before.received ?? before.sent, prices: terms.prices },
  )
  const { limits, range } = terms.terms
  mustPass(sizeRefusal({ sending: before.sent, limits, range }))
  const transaction = { ...before, countedOn: terms.corridor.day }
  const payment = {
    platformId: platform.id,
    transaction,
    paying,
    receiving,
    feeAccountId: undefined,
  }
  const debit = { ...terms, sending: transaction.sent, now }
  const accepted = await postWith(work, deliveryKeysOf(payment), (book) => {
    mustFitVolume(book, debit)
    tellOutgoing(work, transaction)
    const done = acceptPayment({ teller: work, payment, book }, { kind: 'transfer' })
    countVolume(book, debit)
    writeVolumes(tx, book)
    return done
  })
  saveTransactions(tx, [{ platformId: platform.id, transaction: accepted.transaction }])
  const received = accepted.received.map((one) => ({ platformId: platform.id, transaction: one }))
  if (received.length > 0) insertTransactions(tx, received)
  return accepted.transaction
}

async function resumeIn(work: Work, before: IncomingTransaction): Promise<IncomingTransaction> {
  const { tx, platform, now } = work
  const { paying, receiving } = await loadEnds(work, before)
  invariant(paying.kind === 'external' && receiving.kind === 'internal', 'A transfer comes in.')
  if (paying.account.deletedAt) fail('CONFLICT', { reason: 'SOURCE_DELETED' })
  const { payer, currency } = receiving.account
  if (payer) mustBeAbleToPay(platform, payer)
  mustBeUsable({ paying, receiving }, { received: before.received, prices: new Map() })
  const day = volumeDayOf(now)
  const corridor = { platformId: platform.id, sending: currency, receiving: currency, day }
  const { limits, range } = (await readTerms(tx, [corridor]))(corridor)
  mustPass(sizeRefusal({ sending: before.received, limits, range }))
  const keys = collectionKeysOf({ platformId: platform.id, account: receiving.account })
  const begun = await postWith(work, keys, (book) =>
    beginCollection(
      { ...work, action: 'resumeTransfer' },
      { transaction: before, external: paying.account, book },
    ),
  )
  const { transaction } = begun
  saveTransactions(tx, [{ platformId: platform.id, transaction }])
  return transaction
}

function mustPass(refusal: ReturnType<typeof sizeRefusal>): void {
  if (refusal) throw refusalToError(refusal)
}
