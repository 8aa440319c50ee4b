import { randomBytes } from 'node:crypto'

const USER = /^\$[a-z0-9_.+-]{1,63}$/

/** CUST-19: the address in lower case, or undefined where it is not one of the platform's own domain. */
export function readUmaAddress(given: string, umaDomain: string): string | undefined {
  const [user = '', domain, ...rest] = given.toLowerCase().split('@')
  const isOwn = rest.length === 0 && domain === umaDomain && USER.test(user)
  return isOwn ? `${user}@${umaDomain}` : undefined
}

/** CUST-21: 128 random bits, so that no two are the same. */
export const newUmaAddress = (umaDomain: string): string =>
  `$${randomBytes(16).toString('hex')}@${umaDomain}`
