import { mustParseId, parseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Order } from '../../../orders/index.ts'
import {
  applyVerdict,
  findAnyExternalAccount,
  isWalletType,
  lockExternalAccount,
  orderedAccount,
  partyOfBeneficiary,
} from '../../external-accounts/index.ts'
import { raiseFlag } from '../../verifications/index.ts'
import { CLEARED, type SubjectKind } from './subject.ts'

const idOf = ({ subject }: Order) => mustParseId('externalAccount', subject ?? '')

/** Bank accounts, mobile money and wallets outside (PROV-102, PROV-103). */
export const accountSubject: SubjectKind = {
  covers: ({ subject }) => parseId('externalAccount', subject ?? '') !== undefined,
  lock: (work, order) => lockExternalAccount(work, idOf(order)),
  async describe(work, order) {
    const account = await findAnyExternalAccount(work, idOf(order))
    invariant(account, 'An account that is screened is there.')
    return {
      subjectType: isWalletType(account.accountType) ? 'WALLET' : 'EXTERNAL_ACCOUNT',
      subject: order.subject,
      parties: [partyOfBeneficiary(account)],
      account: orderedAccount(account),
    }
  },
  async act(work, order, { verdict, before }) {
    const id = idOf(order)
    const account = await lockExternalAccount(work, id)
    if (!account) return
    const isBlocked = account.status === 'INACTIVE' && before === 'BLOCK'
    const isStopped = isBlocked || account.status === 'UNDER_REVIEW'
    const { customerId } = account
    if (verdict === 'CLEAR' && isStopped && customerId !== null) {
      raiseFlag(work, { customerId, subject: order.subject ?? '', ...CLEARED })
    }
    await applyVerdict(work, { id, verdict })
  },
}
