import { fail, refusalToError } from '../../kernel/errors.ts'
import { failNotFound, mustParseId, newId, type Id } from '../../kernel/ids.ts'
import { amountFromWire } from '../../kernel/wire-money.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { reply } from '../../infra/http/reply.ts'
import type { LaneCaller } from '../../infra/lane-command.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { failShort } from '../../ledger/post.ts'
import { mustBeAbleToPay } from '../customers/index.ts'
import { pullRefusal } from '../external-accounts/index.ts'
import {
  collectionKeysOf,
  destinationOf,
  enqueueSteps,
  incomingToWire,
  insertTransactions,
  mustBeUsable,
  newTransaction,
  pullRailOf,
  railsOf,
  sourceOf,
  takeCollectionStep,
  type IncomingTransaction,
} from '../transactions/index.ts'
import { readTerms, sizeRefusal, volumeDayOf, type Terms } from '../rates/index.ts'
import type { TransferInRequest } from './schema.ts'
import { findTransferSides, type TransferSides } from './transfer-sides.ts'

type Loaded = Readonly<{ sides: TransferSides; terms: Terms | undefined }>

type Row = Readonly<{ platformId: Id<'platform'>; transaction: IncomingTransaction }>

/**
 * Pulls money within one currency from an external account into an internal one. It is credited when the pull has
 * succeeded and not before (XFER-1, XFER-2, XFER-5, XFER-7).
 * Fails: REFERENCE_NOT_FOUND, INVALID_CURRENCY, INVALID_BANK_ACCOUNT, USER_NOT_FOUND, USER_NOT_READY,
 * END_USER_TERMS_NOT_ACCEPTED, TRANSACTION_SIZE_LIMIT_EXCEEDED, AMOUNT_OUT_OF_RANGE.
 */
export const transferIn: LaneKind<TransferInRequest, Loaded, Row> = {
  name: 'transferIn',
  load: loadTransfers,
  keys: ({ platform }, _request, { sides: { internal } }) =>
    internal ? collectionKeysOf({ platformId: platform.id, account: internal }) : [],
  decide(caller, request, loaded, book) {
    const { platform, now } = caller
    const { transaction, external } = drawTransfer(caller, request, loaded)
    const rail = pullRailOf({ kind: 'external', account: external })
    const steps = railsOf(platform.environment).collect(external)
    const [first, ...rest] = steps
    // A failure is told by itself, when it happens; success at once needs nobody to wait for it.
    const isDone = first?.event === 'complete' && first.afterSeconds === 0
    const move = isDone
      ? takeCollectionStep({ teller: caller, book, rail }, transaction, first)
      : { transaction, journals: [] }
    const shortfall = book.apply(platform.id, now, move.journals)
    if (shortfall) failShort(shortfall)
    const left = isDone ? rest : steps
    enqueueSteps(caller, { transactionId: transaction.id, steps: left, takenAt: now })
    return {
      reply: {
        ...reply(201, incomingToWire(platform.id, transaction)),
        isWorkDue: left[0]?.afterSeconds === 0,
      },
      row: { platformId: platform.id, transaction: move.transaction },
    }
  },
  save: insertTransactions,
}

async function loadTransfers(
  tx: Tx,
  commands: readonly (LaneCaller & Readonly<{ input: TransferInRequest }>)[],
): Promise<Loaded[]> {
  const found = await findTransferSides(
    tx,
    commands.map(({ platform, input: { source, destination } }) => ({
      platformId: platform.id,
      internalId: mustParseId('internalAccount', destination.accountId),
      externalId: mustParseId('externalAccount', source.accountId),
    })),
  )
  const corridors = commands.map(({ platform, now }, index) => {
    const currency = found[index]?.internal?.currency
    if (currency === undefined) return undefined
    const day = volumeDayOf(now)
    return { platformId: platform.id, sending: currency, receiving: currency, day }
  })
  const terms = await readTerms(
    tx,
    corridors.flatMap((corridor) => corridor ?? []),
  )
  return found.map((sides, index) => {
    const corridor = corridors[index]
    return { sides, terms: corridor && terms(corridor) }
  })
}

function drawTransfer({ platform, now }: LaneCaller, request: TransferInRequest, loaded: Loaded) {
  const { internal, external } = loaded.sides
  if (!external || external.deletedAt) return failNotFound('externalAccount')
  if (!internal || !loaded.terms) return failNotFound('internalAccount')
  const { currency, payer } = internal
  if (external.currency !== currency) fail('INVALID_CURRENCY', { currency })
  const refusal = pullRefusal(external, platform.environment)
  if (refusal) throw refusalToError(refusal)
  if (payer) mustBeAbleToPay(platform, payer)
  const money = { amount: amountFromWire(request.amount), currency }
  const paying = { kind: 'external', account: external } as const
  const receiving = { kind: 'internal', account: internal } as const
  mustBeUsable({ paying, receiving }, { received: money, prices: new Map() })
  const { limits, range } = loaded.terms
  const tooBig = sizeRefusal({ sending: money, limits, range })
  if (tooBig) throw refusalToError(tooBig)
  const transaction = newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: 'PENDING',
    customerId: internal.customerId,
    platformCustomerId: internal.platformCustomerId,
    source: sourceOf(paying),
    destination: destinationOf(receiving),
    sent: money,
    received: money,
    createdAt: now,
  })
  return { transaction, external }
}
