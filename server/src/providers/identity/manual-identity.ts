import type { IdentityProvider } from './identity-provider.ts'

/** Production without an outside provider: the operator reviews every packet (chapter 11, section 9). */
export const manualIdentity: IdentityProvider = {
  needsPacket: () => true,
  judge: () => 'WAIT',
  judgeOwner: (_owner, business) => business,
}
