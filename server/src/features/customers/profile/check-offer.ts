/** Checks against the platform's configuration: its currencies and its UMA domain. */
import type { FieldError } from '../../../kernel/errors.ts'
import type { PlatformConfig } from '../../platform/index.ts'
import { isObject } from './record.ts'
import { readUmaAddress } from '../uma/address.ts'

type Offer = Pick<PlatformConfig, 'currencies' | 'umaDomain'>

type PresentValues = Readonly<{ currencies: readonly string[]; umaAddress?: string }>

/** Accepts unvalidated input; never throws. Values that the customer already has stay allowed (CUST-56). */
export function checkOffer(
  request: unknown,
  { currencies, umaDomain }: Offer,
  present: PresentValues = { currencies: [] },
): FieldError[] {
  if (!isObject(request)) return []
  const supported = currencies.map(({ currency }) => currency)
  const { umaAddress } = request
  const isUnchanged =
    typeof umaAddress === 'string' && umaAddress.toLowerCase() === present.umaAddress
  return [
    ...checkCurrencies(request['currencies'], { supported, present: present.currencies }),
    ...(isUnchanged ? [] : checkUmaAddress(umaAddress, umaDomain)),
  ]
}

/** Currencies of the customer stay allowed after the platform dropped them (CUST-16). */
function checkCurrencies(
  given: unknown,
  { supported, present }: { supported: readonly string[]; present: readonly string[] },
): FieldError[] {
  const allowed = new Set<unknown>([...supported, ...present])
  return (Array.isArray(given) ? given : []).flatMap((code, index) => {
    if (typeof code !== 'string' || allowed.has(code)) return []
    const message = 'must be one of the platform’s supported currencies'
    return [{ field: `currencies.${index}`, constraint: { enum: supported }, message }]
  })
}

/** An address is in the platform’s own domain (CUST-19). */
function checkUmaAddress(given: unknown, umaDomain: string): FieldError[] {
  if (typeof given !== 'string' || readUmaAddress(given, umaDomain) !== undefined) return []
  const message = `must be $user@${umaDomain}`
  return [{ field: 'umaAddress', constraint: { format: 'uma-address' }, message }]
}
