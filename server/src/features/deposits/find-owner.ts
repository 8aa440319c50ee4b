import type { Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { ArrivedMoney } from './deposit.ts'
import { findFundingOwners, type FundingOwner } from './store.ts'

const REFERENCE = /(?:FUND-[A-HJ-NP-Z2-9]{8}|Q[A-HJ-NP-Z2-9]{10})(?![A-Z0-9])/g

/** The references in a text that the sender wrote, whatever surrounds them. */
const referencesIn = (text: string): readonly string[] => text.toUpperCase().match(REFERENCE) ?? []

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

const isInOneCase = (text: string): boolean =>
  text === text.toLowerCase() || text === text.toUpperCase()

/** Case matters only for addresses in base58; bech32 is written in one case, upper or lower. */
function isTheSame({ field, value }: FundingOwner, address: string): boolean {
  if (field !== 'address' || value === address || EVM_ADDRESS.test(value)) return true
  return isInOneCase(value) && isInOneCase(address)
}

type Sought = Pick<ArrivedMoney, 'environment' | 'paidTo' | 'report'> &
  Readonly<{
    /** Absent or null: any of the environment. */
    platformIds?: readonly Id<'platform'>[] | null
    /** What the number or address is, where it is known. */
    fields?: readonly string[] | undefined
  }>

/**
 * Finds the owner of a deposit by the number or address it was sent to, else by its reference (IACC-10). Where an account
 * is shared by its owner's quotes, the number names the owner and the reference the quote. Undefined where no owner in this
 * environment is known.
 */
export async function findOwner(
  tx: Tx,
  { environment, paidTo, report, platformIds = null, fields }: Sought,
): Promise<FundingOwner | undefined> {
  const written = paidTo?.trim() ?? ''
  // Blanks group the digits of a number, but are part of a PIX code.
  const address = written.replaceAll(/\s/g, '')
  const found = await findFundingOwners(tx, {
    environment,
    platformIds,
    addresses: [address, written],
    references: referencesIn(report.reference ?? ''),
  })
  const addressed = found.find(
    (one) =>
      one.field !== 'reference' && (fields?.includes(one.field) ?? true) && isTheSame(one, address),
  )
  const referred = found.filter((one) => one.field === 'reference')
  if (!addressed) return referred.length === 1 ? referred[0] : undefined
  const quote = referred.find(
    ({ kind, platformId, customerId }) =>
      kind === 'quote' &&
      platformId === addressed.platformId &&
      customerId === addressed.customerId,
  )
  return quote ?? addressed
}
