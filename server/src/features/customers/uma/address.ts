import { randomBytes } from 'node:crypto'
import { FORMATS } from '../../../kernel/text/formats.ts'

/**
 * The address in lower case, or undefined where it is not one of the platform's own domain (CUST-19). Its form is
 * checked as sent, because some letters beyond ASCII become ASCII in lower case.
 */
export function readUmaAddress(given: string, umaDomain: string): string | undefined {
  if (!FORMATS['uma-address']?.(given)) return undefined
  const address = given.toLowerCase()
  return address.endsWith(`@${umaDomain}`) ? address : undefined
}

/** A generated address has 128 random bits, so that it is unique (CUST-21). */
export const newUmaAddress = (umaDomain: string): string =>
  `$${randomBytes(16).toString('hex')}@${umaDomain}`
