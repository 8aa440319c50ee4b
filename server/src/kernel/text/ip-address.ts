import { isIP } from 'node:net'

/** An IPv4 or IPv6 address without a zone id, which has a meaning on one machine only. */
export const isIpAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')
