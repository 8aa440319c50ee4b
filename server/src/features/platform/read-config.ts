import type { Work } from '../../infra/work/work.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Branding, PlatformConfig } from './config.ts'
import type { Logo } from './logo.ts'
import {
  findBrandingRow,
  findConfig,
  findLogoRow,
  findOnboardingUrlRow,
  findPasskeyOrigins,
} from './store.ts'

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

/** How hosted pages look for the platform. Refuses nothing. */
export const findBranding = ({
  tx,
  platform,
}: Pick<Work, 'tx' | 'platform'>): Promise<Branding | undefined> => findBrandingRow(tx, platform.id)

/** A logo by the digest in its address. Refuses nothing. */
export const findLogo = (
  tx: Tx,
  digest: string,
): Promise<Pick<Logo, 'mediaType' | 'bytes'> | undefined> => findLogoRow(tx, digest)
