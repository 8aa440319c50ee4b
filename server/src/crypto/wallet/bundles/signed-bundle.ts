/**
 * The envelope of messages to a wallet's device (chapter 20, 3.2): JSON text inside a JSON string, whose
 * `data` is hex of an inner JSON object, signed by the signer key over the bytes that the hex stands for.
 */
import type { WalletSigner } from '../keys/wallet-signer.ts'

const VERSION = 'v1.0.0'

/** The members of `inner` keep their order: the bytes are part of the format. */
export function signBundle(signer: WalletSigner, inner: Readonly<Record<string, string>>): string {
  const data = Buffer.from(JSON.stringify(inner), 'utf8')
  return JSON.stringify({
    version: VERSION,
    data: data.toString('hex'),
    dataSignature: signer.signDer(data).toString('hex'),
    enclaveQuorumPublic: signer.publicKey,
  })
}
