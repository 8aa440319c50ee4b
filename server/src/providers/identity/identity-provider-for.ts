import type { Ports } from '../../kernel/ports.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { sandboxIdentity } from './sandbox-identity.ts'

type HasPorts = Readonly<{ ports: Ports }>

/** Nothing is decided at once: the operator, or a provider outside, reviews every packet (PROV-90). */
const manualIdentity: IdentityProvider = {
  needsPacket: () => true,
  judge: () => 'WAIT',
  judgeOwner: (_owner, business) => business,
}

/** Whether suffixes of names decide (VER-13). */
export const isJudgedByName = ({ ports }: HasPorts): boolean =>
  ports.providerOf({ port: 'identity' })?.kind === 'sandbox'

export const identityProviderFor = (work: HasPorts): IdentityProvider =>
  isJudgedByName(work) ? sandboxIdentity : manualIdentity
