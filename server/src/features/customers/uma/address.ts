import { randomBytes } from 'node:crypto'
import { FORMATS } from '../../../kernel/formats.ts'

/**
 * CUST-19: the address in lower case, or undefined where it is not one of the platform's own domain. Its form is judged
 * as it was sent: there are letters beyond ASCII that become ASCII in lower case.
 */
export function readUmaAddress(given: string, umaDomain: string): string | undefined {
  if (!FORMATS['uma-address']?.(given)) return undefined
  const address = given.toLowerCase()
  return address.endsWith(`@${umaDomain}`) ? address : undefined
}

/** CUST-21: 128 random bits, so that no two are the same. */
export const newUmaAddress = (umaDomain: string): string =>
  `$${randomBytes(16).toString('hex')}@${umaDomain}`
