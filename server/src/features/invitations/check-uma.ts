import { fail, failFields, type FieldError } from '../../kernel/errors.ts'
import { formatUmaAddress, parseUmaAddress } from '../uma/index.ts'

const FORMAT = 'uma-address'

/** The address in the form in which it is compared, or undefined where it is none. */
export function readUma(given: string): string | undefined {
  const address = parseUmaAddress(given)
  return address && formatUmaAddress(address)
}

export const malformedUma = (field: string): FieldError => ({
  field,
  constraint: { format: FORMAT },
  message: 'must have the form $user@domain',
})

/** A malformed address alone has a code of its own; among others it is one field of the list. */
export function failUnlessSound(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  if (errors.every(({ constraint }) => constraint?.format === FORMAT)) {
    fail('INVALID_UMA_ADDRESS', { errors })
  }
  failFields(errors)
}
