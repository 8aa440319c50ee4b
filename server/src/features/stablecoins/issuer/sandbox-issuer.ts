/**
 * The issuance provider of the sandbox (chapter 42, section 6). It stores nothing: the last three characters of a value
 * that the caller chose, and the time since the start, decide the outcome.
 */
import { createHash } from 'node:crypto'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { magicValues } from '../../../kernel/text/magic-value.ts'
import { invariant } from '../../../kernel/invariant.ts'
import {
  IssuerUnreachable,
  type BurnOrder,
  type FundingInstructions,
  type IssuanceStatus,
  type MintOrder,
  type OrderFailure,
  type OrderReport,
  type StablecoinIssuer,
  type StartedOrder,
  type TokenDescription,
  type TokenRequest,
  type Verification,
  type VerificationRequest,
} from '../../../providers/stablecoin-issuer.ts'
import {
  decimalDigits,
  referenceOf,
  SANDBOX_ROUTING_NUMBER,
  seedOf,
  sparkAddressOf,
} from '../../internal-accounts/index.ts'

const STEP_SECONDS = 30
const STEP_MS = STEP_SECONDS * SECOND_MS

const suffixOf = (text: string | undefined): string => (text ?? '').slice(-3)

export const sandboxIssuer: StablecoinIssuer = {
  verifyCredentials: (request) => Promise.resolve(verify(request)),
  describeToken: (request) => Promise.resolve(describe(request)),
  startMint: async (order) => start(order, mintCourse(order), mintInstructions(order)),
  startBurn: async (order) => start(order, burnCourse(order), burnInstructions(order)),
  report: ({ reference, elapsedMs }) => Promise.resolve(reportOn(courseOf(reference), elapsedMs)),
}

type LinkCourse = Readonly<{ now?: 'refused'; later?: 'refused' | 'revoked'; isTwofold?: true }>

const LINKS: Readonly<Record<string, LinkCourse>> = {
  '002': { now: 'refused' },
  '003': { later: 'refused' },
  '004': { later: 'revoked' },
  '005': { isTwofold: true },
}

function verify({ credentials, providerAccountId, elapsedMs }: VerificationRequest): Verification {
  const { now, later } = LINKS[suffixOf(credentials.apiClientId)] ?? {}
  if (now) return { verdict: now }
  if (later && elapsedMs >= STEP_MS) return { verdict: later }
  return {
    verdict: 'accepted',
    accountIds: accountsOf(credentials.apiClientId, providerAccountId),
    ...(later && { verifyAgainAfterMs: STEP_MS }),
  }
}

function accountsOf(apiClientId: string, named: string | undefined): string[] {
  const digest = createHash('sha256').update(apiClientId).digest('hex')
  const [first, second] = [`acct_${digest.slice(0, 16)}`, `acct_${digest.slice(16, 32)}`]
  if (LINKS[suffixOf(apiClientId)]?.isTwofold) return [first, second]
  return [named ?? first]
}

const ISSUANCE: Readonly<Record<string, IssuanceStatus | 'UNKNOWN'>> = {
  '001': 'PENDING_REVIEW',
  '002': 'REJECTED',
  '003': 'UNKNOWN',
  '004': 'FAILED',
  '005': 'PROVISIONING',
}

function describe(request: TokenRequest): TokenDescription | undefined {
  const { providerTokenIdentifier: symbol, elapsedMs } = request
  const early = ISSUANCE[suffixOf(symbol)] ?? 'PROVISIONED'
  if (early === 'UNKNOWN') return undefined
  const isDone = early === 'PROVISIONING' && elapsedMs >= STEP_MS
  return {
    name: `${symbol} (sandbox)`,
    symbol,
    baseCurrency: 'USD',
    decimals: 6,
    issuanceStatus: isDone ? 'PROVISIONED' : early,
    ...(early === 'PROVISIONING' && !isDone && { describeAgainAfterMs: STEP_MS }),
  }
}

type Step = Readonly<{ afterMs: number; report: OrderReport }>

const PROCESSED: Step = {
  afterMs: STEP_MS,
  report: { state: 'PROCESSING', providerStatus: 'processing' },
}

const failedAfter = (afterMs: number, failureReason: OrderFailure): Step => ({
  afterMs,
  report: { state: 'FAILED', failureReason, providerStatus: 'failed' },
})

/** The reports of an order, step by step. */
const COURSES = {
  completes: [
    PROCESSED,
    { afterMs: 2 * STEP_MS, report: { state: 'COMPLETED', providerStatus: 'complete' } },
  ],
  neverFunded: [],
  fundsMissing: [failedAfter(STEP_MS, 'FUNDING_INSUFFICIENT')],
  accountInvalid: [failedAfter(STEP_MS, 'FUNDING_ACCOUNT_INVALID')],
  fundsRejected: [failedAfter(STEP_MS, 'FUNDING_REJECTED')],
  fundsLate: [failedAfter(2 * STEP_MS, 'FUNDING_TIMED_OUT')],
  transferFails: [PROCESSED, failedAfter(2 * STEP_MS, 'PROVIDER_TRANSFER_FAILED')],
  payoutRejected: [PROCESSED, failedAfter(2 * STEP_MS, 'PAYOUT_REJECTED')],
} as const satisfies Record<string, readonly Step[]>

type Course = keyof typeof COURSES

const DEBITS: Readonly<Record<string, Course>> = {
  '002': 'fundsMissing',
  '003': 'accountInvalid',
  '004': 'fundsRejected',
  '005': 'fundsLate',
}

const PAYOUTS: Readonly<Record<string, Course>> = {
  '002': 'payoutRejected',
  '003': 'payoutRejected',
  '004': 'payoutRejected',
  '005': 'payoutRejected',
}

