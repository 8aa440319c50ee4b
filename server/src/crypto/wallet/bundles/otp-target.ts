import type { Point } from '../keys/point.ts'
import { signBundle } from './signed-bundle.ts'
import type { WalletSigner } from '../keys/wallet-signer.ts'

/**
 * `otpEncryptionTargetBundle` (chapter 20, 3.3): the key to which the device seals the code it was sent. Every code
 * has a fresh one (CHAL-1), whose private half lives as long as the code.
 */
export function otpTargetBundle({
  signer,
  target,
  organizationId,
}: {
  signer: WalletSigner
  target: Point
  organizationId: string
}): string {
  return signBundle(signer, { targetPublic: target.uncompressed, organizationId })
}
