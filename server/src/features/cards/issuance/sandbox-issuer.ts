import { randomInt } from 'node:crypto'
import { SECOND_MS } from '../../../kernel/clock.ts'
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

function report({ platformCustomerId = '', elapsedMs }: CardOrder): CardReport {
  switch (platformCustomerId.slice(-3)) {
    case '001':
      return { outcome: 'waiting' }
    case '002':
      return { outcome: 'refused' }
    case '005':
      return elapsedMs < ACTIVATION_MS
        ? { outcome: 'waiting', askAgainAfterMs: ACTIVATION_MS - elapsedMs }
        : { outcome: 'issued', card: newCard() }
    default:
      return { outcome: 'issued', card: newCard() }
  }
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
