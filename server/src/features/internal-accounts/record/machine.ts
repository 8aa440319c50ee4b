import { defineMachine } from '../../../kernel/machine.ts'
import type { InternalAccountStatus } from './internal-account.ts'

export type InternalAccountEvent =
  'provision' | 'markProvisioningFailed' | 'freeze' | 'unfreeze' | 'customerDeleted'

/** Where an outside bank opens the account it begins PENDING; otherwise it is ACTIVE from the start. */
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
