import { findCurrency } from '../../../kernel/currency.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { fundingNetworksOf } from '../../internal-accounts/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** QUOTE-5: what a request gets wrong by itself, beyond its form. Accepts unvalidated input; never throws. */
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
