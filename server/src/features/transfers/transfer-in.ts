import { fail, failFields, mustPass } from '../../kernel/errors.ts'
import { failNotFound, mustParseId, newId, type Id } from '../../kernel/ids.ts'
import { amountFromWire } from '../../kernel/money/wire-money.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { reply } from '../../infra/http/reply.ts'
import type { LaneCaller } from '../../infra/work/lane-command.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { mustHaveLiveOwner } from '../customers/index.ts'
import { pullRefusal, railProviderOf } from '../external-accounts/index.ts'
import { beginCollection, collectionKeysOf } from '../payments/index.ts'
import {
  destinationOf,
  isAccessible,
  mayPull,
  mustBeReceivable,
  mustBeUsable,
  mustPassGates,
  sourceOf,
  type Mandate,
} from '../payment-terms/index.ts'
import {
  incomingToWire,
  insertTransactions,
  newTransaction,
  type IncomingTransaction,
} from '../transactions/index.ts'
import { readTerms, sizeRefusal, volumeDayOf, type Corridor, type Terms } from '../rates/index.ts'
import type { TransferInRequest } from './schema.ts'
import { findTransferSides, type TransferSides } from './sides.ts'

export type TransferInInput = TransferInRequest & Readonly<{ mandate?: Mandate }>

type Loaded = Readonly<{
  sides: TransferSides
  terms: Readonly<{ corridor: Corridor; terms: Terms }> | undefined
}>

type Row = Readonly<{ platformId: Id<'platform'>; transaction: IncomingTransaction }>

/**
 * Pulls money from an external account into an internal one of the same currency, which is credited only when the pull
 * has succeeded (XFER-1, XFER-2, XFER-5, XFER-7 to XFER-9).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, INVALID_CURRENCY, INVALID_BANK_ACCOUNT, USER_NOT_FOUND, USER_NOT_READY,
 * END_USER_TERMS_NOT_ACCEPTED, MISSING_MANDATORY_USER_INFO, TRANSACTION_SIZE_LIMIT_EXCEEDED, AMOUNT_OUT_OF_RANGE. For
 * an agent also FORBIDDEN; where its policy needs an approval, the pull starts after that.
 */
export const transferIn: LaneKind<
  TransferInInput,
  Loaded,
  Row,
  ReturnType<typeof incomingToWire>
> = {
  name: 'transferIn',
  load: loadTransfers,
  keys: ({ platform }, _request, { sides: { internal } }) =>
    internal ? collectionKeysOf({ platformId: platform.id, account: internal }) : [],
  decide(caller, request, loaded, { book }) {
    const { platform } = caller
    const { transaction, external, mayRun } = buildTransfer(caller, request, loaded)
    if (!mayRun) {
      const answer = reply(201, incomingToWire(platform.id, transaction))
      return { reply: answer, row: { platformId: platform.id, transaction } }
    }
    const begun = beginCollection(caller, { transaction, external, book })
    return {
      reply: {
        ...reply(201, incomingToWire(platform.id, transaction)),
        isWorkDue: begun.isDueNow,
      },
      row: { platformId: platform.id, transaction: begun.transaction },
    }
  },
  save: insertTransactions,
}

async function loadTransfers(
  tx: Tx,
  commands: readonly (LaneCaller & Readonly<{ input: TransferInInput }>)[],
): Promise<Loaded[]> {
  const found = await findTransferSides(
    tx,
    commands.map(({ platform, input: { source, destination } }) => ({
      platformId: platform.id,
      internalId: mustParseId('internalAccount', destination.accountId),
      externalId: mustParseId('externalAccount', source.accountId),
    })),
  )
  const corridors = commands.map(({ platform, now, ports }, index) => {
    const currency = found[index]?.internal?.currency
    if (currency === undefined) return undefined
    const day = volumeDayOf(now)
    return { platformId: platform.id, sending: currency, receiving: currency, day, ports }
  })
  const terms = await readTerms(
    tx,
    corridors.flatMap((corridor) => corridor ?? []),
  )
  return found.map((sides, index) => {
    const corridor = corridors[index]
    return { sides, terms: corridor && { corridor, terms: terms(corridor) } }
  })
}

function buildTransfer(
  { platform, ports, now }: LaneCaller,
  request: TransferInInput,
  loaded: Loaded,
) {
  const { internal, external } = loaded.sides
  const { mandate } = request
  if (!external || external.deletedAt || !isAccessible(mandate, external)) {
    return failNotFound('externalAccount')
  }
  if (!internal || !loaded.terms || !isAccessible(mandate, internal)) {
    return failNotFound('internalAccount')
  }
  for (const account of [external, internal]) mustHaveLiveOwner(account)
  const { currency, payer } = internal
  const money = { amount: amountFromWire(request.amount), currency }
  const movement = { accountIds: [internal.id], money, payeeMadeAt: null }
  const mayRun = mandate?.permits(movement) ?? true
  const paying = { kind: 'external', account: external } as const
  const receiving = { kind: 'internal', account: internal } as const
  if (!mayPull(paying, internal)) {
    const message = 'must be an account of the customer that is credited, or the platform’s'
    failFields([{ field: 'source.accountId', message }])
  }
  if (external.currency !== currency) fail('INVALID_CURRENCY', { currency })
  mustPass(pullRefusal(external, railProviderOf({ ports }, external)))
  mustPassGates(platform, { payer, paying, receiving })
  mustBeReceivable({ receiving }, loaded.terms)
  mustBeUsable({ paying, receiving }, { received: money, prices: new Map() })
  const { limits, range } = loaded.terms.terms
  mustPass(sizeRefusal({ sending: money, limits, range }))
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
    agentId: mandate?.agentId ?? null,
    createdAt: now,
  })
  return { transaction, external, mayRun }
}
