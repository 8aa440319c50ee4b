/** Orders that the cases send, one kind for each port. */
import { newUuid } from '../../kernel/ids.ts'
import { addMs, DAY_MS, systemClock } from '../../kernel/clock.ts'

export const TESTED_PORTS = [
  'rails',
  'identity',
  'screening',
  'deposits',
  'cards',
  'prices',
] as const

export type TestedPort = (typeof TESTED_PORTS)[number]

export type OrderBody = Readonly<{ id: string; type: string; [member: string]: unknown }>

/** What is sent for a port, what it plays, and the state in which it ends. */
type Sample = Readonly<{
  type: string
  testOutcome: string
  ends: 'SETTLED' | 'DECIDED' | 'ACCEPTED'
  members: () => Readonly<Record<string, unknown>>
}>

const id = (prefix: string): string => `${prefix}:${newUuid()}`

const PERSON = {
  type: 'INDIVIDUAL',
  name: 'Mira Aldana',
  birthDate: '1990-04-02',
  address: { line1: 'Lindenallee 4', city: 'Berlin', postalCode: '10115', country: 'DE' },
}

const PAYEE = { type: 'INDIVIDUAL', name: 'Jan Novak', address: { country: 'CZ' } }

const payout = () => ({
  transactionId: id('Transaction'),
  amount: { amount: 9154, currency: 'EUR', decimals: 2 },
  rail: 'SEPA_INSTANT',
  debtor: PERSON,
  debtorAccount: { id: id('InternalAccount'), iban: 'DE75512108001245126199' },
  creditor: PAYEE,
  creditorAccount: {
    id: id('ExternalAccount'),
    accountType: 'EUR_ACCOUNT',
    accountInfo: { iban: 'DE89370400440532013000' },
  },
  reference: 'FLK7M2QX9RT4WBHC',
  remittance: 'Invoice 77',
  purpose: 'GOODS_OR_SERVICES',
})

const accountOpening = () => ({
  accountId: id('InternalAccount'),
  currency: 'EUR',
  holder: PERSON,
  holderName: PERSON.name,
  isPlatformAccount: false,
})

const identityCheck = () => ({
  verificationId: id('Verification'),
  customerType: 'INDIVIDUAL',
  mode: 'FULL',
  customer: { id: id('Customer'), fullName: PERSON.name, birthDate: PERSON.birthDate },
  owners: [],
  documents: [],
})

const screening = () => ({
  subjectType: 'PERSON',
  subject: id('Customer'),
  parties: [PERSON],
})

const cardIssue = () => ({
  cardId: id('Card'),
  platformCardId: 'card-1',
  cardholder: PERSON,
  currency: 'USD',
  form: 'VIRTUAL',
})

export const SAMPLES: Readonly<Record<TestedPort, Sample>> = {
  rails: { type: 'PAYOUT', testOutcome: 'SETTLE', ends: 'SETTLED', members: payout },
  identity: {
    type: 'IDENTITY_CHECK',
    testOutcome: 'DECIDE:APPROVED',
    ends: 'DECIDED',
    members: identityCheck,
  },
  screening: {
    type: 'SCREENING',
    testOutcome: 'DECIDE:CLEAR',
    ends: 'DECIDED',
    members: screening,
  },
  deposits: {
    type: 'ACCOUNT_OPENING',
    testOutcome: 'DECIDE:OPENED',
    ends: 'DECIDED',
    members: accountOpening,
  },
  cards: {
    type: 'CARD_ISSUE',
    testOutcome: 'DECIDE:ISSUED',
    ends: 'DECIDED',
    members: cardIssue,
  },
  prices: { type: 'TEST_PUSH', testOutcome: 'PRICES', ends: 'ACCEPTED', members: () => ({}) },
}

/** A new order, with a test outcome and members other than usual where a case asks for them. */
export function newOrder(
  port: TestedPort,
  reportUrl: string,
  changes: Readonly<Record<string, unknown>> = {},
): OrderBody {
  const { type, testOutcome, members } = SAMPLES[port]
  const [uuid, now] = [newUuid(), systemClock.now()]
  return {
    id: `Order:${uuid}`,
    type,
    test: true,
    testOutcome,
    createdAt: now.toISOString(),
    executeAt: now.toISOString(),
    expiresAt: addMs(now, DAY_MS).toISOString(),
    reportUrl,
    platform: { id: id('Platform'), name: 'Acme' },
    ...(port === 'rails' && { endToEndId: uuid.replaceAll('-', '') }),
    ...members(),
    ...changes,
  }
}
