import type { Work } from '../../infra/work/work.ts'
import type { PlatformConfig } from './config.ts'
import { findConfig, findPasskeyOrigins, findOnboardingUrlRow } from './store.ts'

/** The platform's present configuration. Refuses nothing: every platform has one. */
export function readConfig({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<PlatformConfig> {
  return findConfig(tx, platform.id)
}

/** The origins on which the platform's customers use passkeys, configured by the operator; often none. */
export function readPasskeyOrigins({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<readonly string[]> {
  return findPasskeyOrigins(tx, platform.id)
}

/** The sign-up page for invited people, set by the operator (INV-12). Refuses nothing. */
export const findOnboardingUrl = ({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<string | undefined> =>
  findOnboardingUrlRow(tx, platform.id)
