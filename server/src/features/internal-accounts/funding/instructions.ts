import { firstCharacters } from '../../../kernel/text/cut-text.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { FUNDING_FROM_ABROAD, FUNDING_METHODS, type FundingMethod } from './methods.ts'
import { referenceOf } from './sandbox-values/bank-identifiers.ts'
import { seedOf } from './sandbox-values/seed.ts'
import { FUNDING_ADDRESS_FIELDS } from './address-fields.ts'

/** Funding instructions as the API shows them; the shapes are in payment-account-schemas.ts. */
export type PaymentInstructions = Readonly<{
  instructionsNotes?: string
  isPlatformAccount: boolean
  accountOrWalletInfo: Readonly<{ accountType: string; [field: string]: unknown }>
}>

/** The receiver of funds: an account, or a quote that waits for its funds. */
export type FundingOwner = Readonly<
  { kind: 'internalAccount'; id: Id<'internalAccount'> } | { kind: 'quote'; id: Id<'quote'> }
>

export type FundingRequest = Readonly<{
  owner: FundingOwner
  currency: string
  /** The name of the customer or platform for whose benefit the money is held. */
  holderName: string
  isPlatformAccount: boolean
  createdAt: Date
  /** Narrows the instructions to this network. */
  network?: string
}>

/** A value by which deposits are recognised; no two owners share one (IACC-9). */
export type FundingAddress = Readonly<{ owner: FundingOwner; field: string; value: string }>

export type FundingDraft = Readonly<{
  instructions: readonly PaymentInstructions[]
  addresses: readonly FundingAddress[]
}>

/** The service's name as the holder of accounts, and the address of its pages. */
export type FundingService = Readonly<{ legalName: string; publicUrl: string }>

/** A quote cannot wait for rails that take hours. */
export const SLOW_RAILS: ReadonlySet<string> = new Set(['ACH', 'WIRE', 'SEPA', 'SWIFT', 'NEFT'])

/** Fields that the API allows on every bank entry. */
const HOLDER_NAME_LENGTH_MAX = 255
const BANK_NAME_LENGTH_MAX = 140

export const REFERENCES = {
  internalAccount: { prefix: 'FUND-', length: 8 },
  quote: { prefix: 'Q', length: 10 },
}

export const methodsOf = (currency: string): readonly FundingMethod[] =>
  FUNDING_METHODS[currency] ?? FUNDING_FROM_ABROAD

/** The default rail or network over which an account is funded. */
export function defaultFunding(currency: string): { rail?: string; network?: string } {
  const [method] = methodsOf(currency)
  invariant(method, `An account in ${currency} can be paid into.`)
  const { rails, network } = method
  return rails?.[0] ? { rail: rails[0] } : { network: network ?? '' }
}

/** The networks over which a coin can be paid in. */
export const fundingNetworksOf = (currency: string): readonly string[] =>
  methodsOf(currency).flatMap(({ network }) => network ?? [])

/**
 * Drafts the instructions of one owner, with sandbox values made from its id (chapter 30, section 6). The same request
 * gives the same draft; another attempt gives other values, where one is taken.
 */
export function draftFunding(
  request: FundingRequest,
  { attempt, service }: { attempt: number; service: FundingService },
): FundingDraft {
  const { owner, currency, network } = request
  const seed = seedOf({ ownerId: owner.id, attempt })
  const reference = referenceOf(seed('reference'), REFERENCES[owner.kind])
  const draft = { seed, reference, createdAt: request.createdAt, publicUrl: service.publicUrl }
  const methods = methodsOf(currency).filter(
    (method) => network === undefined || method.network === network,
  )
  const infos = methods.map((method) => ({
    method,
    info: {
      accountType: method.accountType,
      ...(method.hasReference && { reference }),
      ...(method.asset && { assetType: method.asset }),
      ...method.fields(draft),
      ...bankFields(method, request, service),
    },
  }))
  return {
    instructions: infos.map(({ method, info }) => ({
      ...(method.notes && { instructionsNotes: method.notes }),
      isPlatformAccount: request.isPlatformAccount,
      accountOrWalletInfo: info,
    })),
    addresses: uniqueAddresses(
      owner,
      infos.map(({ info }) => info),
    ),
  }
}

/** The name that stands on an account at the bank (IACC-11). */
export const accountHolderName = (legalName: string, ownerName: string): string =>
  firstCharacters(`${legalName} FBO ${ownerName}`, HOLDER_NAME_LENGTH_MAX)

/** The holder, the bank and the rails of an account. */
function bankFields(
  { rails, hidesRails }: FundingMethod,
  { owner, holderName }: FundingRequest,
  { legalName }: FundingService,
): Record<string, unknown> {
  if (!rails) return {}
  const usable = owner.kind === 'quote' ? rails.filter((rail) => !SLOW_RAILS.has(rail)) : rails
  return {
    accountHolderName: accountHolderName(legalName, holderName),
    bankName: firstCharacters(`${legalName} Bank`, BANK_NAME_LENGTH_MAX),
    ...(!hidesRails && { paymentRails: usable }),
  }
}

export function uniqueAddresses(
  owner: FundingOwner,
  infos: readonly Readonly<Record<string, unknown>>[],
): FundingAddress[] {
  const found = new Map<string, FundingAddress>()
  for (const info of infos) {
    for (const field of FUNDING_ADDRESS_FIELDS) {
      const value = info[field]
      if (typeof value === 'string') found.set(`${field} ${value}`, { owner, field, value })
    }
  }
  return [...found.values()]
}
