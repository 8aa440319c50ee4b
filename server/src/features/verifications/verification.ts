import type { Static } from 'typebox'
import type { Id } from '../../kernel/ids.ts'
import type { VerificationStatus } from './status/machine.ts'
import type { VerificationErrorSchema } from './schema.ts'

export type ErrorEntry = Readonly<Static<typeof VerificationErrorSchema>>

/** What a reviewer asked for, and what was there when it was asked: outstanding until that has changed (VER-11). */
export type ReviewerEntry = Readonly<{
  entry: ErrorEntry
  seen: Readonly<{
    /** Of a field: keyed digest of its value. */
    value?: string
    /** Of papers: the files that were there. */
    fileIds?: readonly string[]
    /** Of persons: who was registered. */
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
  /** What is, or was, under review. */
  snapshotId: string | undefined
  /** The latest submission. */
  submittedAt: Date
  createdAt: Date
  updatedAt: Date
}>
