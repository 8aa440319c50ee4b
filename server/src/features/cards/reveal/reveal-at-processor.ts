import { SECOND_MS } from '../../../kernel/clock.ts'
import { fail, failRetryLater } from '../../../kernel/errors.ts'
import { formatId, newUuid, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { platformTime } from '../../../kernel/platform.ts'
import type { Deps } from '../../../infra/deps.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { callProvider, type ProviderAnswer } from '../../../providers/http/call-provider.ts'
import { CardRevealAnswerSchema } from '../../../providers/http/messages/cards.ts'
import { isRevealable } from '../record/card.ts'
import { mustFindCard } from '../record/find-card.ts'
import { REVEAL_LIFETIME_MS, type RevealLink } from './reveal-card.ts'

const ANSWER_MS = 5 * SECOND_MS
const RETRY_AFTER_SECONDS = 10

/**
 * Requests a reveal link from the processor that holds the number; undefined if our vault holds it (PROV-118).
 * Fails: REFERENCE_NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE if the processor does not answer.
 */
export async function revealAtProcessor(
  { deps, platform }: Readonly<{ deps: Deps; platform: Platform }>,
  { cardId, parentOrigin }: Readonly<{ cardId: Id<'card'>; parentOrigin: string | undefined }>,
): Promise<RevealLink | undefined> {
  const now = platformTime(platform, deps.clock.now())
  const card = await mustFindCard({ tx: deps.db.read, platform, now }, cardId)
  const { providerId, provisioned } = card
  if (providerId === null) return undefined
  if (!isRevealable(card) || !provisioned) fail('CONFLICT', { reason: 'CARD_NOT_REVEALABLE' })
  const provider = deps.providers.find(providerId)
  const body = JSON.stringify({
    cardId: formatId('card', cardId),
    processorRef: provisioned.processorRef,
    ...(parentOrigin !== undefined && { parentOrigin }),
    expiresInSeconds: REVEAL_LIFETIME_MS / SECOND_MS,
  })
  const call = { method: 'POST', path: '/card-reveals', messageId: newUuid(), body } as const
  const answer = provider && (await callProvider(deps, provider, { ...call, timeoutMs: ANSWER_MS }))
  return linkIn(answer) ?? failRetryLater('SERVICE_UNAVAILABLE', RETRY_AFTER_SECONDS)
}

const isLink = bodyValidator(CardRevealAnswerSchema)

function linkIn(answer: ProviderAnswer | undefined): RevealLink | undefined {
  if (!answer?.answered || answer.status >= 300 || isLink(answer.body).length > 0) return undefined
  const { url, expiresAt } = answer.body as Readonly<{ url: string; expiresAt: string }>
  const isAddress = URL.parse(url)?.protocol === 'https:'
  return isAddress ? { panEmbedUrl: url, expiresAt: new Date(expiresAt) } : undefined
}
