import { isIP } from 'node:net'

/** An IPv4 or IPv6 address. A zone id is local to one machine, so no request comes from an address with one. */
export const isIpAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')
