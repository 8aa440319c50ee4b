import { SECOND_MS } from '../../../kernel/clock.ts'
import { failRetryLater } from '../../../kernel/errors.ts'

export type AnonymousLimiter = Readonly<{
  /** Counts a request of an address. Fails: RATE_LIMITED with `Retry-After`. */
  take(address: string): void
}>

const BURST_SECONDS = 4
/** The most addresses that are kept; beyond it the least recently seen one is dropped. */
const ADDRESSES_MAX = 10_000

type Bucket = { tokens: number; atMs: number }

/** A token bucket per address, in memory, so that requests without credentials cause no work in the database. */
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
      // Deleted and set again, the address becomes the last one of the map.
      buckets.delete(key)
      buckets.set(key, { tokens: refilled >= 1 ? refilled - 1 : refilled, atMs: now })
      if (buckets.size > ADDRESSES_MAX) buckets.delete(buckets.keys().next().value ?? '')
      if (refilled < 1) failRetryLater('RATE_LIMITED', (1 - refilled) / perSecond)
    },
  }
}

/** Addresses of one IPv6 /64 count as one, because one subscriber has them all. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, 4).join(':')
}
