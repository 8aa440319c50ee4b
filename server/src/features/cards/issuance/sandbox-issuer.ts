import { randomInt } from 'node:crypto'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { magicValues } from '../../../kernel/text/magic-value.ts'
import { newUuid } from '../../../kernel/ids.ts'
import type {
  CardIssuer,
  CardOrder,
  CardReport,
  IssuedCard,
} from '../../../providers/card-issuer.ts'
import { withCheckDigit } from './number.ts'

const ACTIVATION_MS = 30 * SECOND_MS
/** A number with this prefix cannot be charged anywhere, because no bank owns it (CARD-40). */
const TEST_BIN = '400000'

/** The end of the cardholder's `platformCustomerId` decides what the sandbox does (chapter 40, section 8). */
export const sandboxIssuer: CardIssuer = { provision: (order) => Promise.resolve(report(order)) }

type Issuance = 'stays' | 'refused' | 'delayed'

const BY_SUFFIX: ReadonlyMap<string, Issuance> = new Map([
  ['001', 'stays'],
  ['002', 'refused'],
  ['005', 'delayed'],
])

const EFFECTS: Readonly<Record<Issuance, string>> = {
  stays: 'the card stays PROCESSING',
  refused: 'the card is CLOSED: ISSUER_REJECTED',
  delayed: `the card is ACTIVE after ${ACTIVATION_MS / SECOND_MS} s`,
}

export const MAGIC_CARDHOLDERS = magicValues(
  { object: 'cardholder', field: 'platformCustomerId', operation: 'createCard' },
  BY_SUFFIX,
  (issuance) => EFFECTS[issuance],
)

function report({ platformCustomerId = '', elapsedMs }: CardOrder): CardReport {
  const issuance = BY_SUFFIX.get(platformCustomerId.slice(-3))
  if (issuance === 'stays') return { outcome: 'waiting' }
  if (issuance === 'refused') return { outcome: 'refused' }
  return issuance === 'delayed' && elapsedMs < ACTIVATION_MS
    ? { outcome: 'waiting', askAgainAfterMs: ACTIVATION_MS - elapsedMs }
    : { outcome: 'issued', card: newCard() }
}

const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => randomInt(10)).join('')

const newCard = (): IssuedCard => ({
  brand: 'VISA',
  number: withCheckDigit(`${TEST_BIN}${randomDigits(9)}`),
  securityCode: randomDigits(3),
  processorRef: `proc_${newUuid()}`,
  issuerRef: `iss_${newUuid()}`,
})
