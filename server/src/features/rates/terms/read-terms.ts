import { invariant } from '../../../kernel/invariant.ts'
import { parseFraction } from '../../../kernel/money/fraction.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { DEFAULT_SERVICE_FEE, type FeeRate } from '../pricing/fees.ts'
import { limitsOf, type Limits, type LimitSetting } from './limits.ts'
import { SANDBOX_PRICES } from '../prices/sandbox-prices.ts'
import { priceSourceOf, type PriceCaller } from '../prices/source.ts'
import { listTerms, type Corridor, type TermsRow } from './store.ts'

/** The terms of a payment in a corridor: fees, sizes, limits, and the volume of the day. */
export type Terms = Readonly<{
  /** Whether the platform lists the sending currency. */
  isSupported: boolean
  /** False where the platform's configuration disables OUTGOING for the sending currency (QUOTE-6). */
  isOutgoingEnabled: boolean
  /** False where it disables INCOMING for the receiving currency (QUOTE-25). */
  isIncomingEnabled: boolean
  /** Amounts that the platform’s configuration allows in the sending currency (LIM-2). */
  range: Readonly<{ min: bigint; max: bigint }>
  platformFee: FeeRate
  serviceFee: FeeRate
  /** The operator's fee for a withdrawal over a network, in the sending currency (FEE-9). */
  applicationFee: bigint
  limits: Limits
  spent: Readonly<{ currency: bigint; corridor: bigint }>
}>

const nameOf = ({ platformId, sending, receiving, day }: Corridor): string =>
  `${platformId} ${sending} ${receiving} ${day}`

/** The terms of these corridors, of any platforms. */
export async function readTerms(
  tx: Tx,
  corridors: readonly (Corridor & Pick<PriceCaller, 'ports'>)[],
): Promise<(corridor: Corridor) => Terms> {
  const wanted = new Map(
    corridors.map((one) => [nameOf(one), { ...one, source: priceSourceOf(one) }]),
  )
  const rows = wanted.size > 0 ? await listTerms(tx, [...wanted.values()]) : []
  const found = new Map(rows.map((row) => [nameOf(row), toTerms(row)]))
  return (corridor) => {
    const terms = found.get(nameOf(corridor))
    invariant(terms, 'The terms of the corridor were read.')
    return terms
  }
}

function toTerms(row: TermsRow): Terms {
  return {
    isSupported: row.minAmount !== null,
    isOutgoingEnabled: row.enabledTransactionTypes?.includes('OUTGOING') ?? true,
    isIncomingEnabled: row.receivingTransactionTypes?.includes('INCOMING') ?? true,
    range: { min: row.minAmount ?? 1n, max: row.maxAmount ?? AMOUNT_MAX },
    platformFee: { fixed: row.platformFixedFee ?? 0n, bps: BigInt(row.platformFeeBps ?? 0) },
    serviceFee: {
      fixed: row.conversionFee ?? DEFAULT_SERVICE_FEE.fixed,
      bps: row.serviceFeeBps === null ? DEFAULT_SERVICE_FEE.bps : BigInt(row.serviceFeeBps),
    },
    applicationFee: row.withdrawalFee ?? 0n,
    limits: limitsOf({
      currency: row.sending,
      price: referencePriceOf(row),
      ofCurrency: setting(row.currencyTransactionMax, row.currencyVolumeMax),
      ofCorridor: setting(row.corridorTransactionMax, row.corridorVolumeMax),
    }),
    spent: { currency: row.currencySpent ?? 0n, corridor: row.corridorSpent ?? 0n },
  }
}

/** Uses a price of any age, or the built-in one, because a limit does not lapse with its price. */
function referencePriceOf({ sending, price }: TermsRow) {
  const known = price === null ? SANDBOX_PRICES.get(sending) : parseFraction(price)
  invariant(known, `There is a price of ${sending}.`)
  return known
}

const setting = (transactionMax: bigint | null, dailyVolumeMax: bigint | null): LimitSetting => ({
  ...(transactionMax !== null && { transactionMax }),
  ...(dailyVolumeMax !== null && { dailyVolumeMax }),
})
