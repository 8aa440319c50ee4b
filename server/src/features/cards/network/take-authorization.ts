import { ApiError, failFields, retryAfter } from '../../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../../kernel/ids.ts'
import { amountFromWire, amountToWire } from '../../../kernel/money/wire-money.ts'
import { platformTime } from '../../../kernel/platform.ts'
import type { Database } from '../../../infra/db/database.ts'
import { gather } from '../../../infra/gather.ts'
import { recordMessage } from '../../../infra/providers/message-rows.ts'
import type { LaneCommand, Submitter } from '../../../infra/work/lane-command.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Reply } from '../../../infra/http/reply.ts'
import { digestOf } from '../../../orders/index.ts'
import { AuthorizationSchema } from '../../../providers/http/messages/cards.ts'
import type { Inbound, InboundRoute } from '../../providers/index.ts'
import type { AuthorizationKind } from '../authorization/decision.ts'
import { inquireBalance } from '../authorization/inquire-balance.ts'
import { merchantFromWire, type Merchant } from '../transaction/card-transaction.ts'
import {
  authorizeOnce,
  isUnseenContent,
  recordChangedContent,
  type NetworkInput,
} from './authorize-once.ts'
import {
  findAuthorizations,
  findCardsOfProviders,
  insertAuthorizations,
  authorizationMapKey,
  type NamedCard,
  type NetworkDecision,
  type OutsideCard,
} from './store.ts'
import { takeStandIn, type StandIn } from './take-stand-in.ts'

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
  standIn?: Readonly<{ decision: StandIn }>
}>

export type AuthorizationRouteDeps = Readonly<{
  db: Database
  submit(command: LaneCommand, submitter: Submitter, withinMs: number): Promise<Reply>
  /** Observes the duration of a decision, refusals included. */
  observe(seconds: number): void
  count(decision: NetworkDecision): void
}>

/** A decision that has not begun this long before its deadline would come too late (PROV-114). */
const MARGIN_MS = 300

/** The route for authorizations of cards that the provider issued; the rate limit does not count them (PROV-30, PROV-112). */
export function authorizationRoute({
  db,
  submit,
  observe,
  count,
}: AuthorizationRouteDeps): InboundRoute {
  const find = gather((names: readonly NamedCard[]) => findCardsOfProviders(db.read, names))
  return {
    path: 'authorizations',
    body: AuthorizationSchema,
    isUnlimited: true,
    isOnceByItself: true,
    async take(inbound, body) {
      try {
        const decision = await takeAuthorization({ find, submit }, inbound, body as Authorization)
        count(decision)
        return decision
      } finally {
        observe(elapsedMs(inbound) / 1_000)
      }
    },
  }
}

type AuthorizationDeps = Pick<AuthorizationRouteDeps, 'submit'> &
  Readonly<{ find(name: NamedCard): Promise<OutsideCard | undefined> }>

const elapsedMs = ({ deps, receivedAt }: Inbound): number =>
  deps.clock.now().getTime() - receivedAt.getTime()

async function takeAuthorization(
  { find, submit }: AuthorizationDeps,
  inbound: Inbound,
  request: Authorization,
): Promise<NetworkDecision> {
  const { deps, provider, requestId, clientRequestId, message } = inbound
  mustFitKind(request)
  const deadlineMs = request.deadlineMs ?? provider.authorizationDeadlineMs
  const leftMs = (): number => deadlineMs - MARGIN_MS - elapsedMs(inbound)
  const card = await withDeadline(find(nameOfCard(inbound, request)), leftMs())
  const { platform, id: cardId } = card ?? failNotFound('card')
  const received: ReceivedMessage = {
    key: keyOf(inbound, request),
    digest: contentDigest(request, cardId),
    message: { ...message, providerId: provider.id, receivedAt: inbound.receivedAt },
  }
  const { kind, standIn } = request
  if (kind === 'BALANCE_INQUIRY') {
    const inquired = inbound.inPlatform(platform.id, (work) => inquireOnce(work, received, cardId))
    return withDeadline(inquired, leftMs())
  }
  const input: NetworkInput = { ...received, authorization: { ...inputOf(request), cardId, kind } }
  // A stand-in is decided already, so it has no deadline.
  if (standIn)
    return inbound.inPlatform(platform.id, (work) => takeStandIn(work, input, standIn.decision))
  const submitter = {
    platform,
    actor: { kind: 'provider', name: provider.name } as const,
    now: platformTime(platform, deps.clock.now()),
    requestId,
    clientRequestId,
    action: 'authorizeCard',
  }
  const { body } = await submit({ kind: authorizeOnce, input }, submitter, leftMs())
  return (body as { decision: NetworkDecision }).decision
}

const inputOf = ({ amount: { amount, currency }, merchant }: Authorization) => ({
  amount: amountFromWire(amount),
  currency,
  merchant: merchantFromWire(merchant),
  simulated: {},
})

/** A balance inquiry has no amount, and nothing that a stand-in could approve. Fails: INVALID_INPUT. */
function mustFitKind({ kind, amount: { amount }, standIn }: Authorization): void {
  if (kind === 'BALANCE_INQUIRY') {
    if (standIn) failFields([{ field: 'standIn', message: 'is not for a balance inquiry' }])
    return
  }
  const [minimum, message] = [1, 'must be at least 1']
  if (amount < minimum) failFields([{ field: 'amount.amount', constraint: { minimum }, message }])
}

type ReceivedMessage = Omit<NetworkInput, 'authorization'>

const nameOfCard = ({ provider }: Inbound, { cardId, processorRef }: Authorization): NamedCard => ({
  providerId: provider.id,
  cardId: cardId === undefined ? undefined : parseId('card', cardId),
  processorRef,
})

const keyOf = ({ provider }: Inbound, { networkReference, kind }: Authorization) => ({
  providerId: provider.id,
  networkReference,
  kind,
})

/** Leaves out the time and the way the card is named, which may differ between repetitions. */
const contentDigest = (request: Authorization, cardId: Id<'card'>): Buffer => {
  const { kind, amount, merchantAmount, merchant, entryMode } = request
  return digestOf({ cardId, kind, amount, merchantAmount, merchant, entryMode })
}

/** An inquiry moves no money and writes no transaction (AUTHZ-26); its answer is stored like a decision. */
async function inquireOnce(
  work: Work,
  { key, digest, message }: ReceivedMessage,
  cardId: Id<'card'>,
): Promise<NetworkDecision> {
  await recordMessage(work.tx, message)
  const stored = (await findAuthorizations(work.tx, [key])).get(authorizationMapKey(key))
  if (stored) {
    if (isUnseenContent(stored, digest)) recordChangedContent(work, stored, digest)
    return stored.decision
  }
  const answer = await inquireBalance(work, { cardId, simulated: {} })
  const decision: NetworkDecision =
    'declineReason' in answer
      ? { decision: 'DECLINED', declineReason: answer.declineReason }
      : { decision: 'APPROVED', availableBalance: toWire(answer.available) }
  const made = { platformId: work.platform.id, cardId, createdAt: work.now }
  const decided = { cardTransactionId: null, decision, standIn: null }
  insertAuthorizations(work.tx, [{ ...key, ...made, ...decided, digest }])
  return decision
}

const toWire = ({ amount, currency }: Readonly<{ amount: bigint; currency: string }>) => ({
  amount: amountToWire(amount),
  currency,
})

/** Fails: SERVICE_UNAVAILABLE after the deadline. */
async function withDeadline<T>(result: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(new ApiError('SERVICE_UNAVAILABLE', { headers: retryAfter(1) }))
    timer = setTimeout(tooLate, withinMs)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}
