/**
 * The page behind `panEmbedUrl`, the only place where a card's number leaves the vault (CARD-35 to CARD-39). One
 * document without form, cookie or request, and without script unless the address asks for copying (OPER-199).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatId } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { audit } from '../../infra/work/audit.ts'
import { requestIds } from '../../infra/work/request-ids.ts'
import { findPlatform } from '../../infra/platforms.ts'
import {
  findReveal,
  frameAncestorsOf,
  isRevealLive,
  mustFindCard,
  readVault,
} from '../../features/cards/index.ts'
import { html, type Html } from '../html.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import {
  cardNumberView,
  linkExpired,
  linkNotFound,
  type CardNumberView,
} from './card-number-view.ts'

const PATH = '/embed/cards/:token'
const OTHER_METHODS = ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

const STYLE = readFileSync(new URL('card-number.css', import.meta.url), 'utf8')
/** No blanks around the content: the policy allows exactly these bytes. */
const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` }
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')

const SCRIPT = readFileSync(new URL('copy.js', import.meta.url), 'utf8')
const SCRIPT_ELEMENT: Html = { html: `<script type="module">${SCRIPT}</script>` }
const SCRIPT_DIGEST = createHash('sha256').update(SCRIPT).digest('base64')

const headersOf = ({
  frameAncestors,
  canCopy,
}: CardNumberView): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_DIGEST}'`,
    ...(canCopy ? [`script-src 'sha256-${SCRIPT_DIGEST}'`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
})

export function registerCardNumberPage(http: FastifyInstance, host: PageHost): void {
  http.get(PATH, { exposeHeadRoute: false }, async (request, reply) =>
    send(reply, await viewOf(host, request)),
  )
  http.route({
    method: [...OTHER_METHODS],
    url: PATH,
    handler: (_request, reply) => reply.code(405).headers({ allow: 'GET' }).send(),
  })
}

/** Uses the platform's clock, so that a sandbox clock expires links too. */
async function viewOf(host: PageHost, request: FastifyRequest): Promise<CardNumberView> {
  const { token } = request.params as { token: string }
  const { db, clock } = host.deps
  const locale = localeOf(request)
  const reveal = await findReveal(db.read, token)
  const platform = reveal && (await findPlatform(db.read, reveal.platformId))
  if (!reveal || !platform) return linkNotFound(locale)
  const { cardId } = reveal
  const frameAncestors = frameAncestorsOf(reveal, platform.environment)
  const now = platformTime(platform, clock.now())
  const card = await mustFindCard({ tx: db.read, platform, now }, cardId)
  if (!isRevealLive(reveal, card, now)) return linkExpired(locale, frameAncestors)
  // Without a token only the client's address is known.
  const actor = { kind: 'page', name: 'card-number', subjectId: request.ip } as const
  const secrets = await host.inWork({ platform, actor, ...requestIds(request) }, async (work) => {
    audit(work, { action: 'showCardNumber', resource: formatId('card', cardId) })
    return readVault(work, { platformId: platform.id, cardId })
  })
  const { provisioned } = card
  if (!secrets || !provisioned) return linkExpired(locale, frameAncestors)
  return cardNumberView(locale, {
    secrets,
    expiry: provisioned,
    brand: provisioned.brand,
    isTest: traitsOf(platform).isMarkedAsTest,
    frameAncestors,
    canCopy: (request.query as { copy?: unknown }).copy === 'on',
  })
}

function send(reply: FastifyReply, view: CardNumberView) {
  const { status, title, body, canCopy } = view
  const page = html`<!doctype html>
    <html lang="${localeOf(reply.request).language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${body}${canCopy ? SCRIPT_ELEMENT : ''}
      </body>
    </html>`
  return reply
    .code(status)
    .headers(headersOf(view))
    .type('text/html; charset=utf-8')
    .send(page.html)
}
