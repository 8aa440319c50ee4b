import type { Tx } from '../../infra/db/tx.ts'
import type { ArrivedMoney } from './deposit.ts'
import { findFundingOwners, type FundingOwner } from './store.ts'

const REFERENCE = /(?:FUND-[A-HJ-NP-Z2-9]{8}|Q[A-HJ-NP-Z2-9]{10})(?![A-Z0-9])/g

/** The references that stand in a text which the sender wrote, however much else stands around them. */
const referencesIn = (text: string): readonly string[] => text.toUpperCase().match(REFERENCE) ?? []

/**
 * IACC-10: whose a deposit is, by the number or address it was sent to, else by its reference. Where an account is
 * shared by its owner's quotes, the number says whose it is and a reference of that owner what it is for. Undefined:
 * nobody's that is known in this environment.
 */
export async function findOwner(
  tx: Tx,
  { environment, paidTo, report }: Pick<ArrivedMoney, 'environment' | 'paidTo' | 'report'>,
): Promise<FundingOwner | undefined> {
  const found = await findFundingOwners(tx, {
    environment,
    address: paidTo?.replaceAll(/\s/g, '') ?? null,
    references: referencesIn(report.reference ?? ''),
  })
  const addressed = found.find(({ field }) => field !== 'reference')
  const referred = found.filter(({ field }) => field === 'reference')
  if (!addressed) return referred.length === 1 ? referred[0] : undefined
  const quote = referred.find(
    ({ kind, platformId, customerId }) =>
      kind === 'quote' &&
      platformId === addressed.platformId &&
      customerId === addressed.customerId,
  )
  return quote ?? addressed
}
