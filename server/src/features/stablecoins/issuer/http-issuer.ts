/** An issuance provider that is reached over the provider protocol (PROV-130). */
import { createHash } from 'node:crypto'
import { addMs, DAY_MS, MINUTE_MS, toWireDate } from '../../../kernel/clock.ts'
import { asId, formatId, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import type { Deps } from '../../../infra/deps.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import {
  inPlatformOf,
  kindsByType,
  lockLatestOrder,
  placeOrder,
  sendNow,
} from '../../../orders/index.ts'
import { callProvider } from '../../../providers/http/call-provider.ts'
import { DECISIONS } from '../../../providers/http/messages/decisions.ts'
import { AnswerSchema } from '../../../providers/http/messages/reports.ts'
import {
  IssuerUnreachable,
  type BurnOrder,
  type MintOrder,
  type StablecoinIssuer,
  type StartedOrder,
  type TokenDescription,
  type TokenRequest,
  type Verification,
  type VerificationRequest,
} from '../../../providers/stablecoin-issuer.ts'
import { findOperation, lockOperation } from '../operations/store.ts'
import { FUNDING_LIFETIME_MS } from '../operations/stablecoin-operation.ts'
import { coinOrders } from './coin-orders.ts'

const ACTOR = { kind: 'system', name: 'stablecoins' } as const
/** Credentials may be withdrawn at any time, and a coin be provisioned. */
const VERIFY_AGAIN_MS = DAY_MS
const DESCRIBE_AGAIN_MS = 5 * MINUTE_MS
const kinds = kindsByType([coinOrders])
const answerProblems = bodyValidator(AnswerSchema)

type Asking = Readonly<{ deps: Deps; platform: Platform; providerId: Id<'provider'> }>

export function httpIssuer(
  deps: Deps,
  platform: Platform,
  providerId: Id<'provider'>,
): StablecoinIssuer {
  const asking = { deps, platform, providerId }
  return {
    verifyCredentials: (request) => verify(asking, request),
    describeToken: (request) => describe(asking, request),
    startMint: (order) => start(asking, 'COIN_MINT', order),
    startBurn: (order) => start(asking, 'COIN_BURN', order),
    report: () => Promise.reject(new Error('The provider reports by itself.')),
  }
}

type Question = 'COIN_LINK' | 'COIN_TOKEN'

