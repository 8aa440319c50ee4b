import { SECOND_MS } from '../../../kernel/clock.ts'
import { failRetryLater } from '../../../kernel/errors.ts'

export type AnonymousLimiter = Readonly<{
  /** Takes one for an address; fails with RATE_LIMITED and when to come back. */
  take(address: string): void
}>

const BURST_SECONDS = 4
/** Addresses that are remembered. Beyond them the one that is longest without a request is forgotten. */
const ADDRESSES_MAX = 10_000

type Bucket = { tokens: number; atMs: number }

/** A token bucket per address, in memory: who needs no credentials must not cause work in the database either. */
export function createAnonymousLimiter(
  perSecond: number,
  nowMs: () => number = () => performance.now(),
): AnonymousLimiter {
  const burst = perSecond * BURST_SECONDS
  const buckets = new Map<string, Bucket>()
  return {
    take(address) {
      const key = networkOf(address)
      const now = nowMs()
      const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: now }
      const refilled = Math.min(burst, tokens + ((now - atMs) / SECOND_MS) * perSecond)
      // The map keeps its order: set again, the address is the one that was seen last.
      buckets.delete(key)
      buckets.set(key, { tokens: refilled >= 1 ? refilled - 1 : refilled, atMs: now })
      if (buckets.size > ADDRESSES_MAX) buckets.delete(buckets.keys().next().value ?? '')
      if (refilled < 1) failRetryLater('RATE_LIMITED', (1 - refilled) / perSecond)
    },
  }
}

/** One subscriber has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, 4).join(':')
}
