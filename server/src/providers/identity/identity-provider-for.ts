import type { Platform } from '../../kernel/platform.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { manualIdentity } from './manual-identity.ts'
import { sandboxIdentity } from './sandbox-identity.ts'

/** VER-13: endings of names act in the sandbox alone. */
export const identityProviderFor = ({
  environment,
}: Pick<Platform, 'environment'>): IdentityProvider =>
  environment === 'SANDBOX' ? sandboxIdentity : manualIdentity
