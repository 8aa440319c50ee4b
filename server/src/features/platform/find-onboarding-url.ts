import type { Work } from '../../infra/work.ts'
import { findOnboardingUrlRow } from './store.ts'

/** Where whoever was invited signs up with the platform; set by the operator (INV-12). Refuses nothing. */
export const findOnboardingUrl = ({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<string | undefined> =>
  findOnboardingUrlRow(tx, platform.id)
