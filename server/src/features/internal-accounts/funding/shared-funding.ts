import {
  REFERENCES,
  SLOW_RAILS,
  type FundingDraft,
  type FundingRequest,
  type PaymentInstructions,
} from './instructions.ts'
import { referenceOf } from './sandbox-values/bank-identifiers.ts'
import { seedOf } from './sandbox-values/seed.ts'

/**
 * Where no bank opens an account for each quote, a quote is funded over an existing account of its owner, under a reference
 * of its own (QUOTE-18). Only entries with a reference and instant rails are used; without any there is no draft.
 */
export function draftSharedFunding(
  { owner, isPlatformAccount }: Pick<FundingRequest, 'owner' | 'isPlatformAccount'>,
  instructions: readonly PaymentInstructions[],
): FundingDraft | undefined {
  const seed = seedOf({ ownerId: owner.id, attempt: 0 })
  const reference = referenceOf(seed('reference'), REFERENCES[owner.kind])
  const usable = instructions.flatMap(({ accountOrWalletInfo: info, ...more }) => {
    const rails = Array.isArray(info['paymentRails']) ? info['paymentRails'] : []
    const paymentRails = rails.filter((rail) => !SLOW_RAILS.has(String(rail)))
    const isUsable = typeof info['reference'] === 'string' && paymentRails.length > 0
    const own = { ...info, reference, paymentRails }
    return isUsable ? [{ ...more, isPlatformAccount, accountOrWalletInfo: own }] : []
  })
  if (usable.length === 0) return undefined
  return { instructions: usable, addresses: [{ owner, field: 'reference', value: reference }] }
}
