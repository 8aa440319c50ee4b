import type { Simulated } from '../features/cards/index.ts'

const BY_SUFFIX: Readonly<Record<string, Simulated>> = {
  '002': { decline: 'INSUFFICIENT_FUNDS' },
  '003': { decline: 'CARD_PAUSED' },
  '005': { pending: 'CONFIRMED' },
  '006': { pending: 'FAILED' },
}

/** The outcome that the last three characters of a merchant's descriptor choose (chapter 40, section 8). */
export const simulatedBy = (descriptor: string): Simulated => BY_SUFFIX[descriptor.slice(-3)] ?? {}
