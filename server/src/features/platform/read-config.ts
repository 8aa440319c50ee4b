import type { Work } from '../../infra/work.ts'
import type { PlatformConfig } from './config.ts'
import { findConfig } from './store.ts'

/** The platform's configuration as it is now. Refuses nothing: every platform has one. */
export function readConfig({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<PlatformConfig> {
  return findConfig(tx, platform.id)
}
