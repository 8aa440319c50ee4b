import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { findVerificationRow } from './store.ts'
import type { Verification } from './verification.ts'

/** A verification of the platform. Fails: REFERENCE_NOT_FOUND. */
export const mustFindVerification = async (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  id: Id<'verification'>,
): Promise<Verification> =>
  (await findVerificationRow(tx, platform.id, id)) ?? failNotFound('verification')
