/**
 * Exports a wallet's mnemonic to its owner's device, sealed and signed; nothing changes (EXPT-1 to EXPT-8).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT (no wallet), and what run-signed.ts refuses with.
 */
import { asId, formatId } from '../../../kernel/ids.ts'
import { exportWalletPayload } from '../../../crypto/wallet/activities.ts'
import { exportBundle } from '../../../crypto/wallet/bundles/export.ts'
import { mnemonicOf } from '../../../crypto/wallet/keys/mnemonic.ts'
import { audit } from '../../../infra/work/audit.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { clientKeyOf } from '../sessions/client-key.ts'
import { mustLockWallet } from './lock.ts'
import { walletSeed } from '../secrets.ts'
import { signerOf } from './signer.ts'
import type { DraftedOperation } from '../signing/signed-operation.ts'
import type { Wallet } from './wallet.ts'
import { readSeed } from './store.ts'

type Subject = Readonly<{ wallet: Wallet; clientPublicKey: string }>
type WireExport = { id: string; encryptedWalletCredentials: string }

export const exportWallet: DraftedOperation<Subject, Reply<200, WireExport>> = {
  id: 'exportInternalAccount',
  async find(work, { resourceId, body }) {
    const wallet = await mustLockWallet(work, asId('internalAccount', resourceId), 'id')
    return { wallet, clientPublicKey: (body as { clientPublicKey: string }).clientPublicKey }
  },
  draft: ({ wallet: { walletId }, clientPublicKey }) => ({
    activity: exportWalletPayload({ walletId, clientPublicKey }),
  }),
  needsUserVerification: () => true,
  async perform(work, { subject: { wallet, clientPublicKey } }) {
    const { accountId, organizationId } = wallet
    const { tx, platform, keyring } = work
    const [signer, seed] = await Promise.all([signerOf(work), readSeed(tx, platform.id, accountId)])
    const entropy = walletSeed.open(keyring, seed, accountId)
    const encryptedWalletCredentials = await exportBundle({
      signer,
      client: clientKeyOf(clientPublicKey).point,
      organizationId,
      mnemonic: mnemonicOf(entropy),
    })
    entropy.fill(0)
    const id = formatId('internalAccount', accountId)
    // Every call has its audit entry; this one says that the mnemonic was delivered (EXPT-8).
    audit(work, { action: 'deliverWalletExport', resource: id })
    return reply(200, { id, encryptedWalletCredentials })
  },
  answersOnce: () => true,
}
