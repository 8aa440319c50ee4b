import { magicValues } from '../../../kernel/text/magic-value.ts'
import type { Simulated } from './decision.ts'

const BY_SUFFIX: Readonly<Record<string, Simulated>> = {
  '002': { decline: 'INSUFFICIENT_FUNDS' },
  '003': { decline: 'CARD_PAUSED' },
  '005': { pending: 'CONFIRMED' },
  '006': { pending: 'FAILED' },
}

function effectOf({ decline, pending }: Simulated): string {
  if (decline !== undefined) return `declined: ${decline}`
  return pending === 'FAILED'
    ? 'approved; after 5 s the debit fails: EXCEPTION'
    : 'approved; the account is debited for good after 30 s'
}

export const MAGIC_DESCRIPTORS = magicValues(
  {
    object: 'purchase by card',
    field: 'merchant.descriptor',
    operation: 'sandboxSimulateCardAuthorization',
  },
  Object.entries(BY_SUFFIX),
  effectOf,
)

/** The outcome that the last three characters of a merchant's descriptor choose (chapter 40, section 8). */
export const simulatedBy = (descriptor: string): Simulated => BY_SUFFIX[descriptor.slice(-3)] ?? {}
