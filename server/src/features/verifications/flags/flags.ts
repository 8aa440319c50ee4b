/** Findings of screenings and alerts that a person has to review, apart from a submission (PROV-96, PROV-100). */
import { failFields } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { closeOpenFlags, listOpenFlags } from './store.ts'

type FlagContext = Pick<Work, 'tx' | 'platform'>

/** Whether a finding about this subject needs a decision. */
export const isFlagged = async (
  work: FlagContext,
  { customerId, subject }: Readonly<{ customerId: Id<'customer'>; subject: string }>,
): Promise<boolean> =>
  (await listOpenFlags(work, customerId)).some(
    (flag) => flag.subject === subject && flag.level !== 'INFO',
  )

/** Whether only a person may approve the customer. */
export const needsManualApproval = async (
  work: FlagContext,
  customerId: Id<'customer'>,
): Promise<boolean> => (await listOpenFlags(work, customerId)).some(({ level }) => level !== 'INFO')

/** Fails: INVALID_INPUT if the note is missing. */
export function mustHaveNote(note: string | undefined): void {
  const message = 'is required: a provider has blocked it'
  if (note === undefined) failFields([{ field: 'note', message }])
}

/**
 * Takes the flags of a customer off the review list. Fails: INVALID_INPUT if a block would be undone without a note
 * (PROV-107).
 */
export async function closeFlags(
  work: FlagContext & Pick<Work, 'now'>,
  customerId: Id<'customer'>,
  { note, isUndoing = true }: Readonly<{ note: string | undefined; isUndoing?: boolean }>,
): Promise<void> {
  const open = await listOpenFlags(work, customerId)
  if (isUndoing && open.some(({ level }) => level === 'BLOCK')) mustHaveNote(note)
  closeOpenFlags(work, customerId)
}
