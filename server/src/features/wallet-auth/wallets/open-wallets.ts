import { randomUUID } from 'node:crypto'
import { newId } from '../../../kernel/ids.ts'
import { newWalletEntropy } from '../../../crypto/wallet/keys/mnemonic.ts'
import { sparkIdentityKey } from '../../../crypto/wallet/keys/spark-identity.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { setWalletFunding } from '../../internal-accounts/index.ts'
import type { Credential } from '../credentials/auth-method.ts'
import { insertCredentials } from '../credentials/store.ts'
import { walletSeed } from '../secrets.ts'
import { endWallet, insertWallets, lockWalletOfCustomer, type NewWallet } from './store.ts'

/** Creates the keys of new wallets (CRED-1) and, if the owner has an e-mail address, a credential (CRED-2). */
export async function openWallets(
  work: Work,
  { wallets }: InternalEvents['wallets.opened'],
): Promise<void> {
  const { tx, platform, keyring, now } = work
  // Sandbox accounts already have funding instructions, which need no real key.
  const isReal = traitsOf(platform).usesRealNetworks
  const made = wallets.map(({ accountId, customerId }) => {
    const entropy = newWalletEntropy()
    const seed = walletSeed.seal(keyring, entropy, accountId)
    const sparkKey = isReal ? sparkIdentityKey(entropy) : undefined
    entropy.fill(0)
    const row: NewWallet = {
      accountId,
      customerId,
      organizationId: randomUUID(),
      walletId: randomUUID(),
      userId: randomUUID(),
      seed,
      createdAt: now,
    }
    return { row, funding: sparkKey ? [{ accountId, sparkKey }] : [] }
  })
  insertWallets(
    tx,
    platform.id,
    made.map(({ row }) => row),
  )
  if (isReal)
    setWalletFunding(
      work,
      made.flatMap(({ funding }) => funding),
    )
  const credentials = wallets.flatMap(({ accountId, customerId, email }): Credential[] =>
    email === undefined
      ? []
      : [
          {
            id: newId('authMethod'),
            accountId,
            customerId,
            type: 'EMAIL_OTP',
            nickname: email,
            createdAt: now,
            updatedAt: now,
          },
        ],
  )
  if (credentials.length > 0) insertCredentials(tx, platform.id, credentials)
}

/** Ends the wallet of a deleted customer, with its credentials and sessions (CRED-22). */
export async function endWalletOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const { tx, platform, now } = work
  const wallet = await lockWalletOfCustomer(tx, platform.id, customerId)
  if (wallet) endWallet(tx, platform.id, { accountId: wallet.accountId, at: now })
}
