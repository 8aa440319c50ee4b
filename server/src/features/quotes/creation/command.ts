import { SECOND_MS } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import { amountFromWire } from '../../../kernel/money/wire-money.ts'
import type { LaneContext } from '../../../infra/http/operation.ts'
import type { QuoteCommand } from './context.ts'
import type { QuoteRequest } from '../record/schema.ts'
import type { UmaLookup } from './uma-target.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { fundingNetworksOf } from '../../internal-accounts/index.ts'

/** Reads a platform's or an agent's request into a command. */
export function commandOf(
  body: QuoteRequest,
  { actor, settings, found }: Omit<LaneContext<UmaLookup | undefined>, 'platform'>,
): QuoteCommand {
  const { platformFeeOverride: override } = body
  return {
    id: newId('quote'),
    source: body.source,
    destination: body.destination,
    lock: { side: body.lockedCurrencySide, amount: amountFromWire(body.lockedCurrencyAmount) },
    // Real-time funding executes by itself when the money arrives (QUOTE-16).
    isImmediate: body.immediatelyExecute === true && body.source.sourceType !== 'REALTIME_FUNDING',
    agent: actor.kind === 'agent' ? actor : undefined,
    description: body.description ?? null,
    remittanceInformation: body.remittanceInformation ?? null,
    purposeOfPayment: body.purposeOfPayment ?? null,
    platformFee: override && {
      fixed: amountFromWire(override.platformFixedFee.amount),
      bps: BigInt(override.platformVariableFeeBps),
      fixedCurrency: override.platformFixedFee.currency,
    },
    lifetimeMs: settings.quoteTtlSeconds * SECOND_MS,
    scaFactor: body.scaFactor,
    uma: found(),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Errors between fields, which a schema cannot express (QUOTE-5). Accepts unvalidated input; never throws. */
export function quoteErrors(body: unknown): FieldError[] {
  const { source } = Object(body) as Fields
  const { sourceType, currency, cryptoNetwork } = Object(source) as Fields
  if (sourceType !== 'REALTIME_FUNDING') return []
  const errors: FieldError[] = []
  const kind = typeof currency === 'string' ? findCurrency(currency)?.kind : undefined
  if (typeof cryptoNetwork === 'string' && kind === 'fiat') {
    errors.push({ field: 'source.cryptoNetwork', message: 'is for coins only' })
  }
  if (typeof cryptoNetwork === 'string' && kind === 'crypto') {
    const networks = fundingNetworksOf(String(currency))
    if (!networks.includes(cryptoNetwork)) {
      errors.push({
        field: 'source.cryptoNetwork',
        constraint: { enum: networks },
        message: `must be a network that carries ${String(currency)}`,
      })
    }
  }
  return errors
}
