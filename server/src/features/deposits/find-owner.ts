import type { Tx } from '../../infra/db/tx.ts'
import type { ArrivedMoney } from './deposit.ts'
import { findFundingOwners, type FundingOwner } from './store.ts'

const REFERENCE = /(?:FUND-[A-HJ-NP-Z2-9]{8}|Q[A-HJ-NP-Z2-9]{10})(?![A-Z0-9])/g

/** The references that stand in a text which the sender wrote, however much else stands around them. */
const referencesIn = (text: string): readonly string[] => text.toUpperCase().match(REFERENCE) ?? []

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

const isInOneCase = (text: string): boolean =>
  text === text.toLowerCase() || text === text.toUpperCase()

/** Case says nothing, but for an address in base58. One in bech32 is written in one case, whichever. */
function isTheSame({ field, value }: FundingOwner, address: string): boolean {
  if (field !== 'address' || value === address || EVM_ADDRESS.test(value)) return true
  return isInOneCase(value) && isInOneCase(address)
}

/**
 * IACC-10: whose a deposit is, by the number or address it was sent to, else by its reference. Where an account is
 * shared by its owner's quotes, the number says whose it is and a reference of that owner what it is for. Undefined:
 * nobody's that is known in this environment.
 */
export async function findOwner(
  tx: Tx,
  { environment, paidTo, report }: Pick<ArrivedMoney, 'environment' | 'paidTo' | 'report'>,
): Promise<FundingOwner | undefined> {
  const written = paidTo?.trim() ?? ''
  // Blanks group the digits of a number, but are part of a PIX code.
  const address = written.replaceAll(/\s/g, '')
  const found = await findFundingOwners(tx, {
    environment,
    addresses: [address, written],
    references: referencesIn(report.reference ?? ''),
  })
  const addressed = found.find((one) => one.field !== 'reference' && isTheSame(one, address))
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