const decisionProblems = {
  COIN_LINK: bodyValidator(DECISIONS.COIN_LINK),
  COIN_TOKEN: bodyValidator(DECISIONS.COIN_TOKEN),
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same for repetitions of one request on one day: nothing is stored of a question (STBL-18). */
function questionIdOf(type: Question, { platform }: Asking, key: string): Id<'order'> {
  const hash = hashOf(`${type} ${platform.id} ${key}`)
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return asId('order', [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-'))
}

type Asked = Readonly<{ requestKey: string; members: Readonly<Record<string, unknown>> }>

/** Asks a question within the request. Undefined: the provider refuses it. */
async function ask<T>(
  asking: Asking,
  type: Question,
  { requestKey, members }: Asked,
): Promise<T | undefined> {
  const { deps, platform } = asking
  const provider = mustFind(asking)
  const day = toWireDate(deps.clock.now())
  const id = formatId('order', questionIdOf(type, asking, `${requestKey} ${day}`))
  const createdAt = new Date(day)
  const body = JSON.stringify({
    id,
    type,
    test: false,
    createdAt: createdAt.toISOString(),
    expiresAt: addMs(createdAt, 2 * DAY_MS).toISOString(),
    reportUrl: `${deps.settings.publicUrl}/providers/${formatId('provider', provider.id)}/reports`,
    platform: { id: formatId('platform', platform.id), name: platform.name },
    ...members,
  })
  const call = { method: 'POST', path: '/orders', messageId: id, body } as const
  const answer = await callProvider(deps, provider, call)
  if (!answer.answered) throw new IssuerUnreachable(answer.error)
  const isAnswer = answer.status < 300 && answerProblems(answer.body).length === 0
  const { state } = isAnswer ? (answer.body as { state: string }) : { state: undefined }
  if (state === 'REFUSED') return undefined
  if (state !== 'DECIDED' || decisionProblems[type](answer.body).length > 0) {
    throw new IssuerUnreachable(`Status ${answer.status}, and no decision.`)
  }
  return answer.body as T
}

function mustFind({ deps, providerId }: Asking): RegisteredProvider {
  const provider = deps.providers.find(providerId)
  if (!provider) throw new IssuerUnreachable('The provider is registered no more.')
  if (provider.status === 'PAUSED') throw new IssuerUnreachable('The provider is paused.')
  return provider
}

const VERDICTS = { ACCEPTED: 'accepted', REFUSED: 'refused', REVOKED: 'revoked' } as const

type LinkDecision = Readonly<{ verdict: keyof typeof VERDICTS; accountIds?: readonly string[] }>

async function verify(
  asking: Asking,
  { credentials, providerAccountId, requestKey, elapsedMs }: VerificationRequest,
): Promise<Verification> {
  const members = { credentials, ...(providerAccountId && { accountId: providerAccountId }) }
  const decision = await ask<LinkDecision>(asking, 'COIN_LINK', { requestKey, members })
  const verdict = VERDICTS[decision?.verdict ?? 'REFUSED']
  if (verdict !== 'accepted') return { verdict }
  const verifyAgainAfterMs = elapsedMs + VERIFY_AGAIN_MS
  return { verdict, accountIds: decision?.accountIds ?? [], verifyAgainAfterMs }
}

type TokenDecision = Readonly<{ known?: boolean; token?: TokenDescription }>

async function describe(
  asking: Asking,
  { credentials, providerAccountId, requestKey, elapsedMs, ...token }: TokenRequest,
): Promise<TokenDescription | undefined> {
  const { providerTokenIdentifier, network, networkTokenIdentifier } = token
  const members = {
    credentials,
    accountId: providerAccountId,
    token: { providerTokenIdentifier, network, networkTokenIdentifier },
  }
  const decision = await ask<TokenDecision>(asking, 'COIN_TOKEN', { requestKey, members })
  if (!decision?.token || decision.known === false) return undefined
  const { name, symbol, baseCurrency, decimals, issuanceStatus } = decision.token
  const isUnderWay = issuanceStatus === 'PENDING_REVIEW' || issuanceStatus === 'PROVISIONING'
  return {
    name,
    symbol,
    baseCurrency,
    decimals,
    issuanceStatus,
    ...(isUnderWay && { describeAgainAfterMs: elapsedMs + DESCRIBE_AGAIN_MS }),
  }
}

/**
 * Orders a mint or burn, or sends the order again that got no answer, under its id (STBL-19). The order's kind records
 * what the provider answers, now or later; until then the operation is not visible.
 */
async function start(
  asking: Asking,
  type: 'COIN_MINT' | 'COIN_BURN',
  { operationId, credentials }: MintOrder | BurnOrder,
): Promise<StartedOrder> {
  const { deps, platform } = asking
  const platformId = platform.id
  const provider = mustFind(asking)
  const subject = formatId('stablecoinOperation', operationId)
  const orderId = await inPlatformOf(deps, platformId, { actor: ACTOR }, async (work) => {
    await lockOperation(work.tx, platformId, operationId)
    const latest = await lockLatestOrder(work.tx, { platformId, type, subject })
    // An order that failed while its operation waits was never sent, or never arrived.
    if (latest && latest.state !== 'FAILED') return latest.id
    return placeOrder(work, {
      type,
      provider,
      subject,
      secret: { keyring: work.keyring, members: { credentials } },
      expectedAt: addMs(work.now, FUNDING_LIFETIME_MS),
      isSentByRequest: true,
    })
  })
  await sendNow({ deps, kinds }, orderId)
  // An operation that the provider has not answered is not found.
  const operation = await findOperation(deps.db.read, platformId, operationId)
  if (!operation) throw new IssuerUnreachable('No answer to the order.')
  const { providerReference, providerStatus } = operation
  return { reference: providerReference ?? '', providerStatus: providerStatus ?? '' }
}
