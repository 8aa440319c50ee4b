/**
 * The signer key of an environment (chapter 20): it vouches for bundles and verification tokens. Clients pin its
 * public half, as `GET /auth/wallet-signer` shows it, by comparing text.
 */
import { sign } from 'node:crypto'
import { keyPairOf, signingKey } from './key-pair.ts'

export type WalletSigner = Readonly<{
  /** Uncompressed, 130 lowercase hex characters. */
  publicKey: string
  /** ECDSA P-256 with SHA-256, as DER with minimal integers. */
  signDer(bytes: Buffer): Buffer
  /** The same as the 64 bytes r‖s that a JWT carries. */
  signJose(bytes: Buffer): Buffer
}>

/** The key stays inside the closure, so that a signer can be inspected or logged unharmed. */
export function walletSigner(scalar: Buffer): WalletSigner {
  const pair = keyPairOf(scalar)
  const key = signingKey(pair)
  return {
    publicKey: pair.point.uncompressed,
    signDer: (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'der' }),
    signJose: (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }),
  }
}
