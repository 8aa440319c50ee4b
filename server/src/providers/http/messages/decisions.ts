/** What `DECIDED` holds beside its head, by the type of the order. */
import { Type } from '../../../infra/http/schema/type.ts'
import { object, oneOf, taggedUnion } from '../../../infra/http/schema/wire-schema.ts'
import { COIN_AMOUNT, idOf, outsideId } from './values.ts'

const text = Type.String()
const anything = Type.Record(Type.String(), Type.Unknown())
const DecisionRefused = Type.Object({ decision: oneOf(['REFUSED']), reason: text })

const NAME_LENGTH_MAX = 255

export const NameCheckDecision = object('NameCheckDecision', {
  status: oneOf([
    'MATCHED',
    'PARTIAL_MATCH',
    'NOT_MATCHED',
    'UNSUPPORTED',
    'CHECKED_BY_RECEIVING_FI',
  ]),
  fullName: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX })),
})

const INSTRUCTIONS_MAX = 10

export const AccountOpeningDecision = taggedUnion(
  { name: 'AccountOpeningDecision', tag: 'decision' },
  [
    Type.Object({
      decision: oneOf(['OPENED']),
      instructions: Type.Array(
        object('FundingInstruction', {
          accountOrWalletInfo: Type.Object({ accountType: text }),
          instructionsNotes: Type.Optional(text),
        }),
        { minItems: 1, maxItems: INSTRUCTIONS_MAX },
      ),
    }),
    DecisionRefused,
  ],
)

const IDENTITY_DECISIONS = ['APPROVED', 'REJECTED', 'MORE_NEEDED', 'REVIEW'] as const
const OWNER_DECISIONS = ['APPROVED', 'REJECTED', 'PENDING'] as const

const IdentityDecision = object('IdentityDecision', {
  decision: oneOf(IDENTITY_DECISIONS),
  errors: Type.Optional(
    Type.Array(
      object('VerificationErrorEntry', {
        resourceId: idOf('Customer', 'BeneficialOwner', 'Document'),
        type: text,
        reason: text,
        field: Type.Optional(text),
        acceptedDocumentTypes: Type.Optional(Type.Array(text)),
      }),
    ),
  ),
  owners: Type.Optional(
    Type.Array(
      object('OwnerDecision', { id: idOf('BeneficialOwner'), decision: oneOf(OWNER_DECISIONS) }),
    ),
  ),
  evidence: Type.Optional({ ...anything, description: 'At most 64 KiB, shown to reviewers only.' }),
})

export const ScreeningMatchSchema = object('ScreeningMatch', {
  list: text,
  entryId: text,
  name: text,
  score: Type.Number({ minimum: 0, maximum: 100 }),
  subject: oneOf(['PAYER', 'PAYEE', 'SUBJECT']),
  url: Type.Optional(text),
})

const ScreeningDecision = object('ScreeningDecision', {
  verdict: oneOf(['CLEAR', 'REVIEW', 'BLOCK']),
  listVersion: Type.String({ minLength: 1, maxLength: 128 }),
  matches: Type.Array(ScreeningMatchSchema),
})

const CardIssueDecision = taggedUnion({ name: 'CardIssueDecision', tag: 'decision' }, [
  Type.Object({
    decision: oneOf(['ISSUED']),
    card: object('IssuedCard', {
      brand: text,
      last4: Type.String({ pattern: '^[0-9]{4}$' }),
      expMonth: Type.Integer({ minimum: 1, maximum: 12 }),
      expYear: Type.Integer({ minimum: 2000, maximum: 9999 }),
      processorRef: outsideId(),
      issuerRef: outsideId(),
    }),
  }),
  DecisionRefused,
])

const CardStateDecision = object('CardStateDecision', {})

const ACCOUNTS_MAX = 100

/** Whether the credentials are good, and which of the provider's accounts they open. */
const CoinLinkDecision = object('CoinLinkDecision', {
  verdict: oneOf(['ACCEPTED', 'REFUSED', 'REVOKED']),
  accountIds: Type.Optional(Type.Array(outsideId(), { minItems: 1, maxItems: ACCOUNTS_MAX })),
})

const ISSUANCE_STATUSES = [
  'PENDING_REVIEW',
  'PROVISIONING',
  'PROVISIONED',
  'REJECTED',
  'FAILED',
] as const

const CoinTokenDecision = object('CoinTokenDecision', {
  known: Type.Optional(Type.Boolean({ description: '`false`: there is no such token.' })),
  token: Type.Optional(
    object('CoinDescription', {
      name: Type.String({ minLength: 1, maxLength: 128 }),
      symbol: Type.String({ minLength: 1, maxLength: 64 }),
      baseCurrency: Type.String({ pattern: '^[A-Z]{3}$' }),
      decimals: Type.Integer({ minimum: 0, maximum: 18 }),
      issuanceStatus: oneOf(ISSUANCE_STATUSES),
    }),
  ),
})

const COIN_FAILURES = [
  'FUNDING_INSUFFICIENT',
  'FUNDING_ACCOUNT_INVALID',
  'FUNDING_REJECTED',
  'FUNDING_TIMED_OUT',
  'PROVIDER_TRANSFER_FAILED',
  'PAYOUT_REJECTED',
  'PROVIDER_ACCOUNT_UNUSABLE',
] as const

const coinEnd = {
  amount: Type.Optional(
    Type.String({ pattern: COIN_AMOUNT, description: 'Where it is stated: as it was ordered.' }),
  ),
  providerStatus: Type.Optional(text),
}

const CoinMovementDecision = taggedUnion({ name: 'CoinMovementDecision', tag: 'operationState' }, [
  Type.Object({ operationState: oneOf(['COMPLETED']), ...coinEnd }),
  Type.Object({
    operationState: oneOf(['FAILED']),
    failureReason: oneOf(COIN_FAILURES),
    ...coinEnd,
  }),
])

/** By the type of the order; money orders are never decided, they settle. */
export const DECISIONS = {
  NAME_CHECK: NameCheckDecision,
  ACCOUNT_OPENING: AccountOpeningDecision,
  IDENTITY_CHECK: IdentityDecision,
  SCREENING: ScreeningDecision,
  CARD_ISSUE: CardIssueDecision,
  CARD_STATE: CardStateDecision,
  COIN_LINK: CoinLinkDecision,
  COIN_TOKEN: CoinTokenDecision,
  COIN_MINT: CoinMovementDecision,
  COIN_BURN: CoinMovementDecision,
} as const
