import { defineMachine } from '../../../kernel/machine.ts'
import type { InternalAccountStatus } from './internal-account.ts'

export type InternalAccountEvent =
  | 'provision'
  | 'markProvisioningFailed'
  | 'freeze'
  | 'unfreeze'
  | 'customerDeleted'

/** An account that an outside bank has to open starts PENDING; any other starts ACTIVE. */
export const internalAccount = defineMachine<InternalAccountStatus, InternalAccountEvent>({
  name: 'internal account',
  initial: 'ACTIVE',
  alsoInitial: ['PENDING'],
  table: {
    PENDING: { provision: 'ACTIVE', markProvisioningFailed: 'FAILED', customerDeleted: 'CLOSED' },
    ACTIVE: { freeze: 'FROZEN', customerDeleted: 'CLOSED' },
    FROZEN: { unfreeze: 'ACTIVE', customerDeleted: 'CLOSED' },
    CLOSED: {},
    FAILED: {},
  },
})
