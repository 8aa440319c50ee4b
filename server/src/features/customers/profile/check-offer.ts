/** What depends on the platform's configuration: its currencies and its UMA domain. */
import { fail, failFields, type FieldError } from '../../../kernel/errors.ts'
import type { PlatformConfig } from '../../platform/index.ts'
import { isObject } from './record.ts'
import { readUmaAddress } from '../uma/address.ts'

type Offer = Pick<PlatformConfig, 'currencies' | 'umaDomain'>

const UMA_ADDRESS = 'umaAddress'

type Held = Readonly<{ currencies: readonly string[]; umaAddress?: string }>

/** Bears any request. What the customer has already stays allowed, whatever the platform offers by now (CUST-56). */
export function checkOffer(
  request: unknown,
  { currencies, umaDomain }: Offer,
  held: Held = { currencies: [] },
): FieldError[] {
  if (!isObject(request)) return []
  const supported = currencies.map(({ currency }) => currency)
  const { umaAddress } = request
  const isHeld = typeof umaAddress === 'string' && umaAddress.toLowerCase() === held.umaAddress
  return [
    ...checkCurrencies(request['currencies'], { supported, held: held.currencies }),
    ...(isHeld ? [] : checkUmaAddress(umaAddress, umaDomain)),
  ]
}

/** Currencies already held stay allowed after the platform dropped them (CUST-16). */
function checkCurrencies(
  given: unknown,
  { supported, held }: { supported: readonly string[]; held: readonly string[] },
): FieldError[] {
  const allowed = new Set<unknown>([...supported, ...held])
  return (Array.isArray(given) ? given : []).flatMap((code, index) => {
    if (typeof code !== 'string' || allowed.has(code)) return []
    const message = 'must be one of the platform’s supported currencies'
    return [{ field: `currencies.${index}`, constraint: { enum: supported }, message }]
  })
}

/** Addresses lie in the platform’s own domain (CUST-19). */
function checkUmaAddress(given: unknown, umaDomain: string): FieldError[] {
  if (typeof given !== 'string' || readUmaAddress(given, umaDomain) !== undefined) return []
  const message = `must be $user@${umaDomain}`
  return [{ field: UMA_ADDRESS, constraint: { format: 'uma-address' }, message }]
}

/** A wrong UMA address alone has a code of its own; among others it is one field of the list (CUST-19). */
export function failUnlessSound(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  if (errors.every(({ field }) => field === UMA_ADDRESS)) fail('INVALID_UMA_ADDRESS', { errors })
  failFields(errors)
}
