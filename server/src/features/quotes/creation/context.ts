import { isCurrencyCode } from '../../../kernel/money/currency.ts'
import { parseAnyId, type Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { NamedPayer } from '../../customers/index.ts'
import type { FundingDraft, FundingRequest } from '../../internal-accounts/index.ts'
import type { ScaFactor } from '../../sca/index.ts'
import type { LockSide, PriceCaller, WantedRate } from '../../rates/index.ts'
import {
  currencyOfSide,
  findSides,
  loadPaymentTerms,
  wantedRatesOf,
  type Mandate,
  type PayingSide,
  type PaymentTerms,
  type ReceivingSide,
  type Sides,
  type UmaSide,
} from '../../payment-terms/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import { listWalletNames, type WalletName } from '../../wallet-auth/index.ts'
import { claimQuoteFundings } from '../funding/claim-fundings.ts'
import type { PlatformFeeOverride } from './platform-fee-override.ts'
import { namedCustomerOf } from '../record/quote.ts'
import type { QuoteDestination, QuoteSource } from '../record/schema.ts'
import type { UmaLookup } from './uma-target.ts'
import { isWallet } from '../execution/wallet-source.ts'

/** A request for a quote, by a platform or an agent. */
export type QuoteCommand = Readonly<{
  id: Id<'quote'>
  source: QuoteSource
  destination: QuoteDestination
  lock: Readonly<{ side: LockSide; amount: bigint }>
  isImmediate: boolean
  /** Set where an agent asks, which may use the accounts of its customer only. */
  agent: Pick<Mandate, 'agentId' | 'customerId'> | undefined
  description: string | null
  remittanceInformation: string | null
  purposeOfPayment: string | null
  platformFee: PlatformFeeOverride | undefined
  lifetimeMs: number
  /** For an agent's quote: whether the platform has to approve it, and how long the price then lives (ACT-29). */
  approval?: Readonly<{ lifetimeMs: number; isNeeded(priced: PricedQuote): boolean }>
  scaFactor: ScaFactor | undefined
  /** Set for a UMA address, or where the request names an earlier look-up. */
  uma: UmaLookup | undefined
}>

/** What an agent's policy judges: a quote that is priced but not created yet. */
export type PricedQuote = Readonly<{
  transaction: OutgoingTransaction
  receiving: ReceivingSide
  prices: PaymentTerms['prices']
}>

/** The rows that a command needs; undefined for what was not found. */
export type QuoteContext = Readonly<{
  paying: PayingSide | undefined
  receiving: ReceivingSide | undefined
  /** The customer whom the source names. */
  named: NamedPayer | undefined
  /** Set where both sides were found and the sending currency is known. */
  terms: PaymentTerms | undefined
  /** For REALTIME_FUNDING: the addresses that the funds are to be sent to. */
  funding: FundingDraft | undefined
  /** Set where a wallet pays: the names that the payload to sign contains. */
  wallet: WalletName | undefined
}>

export type QuotedCommand = LaneCaller & Readonly<{ input: QuoteCommand }>

/** Loads the contexts of a batch with one query for each kind of row: both sides first, then terms and funding. */
export async function loadQuoteContexts(
  tx: Tx,
  commands: readonly QuotedCommand[],
): Promise<QuoteContext[]> {
  // An existing quote blocks the deletion of its customer. A new one does not yet, so the payer's row is locked.
  const sides = await findSides(tx, wantedSidesOf(commands), { locksPayers: true })
  const found = commands.map((command) => pickSides(command, sides))
  const priceable = found.map(pricedCorridorOf)
  const [terms, drafts, walletOf] = await Promise.all([
    loadPaymentTerms(
      tx,
      priceable.flatMap((one) => one ?? []),
      priceable.flatMap((one, index) => (one ? ratesFor(one, commands[index]?.input.uma) : [])),
    ),
    draftFundings(tx, commands, found),
    findWallets(tx, found),
  ])
  return found.map(({ paying, receiving, named }, index) => {
    const one = priceable[index]
    const funding = drafts.get(index)
    return { paying, receiving, named, terms: one && terms(one), funding, wallet: walletOf(paying) }
  })
}

async function findWallets(
  tx: Tx,
  found: readonly FoundSides[],
): Promise<(paying: PayingSide | undefined) => WalletName | undefined> {
  const keys = found.flatMap(({ platform, paying }) =>
    isWallet(paying) ? [{ platformId: platform.id, id: paying.account.id }] : [],
  )
  const wallets = new Map(
    (await listWalletNames(tx, keys)).map((wallet) => [wallet.accountId, wallet]),
  )
  return (paying) => (isWallet(paying) ? wallets.get(paying.account.id) : undefined)
}

function wantedSidesOf(commands: readonly QuotedCommand[]) {
  const accounts = commands.flatMap(({ platform, input: { source, destination } }) =>
    [source, destination].flatMap((side) => {
      const id = 'accountId' in side ? parseAnyId(side.accountId) : undefined
      return id ? [{ platformId: platform.id, ...id }] : []
    }),
  )
  return {
    internal: accounts.flatMap((account) => (account.kind === 'internalAccount' ? [account] : [])),
    external: accounts.flatMap((account) => (account.kind === 'externalAccount' ? [account] : [])),
    payers: commands.flatMap(({ platform, input }) => {
      const id = namedCustomerOf(input)
      return id ? [{ platformId: platform.id, id }] : []
    }),
  }
}

/** Undefined where a side is missing or the sending currency is unknown. */
function pricedCorridorOf({ platform, now, ports, paying, receiving }: FoundSides) {
  if (!paying || !receiving) return undefined
  const sending = currencyOfSide(paying)
  const both = { paying, receiving }
  return isCurrencyCode(sending)
    ? { platform, now, ports, sending, receiving: currencyOfSide(receiving), both }
    : undefined
}

/** A payment to a provider elsewhere is priced through bitcoin (UMA-8). */
const ratesFor = (one: Priceable, uma: UmaLookup | undefined): WantedRate[] =>
  uma?.target?.remote ? [{ ...one, receiving: 'BTC' }] : wantedRatesOf(one, one.both)

type Priceable = NonNullable<ReturnType<typeof pricedCorridorOf>>

type FoundSides = PriceCaller &
  Readonly<{
    paying: PayingSide | undefined
    receiving: ReceivingSide | undefined
    named: NamedPayer | undefined
  }>

function pickSides({ platform, now, ports, input }: QuotedCommand, sides: Sides): FoundSides {
  const { source, destination } = input
  const id = namedCustomerOf(input)
  const named = id && sides.payer({ platformId: platform.id, id })
  const accountOf = (text: string) => accountSide(platform.id, text, sides)
  return {
    platform,
    now,
    ports,
    named,
    paying:
      source.sourceType === 'ACCOUNT'
        ? accountOf(source.accountId)
        : { kind: 'realtime', currency: source.currency, payer: named ?? null },
    receiving: 'accountId' in destination ? accountOf(destination.accountId) : umaSideOf(input),
  }
}

function umaSideOf({ uma }: QuoteCommand): UmaSide | undefined {
  if (!uma?.target) return undefined
  const { umaAddress, currency } = uma.target
  return { kind: 'uma', umaAddress, currency }
}

function accountSide(
  platformId: Id<'platform'>,
  text: string,
  sides: Sides,
): Exclude<ReceivingSide, UmaSide> | undefined {
  const ref = parseAnyId(text)
  if (ref?.kind === 'internalAccount') {
    const account = sides.internal({ platformId, id: ref.id })
    return account && { kind: 'internal', account }
  }
  const account =
    ref?.kind === 'externalAccount' ? sides.external({ platformId, id: ref.id }) : undefined
  return account && { kind: 'external', account }
}

/** Drafts the funding instructions of just-in-time quotes, by the index of their command (QUOTE-18). */
async function draftFundings(
  tx: Tx,
  commands: readonly QuotedCommand[],
  found: readonly FoundSides[],
): Promise<ReadonlyMap<number, FundingDraft>> {
  const wanted = commands.flatMap(({ platform, ports, settings, now, input }, index) => {
    const { source } = input
    const { receiving, named } = found[index] as FoundSides
    const isMissing = !receiving || (source.customerId !== undefined && !named)
    if (source.sourceType !== 'REALTIME_FUNDING' || isMissing) return []
    const request: FundingRequest = {
      owner: { kind: 'quote', id: input.id },
      currency: source.currency,
      holderName: named?.name ?? platform.name,
      isPlatformAccount: !named,
      createdAt: now,
      ...(source.cryptoNetwork !== undefined && { network: source.cryptoNetwork }),
    }
    const customerId = named?.id ?? null
    return [{ index, platform, ports, customerId, request, settings }]
  })
  return claimQuoteFundings(tx, wanted)
}
