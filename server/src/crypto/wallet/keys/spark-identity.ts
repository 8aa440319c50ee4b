/**
 * The key of a wallet on Spark. It is derived from the wallet's mnemonic as Spark's own clients do it, so that an owner
 * who exports the mnemonic finds the money there.
 */
import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { invariant } from '../../../kernel/invariant.ts'
import { mnemonicOf } from './mnemonic.ts'

/** Purpose; the account that clients use on the main network; the identity. */
const IDENTITY_PATH = "m/8797555'/1'/0'"
const SEED_ROUNDS = 2048
const SEED_BYTES = 64

/** Compressed. */
export function sparkIdentityKey(entropy: Buffer): Uint8Array {
  // BIP-39 without a passphrase; the runtime's own function is many times faster than one in JavaScript.
  const seed = pbkdf2Sync(mnemonicOf(entropy), 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512')
  const root = HDKey.fromMasterSeed(seed)
  const identity = root.derive(IDENTITY_PATH)
  const { publicKey } = identity
  invariant(publicKey, 'A derived key has a public half.')
  root.wipePrivateData()
  identity.wipePrivateData()
  seed.fill(0)
  return publicKey
}
