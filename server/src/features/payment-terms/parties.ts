/** Payer and payee of a payment, as orders to providers name them (PROV-40). */
import { parseId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { findCustomer, partyOfCustomer, type Customer } from '../customers/index.ts'
import {
  findAnyExternalAccount,
  orderedAccount,
  partyOfBeneficiary,
  type ExternalAccount,
} from '../external-accounts/index.ts'
import { identifierOf, type Transaction } from '../transactions/index.ts'

type Members = Readonly<Record<string, unknown>>

export type PartySide = Readonly<{ party?: Members; account?: Members; external?: ExternalAccount }>

export type Parties = Readonly<{
  customer: Customer | undefined
  /** The customer, else the platform. */
  owner: Members
  source: PartySide
  destination: PartySide
}>

export async function readParties(work: Work, transaction: Transaction): Promise<Parties> {
  const [customer, source, destination] = await Promise.all([
    transaction.customerId ? findCustomer(work, transaction.customerId) : undefined,
    sideOf(work, identifierOf(transaction.source)),
    sideOf(work, identifierOf(transaction.destination)),
  ])
  const { name } = work.platform
  const owner = customer ? partyOfCustomer(customer) : { type: 'BUSINESS', name }
  return { customer, owner, source, destination }
}

async function sideOf(work: Work, identifier: string | null): Promise<PartySide> {
  if (identifier === null) return {}
  const externalId = parseId('externalAccount', identifier)
  const external = externalId && (await findAnyExternalAccount(work, externalId))
  if (external) {
    return {
      external,
      party: partyOfBeneficiary(external),
      account: orderedAccount(external),
    }
  }
  if (parseId('internalAccount', identifier)) return { account: { id: identifier } }
  return { party: { type: 'INDIVIDUAL', name: identifier }, account: { umaAddress: identifier } }
}
