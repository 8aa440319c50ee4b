import type { FieldError } from '../../../kernel/errors.ts'
import { BURN_SOURCE_TYPES, FUNDING_SOURCE_TYPES } from './stablecoin-operation.ts'

/** STBL-11: sources of a mint that the contract names but reserves; for any input. */
export const checkFundingSource = (body: unknown): FieldError[] =>
  checkType(body, {
    part: 'fundingSource',
    reserved: ['SERVICE_INTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'],
    allowed: FUNDING_SOURCE_TYPES,
  })

/** STBL-14: the same of a burn. */
export const checkBurnSource = (body: unknown): FieldError[] =>
  checkType(body, {
    part: 'source',
    reserved: ['SERVICE_INTERNAL_ACCOUNT'],
    allowed: BURN_SOURCE_TYPES,
  })

type Types = Readonly<{ part: string; reserved: readonly string[]; allowed: readonly string[] }>

function checkType(body: unknown, { part, reserved, allowed }: Types): FieldError[] {
  const source = (body as Record<string, unknown> | null)?.[part]
  const type = (source as { type?: unknown } | null | undefined)?.type
  if (typeof type !== 'string' || !reserved.includes(type)) return []
  return [
    {
      field: `${part}.type`,
      constraint: { enum: allowed },
      message: `must be one of ${allowed.join(', ')}; ${type} is reserved`,
    },
  ]
}
