import { defineMachine } from '../../kernel/machine.ts'
import type { DelegatedKeyStatus } from './delegated-key.ts'

/** A key that was never activated stays PENDING, since it can sign nothing. */
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
