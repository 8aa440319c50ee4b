import type { Platform } from '../../kernel/platform.ts'
import { providerKindFor } from '../provider-for.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { manualIdentity } from './manual-identity.ts'
import { sandboxIdentity } from './sandbox-identity.ts'

/** Endings of names decide in the sandbox only (VER-13). */
export const identityProviderFor = (platform: Pick<Platform, 'environment'>): IdentityProvider =>
  providerKindFor(platform, 'identity') === 'sandbox' ? sandboxIdentity : manualIdentity
