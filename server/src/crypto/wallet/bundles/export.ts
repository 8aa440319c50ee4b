import { sealTo } from './hpke.ts'
import type { Point } from '../keys/point.ts'
import { signBundle } from './signed-bundle.ts'
import type { WalletSigner } from '../keys/wallet-signer.ts'

/**
 * `encryptedWalletCredentials` (chapter 20, 3.9): the mnemonic, sealed to the device and signed. Every export is
 * sealed afresh (EXPT-4), and the answer is stored nowhere (EXPT-6).
 */
export async function exportBundle({
  signer,
  client,
  organizationId,
  mnemonic,
}: {
  signer: WalletSigner
  client: Point
  organizationId: string
  mnemonic: string
}): Promise<string> {
  const plaintext = Buffer.from(mnemonic, 'ascii')
  const { enc, ciphertext } = await sealTo(client, plaintext)
  plaintext.fill(0)
  return signBundle(signer, {
    encappedPublic: enc.toString('hex'),
    ciphertext: ciphertext.toString('hex'),
    organizationId,
  })
}
