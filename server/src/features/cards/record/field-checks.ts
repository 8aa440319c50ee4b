import { isObject } from '../../customers/index.ts'
import type { FieldError } from '../../../kernel/errors.ts'

/** Two names of one value must agree; a difference is reported on the second name (CARD-1). */
export function checkCardholder(value: unknown): FieldError[] {
  if (!isObject(value)) return []
  const { customerId, cardholderId } = value
  if (customerId === undefined || cardholderId === undefined || customerId === cardholderId)
    return []
  return [{ field: 'cardholderId', message: 'must be the same as customerId' }]
}

function checkFunding(value: unknown): FieldError[] {
  if (!isObject(value)) return []
  const { fundingSource, fundingSources } = value
  if (!Array.isArray(fundingSources)) return []
  const differs = fundingSource !== undefined && fundingSource !== fundingSources[0]
  const repeated = fundingSources.flatMap((id: unknown, index) =>
    fundingSources.indexOf(id) < index
      ? [{ field: `fundingSources.${index}`, message: 'must not repeat an account' }]
      : [],
  )
  return differs
    ? [{ field: 'fundingSources', message: 'must begin with fundingSource' }, ...repeated]
    : repeated
}

const missing = (field: string): FieldError => ({ field, message: 'is required' })

export function checkCreation(body: unknown): FieldError[] {
  if (!isObject(body)) return []
  const isNamed = (...names: string[]): boolean => names.some((name) => body[name] !== undefined)
  return [
    ...(isNamed('customerId', 'cardholderId') ? [] : [missing('customerId')]),
    ...(isNamed('fundingSource', 'fundingSources') ? [] : [missing('fundingSource')]),
    ...checkCardholder(body),
    ...checkFunding(body),
  ]
}

const BESIDE_STATE = ['fundingSource', 'fundingSources', 'maxSpendPerTransaction'] as const

/** An update changes something, and a closure comes alone (CARD-20, CARD-24). */
export function checkUpdate(body: unknown): FieldError[] {
  if (!isObject(body)) return []
  const beside = BESIDE_STATE.filter((name) => body[name] !== undefined)
  if (body['state'] === undefined && beside.length === 0) {
    return [{ field: '', message: `name at least one of: state, ${BESIDE_STATE.join(', ')}` }]
  }
  const idle = body['state'] === 'CLOSED' ? beside : []
  return [
    ...idle.map((field) => ({ field, message: 'cannot change together with a closure' })),
    ...checkFunding(body),
  ]
}
