import { defineMachine } from '../../kernel/machine.ts'
import type { IssuanceStatus } from '../../providers/stablecoin-issuer.ts'

export const LINK_STATUSES = ['ACTIVE', 'INVALID', 'REVOKED'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]
export type LinkEvent = 'refuse' | 'revoke'

/** `refuse` is a failed verification; `revoke` comes from the provider or the operator. */
export const providerLink = defineMachine<LinkStatus, LinkEvent>({
  name: 'stablecoin provider link',
  initial: 'ACTIVE',
  table: {
    ACTIVE: { refuse: 'INVALID', revoke: 'REVOKED' },
    INVALID: { revoke: 'REVOKED' },
    REVOKED: {},
  },
})

export const ISSUANCE_STATUSES = [
  'PENDING_REVIEW',
  'PROVISIONING',
  'PROVISIONED',
  'REJECTED',
  'FAILED',
] as const satisfies readonly IssuanceStatus[]
export type IssuanceEvent = 'provision' | 'finish' | 'reject' | 'fail'

/** The issuance of a coin at the provider. A coin begins in the status that the provider reports. */
export const issuance = defineMachine<IssuanceStatus, IssuanceEvent>({
  name: 'stablecoin issuance',
  initial: 'PROVISIONED',
  alsoInitial: ['PENDING_REVIEW', 'PROVISIONING', 'REJECTED', 'FAILED'],
  table: {
    PENDING_REVIEW: {
      provision: 'PROVISIONING',
      finish: 'PROVISIONED',
      reject: 'REJECTED',
      fail: 'FAILED',
    },
    PROVISIONING: { finish: 'PROVISIONED', reject: 'REJECTED', fail: 'FAILED' },
    PROVISIONED: {},
    REJECTED: {},
    FAILED: {},
  },
})

export const OPERATION_STATUSES = [
  'CREATED',
  'PENDING_FUNDING',
  'PENDING_PROVIDER',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]
export type OperationEvent = 'awaitFunding' | 'accept' | 'process' | 'complete' | 'fail' | 'expire'

/** A mint or burn. CREATED ends with the provider's first answer; funds that arrive after the expiry change nothing. */
export const stablecoinOperation = defineMachine<OperationStatus, OperationEvent>({
  name: 'stablecoin operation',
  initial: 'CREATED',
  table: {
    CREATED: { awaitFunding: 'PENDING_FUNDING', accept: 'PENDING_PROVIDER' },
    PENDING_FUNDING: { process: 'PROCESSING', expire: 'EXPIRED' },
    PENDING_PROVIDER: { process: 'PROCESSING', fail: 'FAILED' },
    PROCESSING: { complete: 'COMPLETED', fail: 'FAILED' },
    COMPLETED: {},
    FAILED: {},
    EXPIRED: {},
  },
})
