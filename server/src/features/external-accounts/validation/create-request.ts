/** Checks the whole body of a create request, so that one answer names every wrong field (EACC-3). */
import type { FieldError } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { parseId } from '../../../kernel/ids.ts'
import type { AccountRules, CheckedAccount } from './account-info.ts'
import { checkAccountInfo } from './account-info.ts'
import { isObject } from '../../customers/index.ts'
import type { OwnershipType } from '../ownership/rules.ts'
import { OWNERSHIP_TYPES } from '../ownership/rules.ts'

export type CheckedCreateRequest = Readonly<{
  /** Absent for an account of the platform (EACC-9). */
  customerId?: Id<'customer'>
  platformAccountId?: string
  ownershipType?: OwnershipType
  defaultUmaDepositAccount: boolean
  account: CheckedAccount
}>

export type CreateRequestResult =
  | Readonly<{ ok: true; request: CheckedCreateRequest; warnings: string[] }>
  | Readonly<{ ok: false; errors: FieldError[] }>

const PLATFORM_ACCOUNT_ID_LENGTH_MAX = 255

type CreateRequestInput = AccountRules &
  Readonly<{
    body: unknown
    /** `/platform/external-accounts` has no `customerId`, so one that is sent is ignored. */
    owner: 'customer' | 'platform'
  }>

export function checkCreateRequest(input: CreateRequestInput): CreateRequestResult {
  const { body, owner, ...rules } = input
  if (!isObject(body)) {
    return { ok: false, errors: [{ field: '', message: 'must be a JSON object' }] }
  }
  const customerId = owner === 'customer' ? body['customerId'] : undefined
  const { platformAccountId, ownershipType, defaultUmaDepositAccount } = body
  const account = checkAccountInfo({ ...rules, body })
  const errors = [
    ...checkCustomerId(customerId),
    ...checkPlatformAccountId(platformAccountId),
    ...checkOwnershipType(ownershipType),
    ...checkDefaultFlag(defaultUmaDepositAccount, customerId !== undefined),
    ...(account.ok ? [] : account.errors),
  ]
  if (errors.length > 0 || !account.ok) return { ok: false, errors }
  return {
    ok: true,
    request: {
      ...(typeof customerId === 'string' && {
        customerId: parseId('customer', customerId) as Id<'customer'>,
      }),
      ...(platformAccountId !== undefined && { platformAccountId: platformAccountId as string }),
      ...(ownershipType !== undefined && { ownershipType: ownershipType as OwnershipType }),
      defaultUmaDepositAccount: defaultUmaDepositAccount === true,
      account: account.account,
    },
    warnings: account.warnings,
  }
}

/** A malformed id is a field error; an unknown one is refused by the look-up (CORE-4). */
function checkCustomerId(value: unknown): FieldError[] {
  if (value === undefined) return []
  if (typeof value === 'string' && parseId('customer', value)) return []
  const constraint = { format: 'resource-id' }
  return [{ field: 'customerId', constraint, message: 'must be the id of a customer' }]
}

/** Characters are counted by code point, as everywhere on the wire (EACC-11). */
function checkPlatformAccountId(value: unknown): FieldError[] {
  if (value === undefined) return []
  const length = typeof value === 'string' ? [...value].length : 0
  if (length >= 1 && length <= PLATFORM_ACCOUNT_ID_LENGTH_MAX) return []
  const constraint = { minLength: 1, maxLength: PLATFORM_ACCOUNT_ID_LENGTH_MAX }
  return [{ field: 'platformAccountId', constraint, message: 'must have 1 to 255 characters' }]
}

function checkOwnershipType(value: unknown): FieldError[] {
  if (value === undefined || OWNERSHIP_TYPES.some((type) => type === value)) return []
  const message = `must be one of ${OWNERSHIP_TYPES.join(', ')}`
  return [{ field: 'ownershipType', constraint: { enum: OWNERSHIP_TYPES }, message }]
}

/** Only customers' accounts have the flag; a platform has no UMA address to deposit for (EACC-12). */
function checkDefaultFlag(value: unknown, isCustomers: boolean): FieldError[] {
  const field = 'defaultUmaDepositAccount'
  if (value === undefined) return []
  if (typeof value !== 'boolean') return [{ field, message: 'must be a boolean' }]
  if (value && !isCustomers) return [{ field, message: "is for customers' accounts only" }]
  return []
}
