import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { mustHaveLiveOwner } from '../../customers/index.ts'
import type { InternalAccount } from './internal-account.ts'

/** Only an active account sends or receives (IACC-8). Fails: USER_NOT_FOUND, USER_NOT_READY. */
export function mustBeActive({
  id,
  status,
  isOwnerDeleted,
}: Pick<InternalAccount, 'id' | 'status' | 'isOwnerDeleted'>): void {
  mustHaveLiveOwner({ isOwnerDeleted })
  if (status === 'ACTIVE') return
  fail('USER_NOT_READY', {
    accountId: formatId('internalAccount', id),
    accountStatus: status,
  })
}
