import type { Work } from '../../../infra/work.ts'
import { findCurrentTerms } from './store.ts'

/** CUST-30: the current version of the end-user terms and where its text is read. Refuses nothing: there always is one. */
export async function readTerms({
  tx,
  settings,
}: Pick<Work, 'tx' | 'settings'>): Promise<{ version: string; url: string }> {
  const { version } = await findCurrentTerms(tx)
  return {
    version,
    url: `${settings.publicUrl}/legal/end-user-terms/${encodeURIComponent(version)}`,
  }
}
