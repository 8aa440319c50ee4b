import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isTerminal } from '../../../kernel/machine.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  lockLatestOrder,
  openException,
  type DecisionOutcome,
  type Order,
  type OrderKind,
} from '../../../orders/index.ts'
import { DECISIONS } from '../../../providers/http/messages/decisions.ts'
import type {
  OrderFailure,
  OrderReport,
  StartedOrder,
} from '../../../providers/stablecoin-issuer.ts'
import { findAnyExternalAccount, orderedAccount } from '../../external-accounts/index.ts'
import { mustFindStablecoin } from '../must-find.ts'
import { findLink } from '../links/store.ts'
import { stablecoinOperation } from '../machine.ts'
import { beginOperation } from '../operations/begin-operation.ts'
import { followOperation } from '../operations/follow-operation.ts'
import { lockOperation } from '../operations/store.ts'
import type { StablecoinOperation } from '../operations/stablecoin-operation.ts'

/** Mints and burns at a provider outside: its answer and its reports move the operation (PROV-130). */
export const coinOrders: OrderKind = {
  types: ['COIN_MINT', 'COIN_BURN'],
  port: 'stablecoins',
  isRepeatedByPlatform: true,
  lock: async (work, order) => void (await operationOf(work, order)),
  body,
  async onAccepted(work, order, statement) {
    const { operationState, providerStatus = 'ACCEPTED', fundingInstructions } = statement
    await begin(work, order, {
      providerStatus,
      ...(fundingInstructions && { fundingInstructions }),
    })
    if (operationState) await follow(work, order, { state: operationState, providerStatus })
  },
  onDecided: decide,
  onDecidedAgain: decide,
  onSettled: (work, order) => end(work, order, { state: 'COMPLETED', providerStatus: 'SETTLED' }),
  onFailed: (work, order, { reason }) =>
    // Of an order that never arrived nothing is known but that: the platform may try again.
    reason === 'NEVER_RECEIVED'
      ? Promise.resolve()
      : end(work, order, {
          state: 'FAILED',
          providerStatus: reason,
          failureReason: 'PROVIDER_TRANSFER_FAILED',
        }),
}

async function operationOf({ tx, platform }: Work, order: Order): Promise<StablecoinOperation> {
  const id = mustParseId('stablecoinOperation', order.subject ?? '')
  const operation = await lockOperation(tx, platform.id, id)
  invariant(operation, 'The operation of an order is there.')
  return operation
}

async function body(work: Work, order: Order) {
  const { tx, platform } = work
  const operation = await operationOf(work, order)
  const { sourceAccountId, destinationAccountId, destinationRail, description } = operation
  const [coin, link, source, destination] = await Promise.all([
    mustFindStablecoin(work, operation.stablecoinId),
    findLink(tx, platform.id, operation.linkId),
    sourceAccountId ? findAnyExternalAccount(work, sourceAccountId) : undefined,
    findAnyExternalAccount(work, destinationAccountId),
  ])
  invariant(link && destination, 'An operation has its link and its destination.')
  const { providerTokenIdentifier, network, networkTokenIdentifier, decimals } = coin
  return {
    accountId: link.providerAccountId,
    operationId: formatId('stablecoinOperation', operation.id),
    token: { providerTokenIdentifier, network, networkTokenIdentifier },
    amount: { amount: String(operation.amount), decimals },
    source: {
      type: operation.sourceType,
      ...(source && { account: orderedAccount(source) }),
    },
    destination: {
      ...(destinationRail && { rail: destinationRail }),
      account: orderedAccount(destination),
    },
    ...(description !== null && { description }),
  }
}

/** The first word of the provider makes the operation visible; what it says afterwards changes nothing of that. */
async function begin(
  work: Work,
  order: Order,
  started: Omit<StartedOrder, 'reference'>,
): Promise<void> {
  const { id } = await operationOf(work, order)
  const reference = order.reference ?? formatId('order', order.id)
  await beginOperation(work, { id, started: { ...started, reference } })
}

async function follow(work: Work, order: Order, report: OrderReport): Promise<void> {
  await followOperation(work, (await operationOf(work, order)).id, report)
}

async function end(work: Work, order: Order, report: OrderReport): Promise<void> {
  await begin(work, order, report)
  await follow(work, order, report)
}

type CoinEnd = Readonly<{ amount?: string; providerStatus?: string }> &
  Readonly<
    { operationState: 'COMPLETED' } | { operationState: 'FAILED'; failureReason: OrderFailure }
  >

const endProblems = bodyValidator(DECISIONS.COIN_MINT)

/** A decision of no known form, of another amount, or against one that is final moves nothing. */
async function decide(
  work: Work,
  order: Order,
  decision: Readonly<Record<string, unknown>>,
): Promise<DecisionOutcome | void> {
  const operation = await operationOf(work, order)
  const known = { status: operation.status, amount: String(operation.amount) }
  const open = (type: 'DECISION_INVALID' | 'DECIDED_OTHERWISE'): DecisionOutcome => ({
    exceptionId: openException(work, {
      type,
      providerId: order.providerId,
      orderId: order.id,
      details: { known, stated: decision },
    }),
  })
  if (endProblems(decision).length > 0) return open('DECISION_INVALID')
  const {
    operationState,
    amount,
    providerStatus = operationStateOf(decision),
  } = decision as CoinEnd
  if (amount !== undefined && BigInt(amount) !== operation.amount) return open('DECISION_INVALID')
  // The platform has ordered it again since the provider said that this one never arrived (PROV-46).
  if (!(await isLatest(work, order)))
    return operationState === 'FAILED' ? { isKnown: true } : open('DECIDED_OTHERWISE')
  if (isTerminal(stablecoinOperation, operation.status)) {
    return operation.status === operationState ? { isKnown: true } : open('DECIDED_OTHERWISE')
  }
  const failure = decision as Readonly<{ failureReason: OrderFailure }>
  await end(
    work,
    order,
    operationState === 'COMPLETED'
      ? { state: operationState, providerStatus }
      : { state: operationState, providerStatus, failureReason: failure.failureReason },
  )
}

async function isLatest({ tx, platform }: Work, { id, type, subject }: Order): Promise<boolean> {
  const of = { platformId: platform.id, type, subject: subject ?? '' }
  return (await lockLatestOrder(tx, of))?.id === id
}

const operationStateOf = (decision: Readonly<Record<string, unknown>>): string =>
  String(decision['operationState'])
