import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { IncomingTransaction } from '../../transactions/index.ts'
import type { AskedField } from '../receiver/sandbox-directory.ts'

/** So long a platform has to decide, by its clock. */
export const APPROVAL_TIME_MS = 5 * SECOND_MS

/** The payment out that an incoming one is the other end of (UMA-9). */
export type PayerLink = Readonly<{
  platformId: Id<'platform'>
  transactionId: Id<'transaction'>
}>

/** What is known of an incoming payment until it has ended. */
export type Approval = Readonly<{
  transactionId: Id<'transaction'>
  requestedFields: readonly AskedField[]
  /** Null before the platform is asked, and after it has approved a payout that is made by hand. */
  decideBy: Date | null
  /** Null where the sender is somewhere else. */
  payer: PayerLink | null
}>

export type WaitingPayment = Readonly<{ transaction: IncomingTransaction; approval: Approval }>
