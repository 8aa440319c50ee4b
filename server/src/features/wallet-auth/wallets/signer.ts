import { newKeyPair } from '../../../crypto/wallet/keys/key-pair.ts'
import { walletSigner, type WalletSigner } from '../../../crypto/wallet/keys/wallet-signer.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import type { Environment } from '../../../kernel/platform.ts'
import type { Work } from '../../../infra/work/work.ts'
import { signerScalar } from '../secrets.ts'
import { findOrInsertSigner, findSigner } from './store.ts'

/** The key never changes, so a process opens it once. */
const opened = new WeakMap<Keyring, Map<Environment, WalletSigner>>()

type Reading = Pick<Work, 'tx' | 'platform' | 'keyring'>

/** The signer key of the platform's environment, made on first use. */
export async function signerOf(work: Reading): Promise<WalletSigner> {
  const { environment } = work.platform
  const known = opened.get(work.keyring) ?? new Map<Environment, WalletSigner>()
  opened.set(work.keyring, known)
  const signer = known.get(environment)
  if (signer !== undefined) return signer
  const made = await openSigner(work)
  known.set(environment, made)
  return made
}

async function openSigner({ tx, platform, keyring }: Reading): Promise<WalletSigner> {
  const { environment } = platform
  const stored =
    (await findSigner(tx, environment)) ?? (await makeSigner({ tx, platform, keyring }))
  const scalar = signerScalar.open(keyring, stored, environment)
  try {
    return walletSigner(scalar)
  } finally {
    scalar.fill(0)
  }
}

function makeSigner({ tx, platform, keyring }: Reading): Promise<Buffer> {
  const { environment } = platform
  const { scalar } = newKeyPair()
  const sealed = signerScalar.seal(keyring, scalar, environment)
  scalar.fill(0)
  return findOrInsertSigner(tx, { environment, scalar: sealed })
}
