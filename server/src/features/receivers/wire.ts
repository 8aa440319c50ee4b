import { formatId } from '../../kernel/ids.ts'
import { amountToWire, currencyToWire } from '../../kernel/money/wire-money.ts'
import type { LookedUp } from './look-up-receiver.ts'
import type { Lookup } from './lookup.ts'

/** The answer of every look-up, for UMA addresses and external accounts. */
export function lookedUpToWire({ currencies, requiredFields }: LookedUp, lookupId: Lookup['id']) {
  return {
    supportedCurrencies: currencies.map(({ currency, estimatedExchangeRate, min, max }) => ({
      currency: currencyToWire(currency),
      estimatedExchangeRate,
      min: amountToWire(min),
      max: amountToWire(max),
    })),
    requiredPayerDataFields: [...requiredFields],
    lookupId: formatId('lookup', lookupId),
  }
}
