import { defineMachine } from '../../kernel/machine.ts'
import type { DelegatedKeyStatus } from './delegated-key.ts'

/** A key that was never activated is left as it is: it can do nothing. */
export const delegatedKey = defineMachine<DelegatedKeyStatus, 'activate' | 'revoke'>({
  name: 'delegated key',
  initial: 'PENDING',
  table: {
    PENDING: { activate: 'ACTIVE' },
    ACTIVE: { revoke: 'REVOKED' },
    REVOKED: {},
  },
  refusals: { revoke: 'INVALID_INPUT' },
})
