/** Checks a create request: its fields, and the travel rule for wallets. */
import type { FieldError } from '../../../kernel/errors.ts'
import { parseId } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findCustomer, isObject, isScaRegion } from '../../customers/index.ts'
import { accountRules } from './strictness.ts'
import type { CreateRequestResult } from './create-request.ts'
import { checkCreateRequest } from './create-request.ts'
import type { OwnershipType } from '../ownership/rules.ts'
import { OWNERSHIP_TYPES, checkTravelRule, travelRuleHolds } from '../ownership/rules.ts'

export type NewAccountRequest = Readonly<{
  body: unknown
  /** The operation that was called. */
  owner: 'customer' | 'platform'
}>

type Where = Readonly<{ platform: Platform; now: Date }>

export function readNewAccount(
  { body, owner }: NewAccountRequest,
  { platform, now }: Where,
): CreateRequestResult {
  return checkCreateRequest({ ...accountRules({ platform, now }), body, owner })
}

/** The findings that need no database. */
export function checkNewAccount(request: NewAccountRequest, where: Where): FieldError[] {
  const result = readNewAccount(request, where)
  return [
    ...(result.ok ? [] : result.errors),
    ...(where.platform.travelRule ? checkTravelRuleOf(request.body) : []),
  ]
}

/** In PRODUCTION the region of the customer decides whether the travel rule holds (OWN-2). */
export async function checkNewAccountOf(
  { body }: NewAccountRequest,
  { platform, tx }: Readonly<{ platform: Platform; tx: Tx }>,
): Promise<FieldError[]> {
  const { environment, travelRule } = platform
  const given = isObject(body) ? body['customerId'] : undefined
  const customerId = typeof given === 'string' ? parseId('customer', given) : undefined
  if (travelRule || !traitsOf(platform).enforcesRegulation || !customerId) return []
  const customer = await findCustomer({ tx, platform }, customerId)
  const isEeaCustomer = isScaRegion(customer?.region)
  return travelRuleHolds({ travelRule, environment, isEeaCustomer }) ? checkTravelRuleOf(body) : []
}

/** Accepts unvalidated input; faults of single values are not repeated. */
export function checkTravelRuleOf(body: unknown): FieldError[] {
  if (!isObject(body) || !isObject(body['accountInfo'])) return []
  const { accountType, vaspName, beneficiary } = body['accountInfo']
  const ownershipType = body['ownershipType'] as OwnershipType | undefined
  if (typeof accountType !== 'string') return []
  if (vaspName !== undefined && typeof vaspName !== 'string') return []
  if (ownershipType !== undefined && !OWNERSHIP_TYPES.includes(ownershipType)) return []
  return checkTravelRule({
    accountType,
    ownershipType,
    vaspName,
    hasBeneficiary: beneficiary !== undefined,
  })
}
