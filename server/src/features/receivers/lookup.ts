import { SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'

/** Quotes may refer to a look-up for this long (UMA-4). */
export const LOOKUP_LIFETIME_MS = 600 * SECOND_MS

/** The stored answer about a receiver; any number of quotes may refer to it. */
export type Lookup = Readonly<{
  id: Id<'lookup'>
  /** The UMA address, or the external account's id on the wire. */
  receiver: string
  /** The answer of another provider; null for receivers of this installation. */
  remoteAnswer: unknown
  expiresAt: Date
}>
