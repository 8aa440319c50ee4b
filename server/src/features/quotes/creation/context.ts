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

/** What a caller asks for. */
export type QuoteCommand = Readonly<{
  id: Id<'quote'>
  source: QuoteSource
  destination: QuoteDestination
  lock: Readonly<{ side: LockSide; amount: bigint }>
  isImmediate: boolean
  /** Who asks for it where that is a program, which reaches its customer's accounts alone. */
  agent: Pick<Mandate, 'agentId' | 'customerId'> | undefined
  description: string | null
  remittanceInformation: string | null
  purposeOfPayment: string | null
  platformFee: PlatformFeeOverride | undefined
  lifetimeMs: number
  /** Of an agent's quote: whether the platform has to approve it, and how long it holds its price then (ACT-29). */
  approval?: Readonly<{ lifetimeMs: number; isNeeded(priced: PricedQuote): boolean }>
  scaFactor: ScaFactor | undefined
  /** Of a UMA address, or where an earlier look-up is referred to. */
  uma: UmaLookup | undefined
}>

/** What a policy looks at in a quote that is priced and not made yet. */
export type PricedQuote = Readonly<{
  transaction: OutgoingTransaction
  receiving: ReceivingSide
  prices: PaymentTerms['prices']
}>

/** What is known of an command before it is decided; what is not there is undefined. */
export type QuoteContext = Readonly<{
  paying: PayingSide | undefined
  receiving: ReceivingSide | undefined
  /** The customer that the source names. */
  named: NamedPayer | undefined
  /** Only where both ends are there and a currency is sent. */
  terms: PaymentTerms | undefined
  /** REALTIME_FUNDING: where the funds are to be sent. */
  funding: FundingDraft | undefined
  /** Where the source is one: as what its owner signs names it. */
  wallet: WalletName | undefined
}>

export type QuotedCommand = LaneCaller & Readonly<{ input: QuoteCommand }>

/** All that a batch of commands needs, set by set: the ends first, then what lies between them. */
export async function loadQuoteContexts(
  tx: Tx,
  commands: readonly QuotedCommand[],
): Promise<QuoteContext[]> {
  // A quote that exists is itself what its customer's deletion waits for; one that is being made is not yet.
  const sides = await findSides(tx, wantedBy(commands), { locksPayers: true })
  const found = commands.map((command) => endsOf(command, sides))
  const priceable = found.map(priceableOf)
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
  found: readonly Found[],
): Promise<(paying: PayingSide | undefined) => WalletName | undefined> {
  const keys = found.flatMap(({ platform, paying }) =>
    isWallet(paying) ? [{ platformId: platform.id, id: paying.account.id }] : [],
  )
  const wallets = new Map(
    (await listWalletNames(tx, keys)).map((wallet) => [wallet.accountId, wallet]),
  )
  return (paying) => (isWallet(paying) ? wallets.get(paying.account.id) : undefined)
}

function wantedBy(commands: readonly QuotedCommand[]) {
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

/** Both ends are there, and what would be sent is a currency at all. */
function priceableOf({ platform, now, ports, paying, receiving }: Found) {
  if (!paying || !receiving) return undefined
  const sending = currencyOfSide(paying)
  const ends = { paying, receiving }
  return isCurrencyCode(sending)
    ? { platform, now, ports, sending, receiving: currencyOfSide(receiving), ends }
    : undefined
}

/** What is paid to a provider elsewhere is priced through bitcoin (UMA-8). */
const ratesFor = (one: Priceable, uma: UmaLookup | undefined): WantedRate[] =>
  uma?.target?.remote ? [{ ...one, receiving: 'BTC' }] : wantedRatesOf(one, one.ends)

type Priceable = NonNullable<ReturnType<typeof priceableOf>>

type Found = PriceCaller &
  Readonly<{
    paying: PayingSide | undefined
    receiving: ReceivingSide | undefined
    named: NamedPayer | undefined
  }>

function endsOf({ platform, now, ports, input }: QuotedCommand, sides: Sides): Found {
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

/** QUOTE-18: where the funds of quotes that wait for some are to be sent. */
async function draftFundings(
  tx: Tx,
  commands: readonly QuotedCommand[],
  found: readonly Found[],
): Promise<ReadonlyMap<number, FundingDraft>> {
  const wanted = commands.flatMap(({ platform, ports, settings, now, input }, index) => {
    const { source } = input
    const { receiving, named } = found[index] as Found
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
