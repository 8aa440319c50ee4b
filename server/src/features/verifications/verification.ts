import type { Static } from '../../infra/http/schema/type.ts'
import type { Id } from '../../kernel/ids.ts'
import type { VerificationStatus } from './status/machine.ts'
import type { VerificationErrorSchema } from './schema.ts'

export type ErrorEntry = Readonly<Static<typeof VerificationErrorSchema>>

/** A reviewer's entry and the state at that time; it is outstanding until the state changes (VER-11). */
export type ReviewerEntry = Readonly<{
  entry: ErrorEntry
  seen: Readonly<{
    /** For a field: keyed digest of its value. */
    value?: string
    /** For documents: the files at that time. */
    fileIds?: readonly string[]
    /** For owners: those registered at that time. */
    ownerIds?: readonly string[]
  }>
}>

export type Verification = Readonly<{
  id: Id<'verification'>
  customerId: Id<'customer'>
  status: VerificationStatus
  /** Opened for owners outside coverage, not by a submission (KYB-11). */
  isOwnerReview: boolean
  errors: readonly ErrorEntry[]
  reviewerEntries: readonly ReviewerEntry[]
  /** The data under review, or decided on. */
  snapshotId: string | undefined
  /** Time of the latest submission. */
  submittedAt: Date
  createdAt: Date
  updatedAt: Date
}>
