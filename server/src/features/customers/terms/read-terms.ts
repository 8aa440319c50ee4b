import type { Work } from '../../../infra/work/work.ts'
import { findCurrentTerms } from './store.ts'

/**
 * The current version of the end-user terms and the address of its text (CUST-30). Refuses nothing: there always is
 * one.
 */
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
