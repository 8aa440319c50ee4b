import type { Ports } from '../../kernel/ports.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { manualIdentity } from './manual-identity.ts'
import { sandboxIdentity } from './sandbox-identity.ts'

type Asking = Readonly<{ ports: Ports }>

/** Whether endings of names decide (VER-13). */
export const isJudgedByName = ({ ports }: Asking): boolean =>
  ports.providerOf({ port: 'identity' })?.kind === 'sandbox'

/** A provider outside judges later, as the operator does by hand: nothing is decided at once (PROV-90). */
export const identityProviderFor = (asking: Asking): IdentityProvider =>
  isJudgedByName(asking) ? sandboxIdentity : manualIdentity
