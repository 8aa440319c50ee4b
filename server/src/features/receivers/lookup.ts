import { SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'

/** UMA-4: so long a look-up is of use. */
export const LOOKUP_LIFETIME_MS = 600 * SECOND_MS

/** What a platform was told of a receiver; it may be referred to any number of times. */
export type Lookup = Readonly<{
  id: Id<'lookup'>
  /** The UMA address, or the external account's id on the wire. */
  receiver: string
  /** What a provider elsewhere answered; null for receivers who are known here. */
  remoteAnswer: unknown
  expiresAt: Date
}>