/** By the end of the description; `neverFunded` only where funds come from outside. */
const DESCRIBED: Readonly<Record<string, Course | 'unreachable'>> = {
  '001': 'neverFunded',
  '002': 'transferFails',
  '003': 'unreachable',
}

/** The earliest failing step decides: funds, then the provider's transfer, then the payout. */
function mintCourse({ fundedBy, description }: MintOrder): Course {
  const described = DESCRIBED[suffixOf(description)]
  if (fundedBy.type === 'WIRE' && described === 'neverFunded') return described
  const debit = fundedBy.type === 'WIRE' ? undefined : DEBITS[suffixOf(fundedBy.account.identifier)]
  return debit ?? (described === 'transferFails' ? described : 'completes')
}

function burnCourse({ from, account, description }: BurnOrder): Course {
  const described = DESCRIBED[suffixOf(description)]
  if (from === 'EXTERNAL_ACCOUNT' && described === 'neverFunded') return described
  if (described === 'transferFails') return described
  return PAYOUTS[suffixOf(account.identifier)] ?? 'completes'
}

function mintInstructions({
  fundedBy,
  idempotencyKey,
}: MintOrder): FundingInstructions | undefined {
  if (fundedBy.type !== 'WIRE') return undefined
  const seed = seedOf({ ownerId: idempotencyKey, attempt: 0 })
  return {
    rail: 'WIRE',
    beneficiaryName: 'Sandbox Issuer Reserve',
    bankName: 'Sandbox Issuer Bank',
    accountNumber: decimalDigits(seed('accountNumber'), 10),
    routingNumber: SANDBOX_ROUTING_NUMBER,
    reference: referenceOf(seed('reference'), { prefix: 'MINT-', length: 8 }),
  }
}

function burnInstructions(order: BurnOrder): FundingInstructions | undefined {
  if (order.from !== 'EXTERNAL_ACCOUNT') return undefined
  return {
    rail: 'SPARK',
    network: 'SPARK',
    address: sparkAddressOf(seedOf({ ownerId: order.idempotencyKey, attempt: 0 })('address')),
    valueType: order.providerTokenIdentifier,
  }
}

const REFERENCE_SEPARATOR = '.'

function start(
  { idempotencyKey, description }: MintOrder | BurnOrder,
  course: Course,
  fundingInstructions: FundingInstructions | undefined,
): StartedOrder {
  if (DESCRIBED[suffixOf(description)] === 'unreachable')
    throw new IssuerUnreachable('the sandbox was told to be out')
  const [first] = COURSES[course] as readonly Step[]
  return {
    reference: [idempotencyKey, course].join(REFERENCE_SEPARATOR),
    providerStatus: fundingInstructions ? 'pending_funding' : 'pending',
    ...(fundingInstructions && { fundingInstructions }),
    ...(first && { reportAfterMs: first.afterMs }),
  }
}

function courseOf(reference: string): readonly Step[] {
  const name = reference.split(REFERENCE_SEPARATOR).at(-1) ?? ''
  invariant(Object.hasOwn(COURSES, name), 'The sandbox knows the order that it is asked about.')
  return COURSES[name as Course]
}

function reportOn(course: readonly Step[], elapsedMs: number): OrderReport {
  const next = course.find(({ afterMs }) => afterMs > elapsedMs)
  const last = course.findLast(({ afterMs }) => afterMs <= elapsedMs)
  const report = last?.report ?? { state: 'WAITING', providerStatus: 'pending' }
  return { ...report, ...(next && { reportAfterMs: next.afterMs }) }
}

function linkText({ now, later }: LinkCourse): string {
  if (now) return 'refused with STABLECOIN_PROVIDER_ACCOUNT_INVALID'
  if (later) return `status ${later === 'refused' ? 'INVALID' : 'REVOKED'} after ${STEP_SECONDS} s`
  return 'refused with INVALID_INPUT: providerAccountId has to name one of two'
}

function issuanceText(status: IssuanceStatus | 'UNKNOWN'): string {
  if (status === 'UNKNOWN') return 'refused with INVALID_INPUT'
  return status === 'PROVISIONING'
    ? `issuanceStatus PROVISIONED after ${STEP_SECONDS} s`
    : `issuanceStatus ${status}`
}

function operationText(course: Course | 'unreachable'): string {
  if (course === 'unreachable') return 'refused with SERVICE_UNAVAILABLE'
  const last = (COURSES[course] as readonly Step[]).at(-1)
  if (!last) return 'its funds never come, where they come from outside'
  const { state } = last.report
  const why = 'failureReason' in last.report ? `: ${last.report.failureReason}` : ''
  return `status ${state} after ${last.afterMs / SECOND_MS} s${why}`
}

export const MAGIC_COINS = [
  ...magicValues(
    {
      object: 'link to a provider',
      field: 'apiClientId',
      operation: 'linkStablecoinProviderAccount',
    },
    Object.entries(LINKS),
    linkText,
  ),
  ...magicValues(
    { object: 'coin', field: 'providerTokenIdentifier', operation: 'registerStablecoin' },
    Object.entries(ISSUANCE),
    issuanceText,
  ),
  ...['createStablecoinMint', 'createStablecoinBurn'].flatMap((operation) =>
    magicValues(
      { object: 'mint or burn', field: 'description', operation },
      Object.entries(DESCRIBED),
      operationText,
    ),
  ),
  ...magicValues(
    {
      object: 'bank account that a mint debits',
      field: 'accountNumber',
      operation: 'createStablecoinMint',
    },
    Object.entries(DEBITS),
    operationText,
  ),
  ...magicValues(
    {
      object: 'bank account that a burn pays',
      field: 'accountNumber',
      operation: 'createStablecoinBurn',
    },
    Object.entries(PAYOUTS),
    operationText,
  ),
]
