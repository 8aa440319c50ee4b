/**
 * Turns a wallet's privacy on or off (SIGN-22).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT (no wallet), and what run-signed.ts refuses with.
 */
import { asId } from '../../../kernel/ids.ts'
import { setPrivacyPayload } from '../../../crypto/wallet/activities.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import {
  internalAccountToWire,
  lockAccount,
  setPrivateEnabled,
  type WireInternalAccount,
} from '../../internal-accounts/index.ts'
import { mustLockWallet } from './lock.ts'
import type { AccountUpdateBody } from '../schema.ts'
import type { DraftedOperation } from '../signing/signed-operation.ts'
import type { Wallet } from './wallet.ts'

type Subject = Readonly<{ wallet: Wallet; body: AccountUpdateBody }>

export const setPrivacy: DraftedOperation<Subject, Reply<200, WireInternalAccount>> = {
  id: 'updateInternalAccount',
  async find(work, { resourceId, body }) {
    const id = asId('internalAccount', resourceId)
    // Accounts are locked before wallets, as in the deletion of a customer.
    await lockAccount(work.tx, work.platform.id, id)
    const wallet = await mustLockWallet(work, id, 'id')
    return { wallet, body: body as AccountUpdateBody }
  },
  draft: ({ wallet: { walletId }, body }) => ({
    activity: setPrivacyPayload({ walletId, privateEnabled: body.privateEnabled ?? false, body }),
  }),
  async perform(work, { subject: { wallet, body } }) {
    const account = await setPrivateEnabled(work, {
      id: wallet.accountId,
      privateEnabled: body.privateEnabled ?? false,
    })
    return reply(200, internalAccountToWire(account, account))
  },
}
