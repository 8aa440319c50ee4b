/** Why a person has to look at a customer, beside a submission: what screenings and alerts found (PROV-96, PROV-100). */
import { failFields } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { closeOpenFlags, listOpenFlags } from './flag-store.ts'

type Place = Pick<Work, 'tx' | 'platform'>

/** Whether something that stops the customer was found about this subject. */
export const isFlagged = async (
  work: Place,
  { customerId, subject }: Readonly<{ customerId: Id<'customer'>; subject: string }>,
): Promise<boolean> =>
  (await listOpenFlags(work, customerId)).some(
    (flag) => flag.subject === subject && flag.level !== 'INFO',
  )

/** Whether only a person may approve the customer. */
export const isStopped = async (work: Place, customerId: Id<'customer'>): Promise<boolean> =>
  (await listOpenFlags(work, customerId)).some(({ level }) => level !== 'INFO')

/** Fails: INVALID_INPUT where the note is missing. */
export function mustHaveNote(note: string | undefined): void {
  const message = 'is required: a provider has blocked it'
  if (note === undefined) failFields([{ field: 'note', message }])
}

/**
 * An operator has looked at the customer: its flags are off the review list. Fails: INVALID_INPUT where a block would be
 * undone without a note (PROV-107).
 */
export async function closeFlags(
  work: Place & Pick<Work, 'now'>,
  customerId: Id<'customer'>,
  { note, isUndoing = true }: Readonly<{ note: string | undefined; isUndoing?: boolean }>,
): Promise<void> {
  const open = await listOpenFlags(work, customerId)
  if (isUndoing && open.some(({ level }) => level === 'BLOCK')) mustHaveNote(note)
  closeOpenFlags(work, customerId)
}
