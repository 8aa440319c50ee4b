import { fail } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import {
  findReusedIds,
  insertMessages,
  type MessageRow,
} from '../../../infra/providers/message-rows.ts'
import { reply } from '../../../infra/http/reply.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import { openException } from '../../../orders/index.ts'
import { authorizeCard, type AuthorizationInput } from '../authorization/authorize-card.ts'
import type { CardTransaction } from '../transaction/card-transaction.ts'
import type { CardTransactionRow } from '../transaction/store.ts'
import {
  findAuthorizations,
  insertAuthorizations,
  authorizationMapKey,
  saveOtherDigest,
  type AuthorizationKey,
  type NetworkDecision,
  type NewAuthorization,
  type StoredAuthorization,
} from './store.ts'

export type NetworkInput = Readonly<{
  key: AuthorizationKey
  /** The digest of the request, without the fields that may differ between repetitions. */
  digest: Buffer
  message: MessageRow
  authorization: AuthorizationInput & Readonly<{ cardId: Id<'card'> }>
}>

type LoadedCard = Awaited<ReturnType<typeof authorizeCard.load>>[number]

type Loaded = Readonly<{
  card: LoadedCard
  stored: StoredAuthorization | undefined
  /** Whether the message's id was used before with another body (PROV-24). */
  isReused: boolean
}>

type ChangedContent = Readonly<{
  platformId: Id<'platform'>
  now: Date
  stored: StoredAuthorization
  digest: Buffer
}>

type Row = Readonly<{
  message: MessageRow
  made?: Readonly<{ transaction: CardTransactionRow; authorization: NewAuthorization }>
  changed?: ChangedContent
}>

/** The decisions of one batch, so that a repetition within it gets the same answer. */
const newDecisions = (): Map<string, StoredAuthorization> => new Map()

/**
 * Decides a provider's authorization like any other, but once: a repetition gets the stored decision, whatever its
 * content (PROV-115).
 * Refuses: CONFLICT, and what authorizeCard refuses.
 */
export const authorizeOnce: LaneKind<
  NetworkInput,
  Loaded,
  Row,
  Readonly<{ id?: string; decision: NetworkDecision }>
> = {
  name: 'card authorization by a provider',
  async load(tx, commands) {
    const inner = commands.map((command) => ({ ...command, input: command.input.authorization }))
    const [cards, stored, isReused] = await Promise.all([
      authorizeCard.load(tx, inner),
      findAuthorizations(
        tx,
        commands.map(({ input }) => input.key),
      ),
      findReusedIds(
        tx,
        commands.map(({ input }) => input.message),
      ),
    ])
    return commands.map(({ input: { key, message } }, index) => ({
      card: cards[index],
      stored: stored.get(authorizationMapKey(key)),
      isReused: isReused(message),
    }))
  },
  keys: (caller, { authorization }, { card, stored }) =>
    stored ? [] : authorizeCard.keys(caller, authorization, card),
  decide(caller, { key, digest, message, authorization }, { card, stored, isReused }, batch) {
    if (isReused) fail('CONFLICT', { reason: 'MESSAGE_ID_REUSED' })
    const decisions = batch.state(newDecisions)
    const known = decisions.get(authorizationMapKey(key)) ?? stored
    if (known) {
      const isUnseen = isUnseenContent(known, digest)
      if (isUnseen) decisions.set(authorizationMapKey(key), { ...known, otherDigest: digest })
      const changed = { platformId: caller.platform.id, now: caller.now, stored: known, digest }
      const { decision } = known
      return {
        reply: { status: 200, body: { decision }, isChange: false },
        row: { message, ...(isUnseen && { changed }) },
      }
    }
    const { row } = authorizeCard.decide(caller, authorization, card, batch)
    const { platformId, transaction } = row
    const decision = decisionOf(transaction)
    const decided = { ...key, cardTransactionId: transaction.id, digest, decision, standIn: null }
    decisions.set(authorizationMapKey(key), { ...decided, otherDigest: null })
    const { cardId } = authorization
    const made: NewAuthorization = { ...decided, platformId, cardId, createdAt: caller.now }
    const id = formatId('cardTransaction', transaction.id)
    return {
      reply: reply(200, { id, decision }),
      row: { message, made: { transaction: row, authorization: made } },
    }
  },
  save(tx, rows) {
    const made = rows.flatMap((row) => (row.made ? [row.made] : []))
    if (made.length > 0) {
      authorizeCard.save(
        tx,
        made.map(({ transaction }) => transaction),
      )
      insertAuthorizations(
        tx,
        made.map(({ authorization }) => authorization),
      )
    }
    insertMessages(
      tx,
      rows.map(({ message }) => message),
    )
    for (const { changed } of rows) {
      if (!changed) continue
      const { platformId, now, stored, digest } = changed
      recordChangedContent({ tx, platform: { id: platformId }, now }, stored, digest)
    }
  },
}

/** Whether this content came under the reference for the first time. */
export const isUnseenContent = (
  { digest, otherDigest }: StoredAuthorization,
  received: Buffer,
): boolean => !digest.equals(received) && otherDigest?.equals(received) !== true

type ExceptionContext = Parameters<typeof openException>[0]

/** Different content under a known reference changes nothing; an exception shows it to the operator (PROV-115). */
export function recordChangedContent(
  work: ExceptionContext,
  stored: StoredAuthorization,
  digest: Buffer,
): void {
  const { providerId, networkReference: subject, kind, decision } = stored
  saveOtherDigest(work.tx, stored, digest)
  const details = { kind, decision }
  openException(work, { type: 'AUTHORIZATION_CHANGED', providerId, subject, details })
}

export function decisionOf(transaction: CardTransaction): NetworkDecision {
  const { id, declineReason, authorized, currency } = transaction
  const cardTransactionId = formatId('cardTransaction', id)
  if (declineReason !== null) return { decision: 'DECLINED', declineReason, cardTransactionId }
  const approvedAmount = { amount: amountToWire(authorized), currency }
  return { decision: 'APPROVED', cardTransactionId, approvedAmount }
}
