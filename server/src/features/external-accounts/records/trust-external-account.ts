import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { saveTrust } from './store.ts'

/** Marks an account, whose lock the caller holds, as trusted or not. Who may be trusted, and by what proof: chapter 21. */
export async function trustExternalAccount(
  { tx, platform }: Work,
  { id, isTrusted }: { id: Id<'externalAccount'>; isTrusted: boolean },
): Promise<void> {
  await saveTrust(tx, platform.id, { id, isTrusted })
}
