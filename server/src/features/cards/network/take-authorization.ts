import { setTimeout as delay } from 'node:timers/promises'
import { fail, failFields, failRetryLater } from '../../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../../kernel/ids.ts'
import { amountFromWire, amountToWire } from '../../../kernel/money/wire-money.ts'
import { platformTime, type Platform } from '../../../kernel/platform.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import type { LaneCommand, Submitter } from '../../../infra/work/lane-command.ts'
import type { Reply } from '../../../infra/http/reply.ts'
import { digestOf } from '../../../orders/index.ts'
import { AuthorizationSchema } from '../../../providers/http/messages/cards.ts'
import type { Inbound, InboundRoute } from '../../providers/index.ts'
import type { AuthorizationKind } from '../authorization/decision.ts'
import { inquireBalance } from '../authorization/inquire-balance.ts'
import type { Merchant } from '../transaction/card-transaction.ts'
import { authorizeOnce } from './authorize-once.ts'
import {
  findAuthorizations,
  findCardOfProvider,
  insertAuthorizations,
  nameOf,
  type NetworkDecision,
} from './store.ts'

type Authorization = Readonly<{
  networkReference: string
  kind: AuthorizationKind | 'BALANCE_INQUIRY'
  cardId?: string
  processorRef?: string
  amount: Readonly<{ amount: number; currency: string }>
  merchantAmount?: unknown
  merchant: Merchant
  entryMode?: string
  deadlineMs?: number
  standIn?: unknown
}>

export type DecidesCards = Readonly<{
  submit(command: LaneCommand, submitter: Submitter, withinMs: number): Promise<Reply>
  /** How long a decision took, refusals included. */
  observe(seconds: number): void
}>

/** A decision that has not begun this long before its deadline would come too late (PROV-114). */
const MARGIN_MS = 300

/** Authorizations of cards that the provider issued: one each, not counted by the limit of calls (PROV-30, PROV-112). */
export const authorizationRoute = (decides: DecidesCards): InboundRoute => ({
  path: 'authorizations',
  body: AuthorizationSchema,
  isUnlimited: true,
  isOnceByItself: true,
  async take(inbound, body) {
    try {
      return await takeAuthorization(decides, inbound, body as Authorization)
    } finally {
      decides.observe(elapsedMs(inbound) / 1_000)
    }
  },
})

const elapsedMs = ({ deps, receivedAt }: Inbound): number =>
  deps.clock.now().getTime() - receivedAt.getTime()

async function takeAuthorization(
  { submit }: DecidesCards,
  inbound: Inbound,
  asked: Authorization,
): Promise<NetworkDecision> {
  const { deps, provider, requestId, clientRequestId, message } = inbound
  // What the provider decided itself is not booked yet, and no question (PROV-116).
  if (asked.standIn !== undefined) fail('NOT_IMPLEMENTED')
  mustHaveAmount(asked)
  const deadlineMs = asked.deadlineMs ?? provider.authorizationDeadlineMs
  const leftMs = (): number => deadlineMs - MARGIN_MS - elapsedMs(inbound)
  const { platform, cardId } = await inTime(findCard(inbound, asked), leftMs())
  if (asked.kind === 'BALANCE_INQUIRY') {
    return inTime(inquireOnce(inbound, asked, { platform, cardId }), leftMs())
  }
  const submitter = {
    platform,
    actor: { kind: 'provider', name: provider.name } as const,
    now: platformTime(platform, deps.clock.now()),
    requestId,
    clientRequestId,
    action: 'authorizeCard',
  }
  const input = {
    key: keyOf(inbound, asked),
    digest: contentDigest(asked, cardId),
    message: { ...message, providerId: provider.id, receivedAt: inbound.receivedAt },
    authorization: {
      cardId,
      kind: asked.kind,
      amount: amountFromWire(asked.amount.amount),
      currency: asked.amount.currency,
      merchant: merchantOf(asked),
      simulated: {},
    },
  }
  const { body } = await submit({ kind: authorizeOnce, input }, submitter, leftMs())
  return (body as { decision: NetworkDecision }).decision
}

function mustHaveAmount({ kind, amount: { amount } }: Authorization): void {
  if (kind === 'BALANCE_INQUIRY' || amount > 0) return
  const [minimum, message] = [1, 'must be at least 1']
  failFields([{ field: 'amount.amount', constraint: { minimum }, message }])
}

type FoundCard = Readonly<{ platform: Platform; cardId: Id<'card'> }>

async function findCard(
  { deps, provider }: Inbound,
  { cardId: text, processorRef }: Authorization,
): Promise<FoundCard> {
  const cardId = text === undefined ? undefined : parseId('card', text)
  const card = await findCardOfProvider(deps.db.read, provider.id, { cardId, processorRef })
  const platform = card && (await findPlatform(deps.db.read, card.platformId))
  return platform ? { platform, cardId: card.id } : failNotFound('card')
}

const keyOf = ({ provider }: Inbound, { networkReference, kind }: Authorization) => ({
  providerId: provider.id,
  networkReference,
  kind,
})

const merchantOf = ({ merchant: { descriptor, mcc, country } }: Authorization): Merchant => ({
  descriptor,
  ...(mcc !== undefined && { mcc }),
  ...(country !== undefined && { country }),
})

/** Repetitions may have another time, and name the card in another way. */
const contentDigest = (asked: Authorization, cardId: Id<'card'>): Buffer => {
  const { kind, amount, merchantAmount, merchant, entryMode } = asked
  return digestOf({ cardId, kind, amount, merchantAmount, merchant, entryMode })
}

/** An inquiry moves nothing and writes no transaction (AUTHZ-26); its answer is kept like a decision. */
const inquireOnce = (
  inbound: Inbound,
  asked: Authorization,
  { platform, cardId }: FoundCard,
): Promise<NetworkDecision> =>
  inbound.inPlatform(platform.id, async (work) => {
    const key = keyOf(inbound, asked)
    const stored = (await findAuthorizations(work.tx, [key])).get(nameOf(key))
    if (stored) return stored.decision
    const answer = await inquireBalance(work, { cardId, simulated: {} })
    const decision: NetworkDecision =
      'declineReason' in answer
        ? { decision: 'DECLINED', declineReason: answer.declineReason }
        : { decision: 'APPROVED', availableBalance: toWire(answer.available) }
    const made = { platformId: platform.id, cardId, cardTransactionId: null, createdAt: work.now }
    const digest = contentDigest(asked, cardId)
    insertAuthorizations(work.tx, [{ ...key, ...made, digest, decision }])
    return decision
  })

const toWire = ({ amount, currency }: Readonly<{ amount: bigint; currency: string }>) => ({
  amount: amountToWire(amount),
  currency,
})

/** Fails: SERVICE_UNAVAILABLE where that takes longer. */
async function inTime<T>(done: Promise<T>, withinMs: number): Promise<T> {
  const over = new AbortController()
  const late = delay(withinMs, undefined, { signal: over.signal }).then(() =>
    failRetryLater('SERVICE_UNAVAILABLE', 1),
  )
  late.catch(() => undefined)
  try {
    return await Promise.race([done, late])
  } finally {
    over.abort()
  }
}
