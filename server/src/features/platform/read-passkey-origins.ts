import type { Work } from '../../infra/work.ts'
import { findPasskeyOrigins } from './store.ts'

/** The pages on which the platform's customers use passkeys, as the operator configured them; often none. */
export function readPasskeyOrigins({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<readonly string[]> {
  return findPasskeyOrigins(tx, platform.id)
}
