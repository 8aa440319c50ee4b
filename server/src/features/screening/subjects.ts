/** What is screened: what is said about it, and what a verdict does to it. */
import { mustParseId, parseId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  applyVerdict,
  findAnyExternalAccount,
  isWalletType,
  lockExternalAccount,
  orderedAccount,
  partyOfBeneficiary,
} from '../external-accounts/index.ts'
import type { Verdict } from './store.ts'

type Members = Readonly<Record<string, unknown>>

export type Subject = Readonly<{
  lock(work: Work): Promise<unknown>
  describe(work: Work): Promise<Members>
  /** A verdict that is worse than the one before, or the first. */
  act(work: Work, verdict: Verdict): Promise<void>
}>

export function subjectOf(subject: string): Subject {
  invariant(parseId('externalAccount', subject), 'An order of this kind is about an account.')
  return accountSubject(subject)
}

function accountSubject(subject: string): Subject {
  const id = mustParseId('externalAccount', subject)
  return {
    lock: (work) => lockExternalAccount(work, id),
    async describe(work) {
      const account = await findAnyExternalAccount(work, id)
      invariant(account, 'An account that is screened is there.')
      const subjectType = isWalletType(account.accountType) ? 'WALLET' : 'EXTERNAL_ACCOUNT'
      return {
        subjectType,
        subject,
        parties: [partyOfBeneficiary(account)],
        account: orderedAccount(account),
      }
    },
    act: (work, verdict) => applyVerdict(work, { id, verdict }),
  }
}
