import { fail, failFields, type FieldError } from '../../kernel/errors.ts'
import { formatUmaAddress, parseUmaAddress } from '../uma/index.ts'

const FORMAT = 'uma-address'

/** The address in its canonical form; undefined where it is malformed. */
export function readUma(text: string): string | undefined {
  const address = parseUmaAddress(text)
  return address && formatUmaAddress(address)
}

export const malformedUma = (field: string): FieldError => ({
  field,
  constraint: { format: FORMAT },
  message: 'must have the form $user@domain',
})

/** A malformed address alone has its own code; with other errors it is one field of the list. */
export function mustHaveNoErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  if (errors.every(({ constraint }) => constraint?.format === FORMAT)) {
    fail('INVALID_UMA_ADDRESS', { errors })
  }
  failFields(errors)
}
