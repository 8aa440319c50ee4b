import { isIP } from 'node:net'
import { addressProblem } from './outbound/address-problem.ts'

/** Names that belong to one machine or one network (RFC 6761, 6762, 8375, and what ICANN keeps for private use). */
const PRIVATE_SUFFIX = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa)$/

/**
 * Whether a host, as URL gives it, can be meant for everybody to reach. A name is only looked at here; what it
 * resolves to is checked at each call (CORE-94).
 */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(name) !== 0) return addressProblem(name, { allowLoopback: false }) === undefined
  return name.includes('.') && !PRIVATE_SUFFIX.test(name)
}
