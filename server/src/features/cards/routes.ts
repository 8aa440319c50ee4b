import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { amountFromWire } from '../../kernel/money/wire-money.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { checkCardholder, checkCreation, checkUpdate } from './record/field-checks.ts'
import { mustFindCard } from './record/find-card.ts'
import { fundingFromWire } from './funding/sources.ts'
import { issueCard } from './issuance/issue-card.ts'
import { listCards } from './record/list-cards.ts'
import {
  CardCreateSchema,
  CardListSchema,
  CardQuerySchema,
  CardRevealResponseSchema,
  CardRevealSchema,
  CardSchema,
  CardUpdateSchema,
} from './schema.ts'
import { checkParentOrigin } from './reveal/parent-origin.ts'
import { revealAtProcessor } from './reveal/reveal-at-processor.ts'
import { revealCard } from './reveal/reveal-card.ts'
import { updateCard } from './record/update-card.ts'
import { cardToWire } from './record/wire.ts'

const tag = 'Cards'
const params = Type.Object({ cardId: pathId('Id of the card, `Card:<uuid>`.') })

/** A reveal link must not be cached (CARD-33). */
const NOT_CACHED = { 'Cache-Control': 'no-store' }

const limitFromWire = (limit: number | null): bigint | null =>
  limit === null ? null : amountFromWire(limit)

export const routes: readonly Operation[] = [
  write({
    id: 'createCard',
    method: 'POST',
    path: '/cards',
    tag,
    needs: 'TRANSACT',
    requires: 'cards',
    summary: 'Issue a card',
    description:
      'To a verified customer, on accounts of its own. The card is `PROCESSING` until the issuer has made it; an event tells when it is.',
    body: CardCreateSchema,
    example: {
      customerId: 'Customer:01994d2e-7c1a-7f00-8000-000000000001',
      form: 'VIRTUAL',
      fundingSource: 'InternalAccount:01994d2e-7c1a-7f00-8000-000000000002',
    },
    replies: { 201: CardSchema },
    errors: ['USER_NOT_FOUND', 'CARDHOLDER_KYC_NOT_APPROVED', 'FUNDING_SOURCE_INELIGIBLE'],
    settlesAtOnce: true,
    check: ({ body }) => checkCreation(body),
    handler: async ({ work, body }) => {
      const card = await issueCard(work, {
        customerId: mustParseId('customer', body.customerId ?? body.cardholderId ?? ''),
        fundingAccountIds: fundingFromWire(body) ?? [],
        maxSpendPerTransaction: limitFromWire(body.maxSpendPerTransaction ?? null),
        threeDSecurePassword: body.threeDSecurePassword,
      })
      return reply(201, cardToWire(card))
    },
  }),
  read({
    id: 'listCards',
    path: '/cards',
    tag,
    needs: 'VIEW',
    requires: 'cards',
    summary: 'List cards',
    description: 'Newest first. All filters combine.',
    query: CardQuerySchema,
    replies: { 200: CardListSchema },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND'],
    check: ({ query }) => checkCardholder(query),
    handler: async ({ work, query }) => {
      const { data, ...page } = await listCards(work, query)
      return reply(200, { ...page, data: data.map(cardToWire) })
    },
  }),
  read({
    id: 'getCardById',
    path: '/cards/{cardId}',
    tag,
    needs: 'VIEW',
    requires: 'cards',
    summary: 'Read a card',
    description: 'State, funding sources and limit; never its number.',
    params,
    replies: { 200: CardSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { cardId } }) => {
      return reply(200, cardToWire(await mustFindCard(work, mustParseId('card', cardId))))
    },
  }),
  write({
    id: 'updateCardById',
    method: 'PATCH',
    path: '/cards/{cardId}',
    tag,
    needs: 'TRANSACT',
    requires: 'cards',
    summary: 'Change a card',
    description:
      'Freezes, unfreezes or closes it, replaces its funding sources, sets its limit: all or nothing, at once.',
    params,
    body: CardUpdateSchema,
    example: { state: 'FROZEN' },
    replies: { 200: CardSchema },
    errors: [
      'REFERENCE_NOT_FOUND',
      'FUNDING_SOURCE_INELIGIBLE',
      'INVALID_STATE_TRANSITION',
      'CARD_ALREADY_CLOSED',
      'CARD_NOT_MUTABLE',
    ],
    check: ({ body }) => checkUpdate(body),
    handler: async ({ work, params: { cardId }, body }) => {
      const { state, maxSpendPerTransaction: limit } = body
      const card = await updateCard(work, mustParseId('card', cardId), {
        state,
        fundingAccountIds: fundingFromWire(body),
        maxSpendPerTransaction: limit === undefined ? undefined : limitFromWire(limit),
      })
      return reply(200, cardToWire(card))
    },
  }),
  write({
    id: 'revealCard',
    method: 'POST',
    path: '/cards/{cardId}/reveal',
    tag,
    needs: 'TRANSACT',
    requires: 'cards',
    summary: 'Show the number of a card',
    description:
      'Answers a link to a page with number, expiry and security code, for a frame on the cardholder’s screen. It is good for five minutes; every call makes another one.',
    params,
    body: CardRevealSchema,
    bodyOptional: true,
    example: { parentOrigin: 'https://shop.example' },
    replies: { 200: CardRevealResponseSchema },
    errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    key: 'ignored',
    check: ({ body }, { platform }) => checkParentOrigin(body, platform.environment),
    lookUp: ({ params: { cardId }, body: { parentOrigin }, ...outside }) =>
      revealAtProcessor(outside, { cardId: mustParseId('card', cardId), parentOrigin }),
    handler: async ({ work, params: { cardId }, body, found }) => {
      const id = mustParseId('card', cardId)
      const { panEmbedUrl, expiresAt } =
        found ?? (await revealCard(work, id, body.parentOrigin ?? null))
      return reply(200, { panEmbedUrl, expiresAt: toWireTime(expiresAt) }, NOT_CACHED)
    },
  }),
]
