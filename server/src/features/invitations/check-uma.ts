import type { FieldError } from '../../kernel/errors.ts'
import { formatUmaAddress, parseUmaAddress } from '../uma/index.ts'

/** The address in its canonical form; undefined where it is malformed. */
export function readUma(text: string): string | undefined {
  const address = parseUmaAddress(text)
  return address && formatUmaAddress(address)
}

export const malformedUma = (field: string): FieldError => ({
  field,
  constraint: { format: 'uma-address' },
  message: 'must have the form $user@domain',
})
