/** What is sent to `POST {url}/orders`, by type (sections 7 and 9 to 13 of chapter 44). */
import { Type, type TProperties } from '../../../infra/http/schema/type.ts'
import { object, oneOf, taggedUnion, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import {
  AddressSchema,
  COIN_AMOUNT,
  idOf,
  OrderedAmountSchema,
  orderId,
  outsideId,
  PARTY_TYPES,
  PartySchema,
  variant,
} from './values.ts'

const MONEY_ORDER_TYPES = ['PAYOUT', 'PULL', 'COLLECTION', 'REFUND', 'DEPOSIT_RETURN'] as const

const text = Type.String()
const anything = Type.Record(Type.String(), Type.Unknown())

/** What every order has. */
const head = {
  id: orderId,
  test: Type.Boolean({
    description: 'Sent by `florin providers test`: no money may move for it (PROV-54).',
  }),
  testOutcome: Type.Optional(
    Type.String({ description: 'With `test`: what the provider plays, see the cases.' }),
  ),
  createdAt: timestamp(),
  executeAt: Type.Optional(timestamp('Not to be executed before.')),
  expiresAt: timestamp('Not begun by then: `REFUSED` with `DEADLINE_PASSED` (PROV-44).'),
  reportUrl: Type.String({ format: 'url', description: 'Where its reports go.' }),
  platform: object('OrderPlatform', { id: idOf('Platform'), name: text }),
  customer: Type.Optional(
    object('OrderCustomer', {
      id: idOf('Customer'),
      platformCustomerId: text,
      customerType: oneOf(PARTY_TYPES),
    }),
  ),
}

const typed = <const T extends string, P extends TProperties>(type: T, properties: P) =>
  variant({ type: oneOf([type]), ...head }, properties)

const OrderAccountSchema = object(
  'OrderAccount',
  {
    id: Type.Optional(idOf('InternalAccount', 'ExternalAccount')),
    accountType: Type.Optional(text),
    accountInfo: Type.Optional(anything),
    iban: Type.Optional(text),
    accountNumber: Type.Optional(
      Type.String({ description: 'Of a `DEPOSIT_RETURN`: as the deposit named its sender.' }),
    ),
    bank: Type.Optional(text),
    umaAddress: Type.Optional(text),
  },
  { description: 'Of an external account all fields of `accountInfo`, unsealed.' },
)

const TravelRulePartySchema = object('TravelRuleParty', {
  name: text,
  address: Type.Optional(AddressSchema),
  birthDate: Type.Optional(Type.String({ format: 'date' })),
})

const moneyOrder = {
  transactionId: Type.Optional(idOf('Transaction')),
  amount: OrderedAmountSchema,
  rail: Type.Optional(
    Type.String({ description: 'A bank rail, or `LIGHTNING` with an `invoice`.' }),
  ),
  network: Type.Optional(Type.String({ description: 'Of a wallet, beside `asset`.' })),
  asset: Type.Optional(text),
  invoice: Type.Optional(text),
  debtor: PartySchema,
  debtorAccount: Type.Optional(OrderAccountSchema),
  creditor: PartySchema,
  creditorAccount: Type.Optional(OrderAccountSchema),
  reference: Type.String({
    pattern: '^FL[A-HJ-NP-Z2-9]{14}$',
    description: 'Carried so that the beneficiary and a return show it (PROV-41).',
  }),
  endToEndId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  remittance: Type.Optional(text),
  purpose: Type.Optional(text),
  travelRule: Type.Optional(
    object('TravelRule', {
      originator: TravelRulePartySchema,
      beneficiary: TravelRulePartySchema,
      beneficiaryVasp: Type.Optional(text),
      ownershipType: Type.Optional(text),
    }),
  ),
  originalOrderId: Type.Optional(orderId),
  originalReference: Type.Optional(text),
}

const NameCheckOrder = typed('NAME_CHECK', {
  name: text,
  accountType: text,
  accountInfo: anything,
})

const AccountOpeningOrder = typed('ACCOUNT_OPENING', {
  accountId: idOf('InternalAccount'),
  currency: text,
  holder: PartySchema,
  holderName: text,
  isPlatformAccount: Type.Boolean(),
})

const OrderDocumentSchema = object('OrderDocument', {
  id: idOf('Document'),
  holder: idOf('Customer', 'BeneficialOwner'),
  documentType: text,
  side: Type.Optional(text),
  country: Type.String({ format: 'iso3166-1-alpha-2' }),
  documentNumber: Type.Optional(text),
  issuingAuthority: Type.Optional(text),
  mimeType: text,
  size: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  url: Type.String({ format: 'url' }),
  urlExpiresAt: timestamp(),
})

const IdentityCheckOrder = typed('IDENTITY_CHECK', {
  verificationId: idOf('Verification'),
  customerType: oneOf(PARTY_TYPES),
  mode: oneOf(['FULL', 'LIGHT']),
  customer: anything,
  owners: Type.Array(anything),
  documents: Type.Array(OrderDocumentSchema),
  previousOrderId: Type.Optional(orderId),
})

const SCREENING_SUBJECTS = ['PERSON', 'BUSINESS', 'EXTERNAL_ACCOUNT', 'WALLET', 'PAYMENT'] as const

const ScreeningOrder = typed('SCREENING', {
  subjectType: oneOf(SCREENING_SUBJECTS),
  subject: text,
  direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
  amount: Type.Optional(OrderedAmountSchema),
  parties: Type.Array(PartySchema),
  account: Type.Optional(OrderAccountSchema),
})

const CardIssueOrder = typed('CARD_ISSUE', {
  cardId: idOf('Card'),
  platformCardId: text,
  cardholder: PartySchema,
  currency: text,
  form: text,
  threeDSecurePassword: Type.Optional(text),
})

const CardStateOrder = typed('CARD_STATE', {
  cardId: idOf('Card'),
  processorRef: outsideId(),
  state: oneOf(['FROZEN', 'ACTIVE', 'CLOSED']),
  version: Type.Integer({
    minimum: 1,
    description: 'Rises by 1 per card; a lower one than applied is ignored.',
  }),
})

const credentials = {
  credentials: object(
    'CoinCredentials',
    { apiClientId: text, apiClientSecret: text },
    { description: 'Of the platform, as it gave them; for this provider only.' },
  ),
}

const CoinTokenSchema = object('CoinToken', {
  providerTokenIdentifier: text,
  network: text,
  networkTokenIdentifier: text,
})

const CoinLinkOrder = typed('COIN_LINK', {
  ...credentials,
  accountId: Type.Optional(
    Type.String({ description: 'The account that the platform named; else any.' }),
  ),
})
const CoinTokenOrder = typed('COIN_TOKEN', {
  ...credentials,
  accountId: text,
  token: CoinTokenSchema,
})

const coinMovement = {
  ...credentials,
  accountId: text,
  operationId: idOf('StablecoinOperation'),
  token: CoinTokenSchema,
  amount: object('CoinAmount', {
    amount: Type.String({ pattern: COIN_AMOUNT }),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
  }),
  source: object('CoinSource', { type: text, account: Type.Optional(OrderAccountSchema) }),
  destination: object('CoinDestination', {
    rail: Type.Optional(text),
    account: OrderAccountSchema,
  }),
  description: Type.Optional(text),
}

const CoinMintOrder = typed('COIN_MINT', coinMovement)
const CoinBurnOrder = typed('COIN_BURN', coinMovement)

const TEST_PUSHES = ['DEPOSIT', 'PRICES', 'AUTHORIZATION'] as const

const TestPushOrder = typed('TEST_PUSH', { testOutcome: oneOf(TEST_PUSHES) })

/** One order. */
export const OrderSchema = taggedUnion({ name: 'Order', tag: 'type', shared: head }, [
  ...MONEY_ORDER_TYPES.map((type) => typed(type, moneyOrder)),
  NameCheckOrder,
  AccountOpeningOrder,
  IdentityCheckOrder,
  ScreeningOrder,
  CardIssueOrder,
  CardStateOrder,
  CoinLinkOrder,
  CoinTokenOrder,
  CoinMintOrder,
  CoinBurnOrder,
  TestPushOrder,
])
