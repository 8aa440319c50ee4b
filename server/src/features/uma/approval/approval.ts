import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { IncomingTransaction } from '../../transactions/index.ts'
import type { RequestedField } from '../receiver/sandbox-directory.ts'

/** The time that a platform has to decide, by its own clock. */
export const APPROVAL_TIME_MS = 5 * SECOND_MS

/** The outgoing payment behind an incoming one of the same installation (UMA-9). */
export type PayerLink = Readonly<{
  platformId: Id<'platform'>
  transactionId: Id<'transaction'>
}>

/** The approval of an incoming payment, stored until the payment ends. */
export type Approval = Readonly<{
  transactionId: Id<'transaction'>
  requestedFields: readonly RequestedField[]
  /** Null before the platform is asked, and after it has approved a payout that is made by hand. */
  decideBy: Date | null
  /** Null for a sender outside this installation. */
  payer: PayerLink | null
}>

export type WaitingPayment = Readonly<{ transaction: IncomingTransaction; approval: Approval }>
