import { isPast, parseWireTime } from '../../kernel/clock.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work/work.ts'
import { findCustomerByUma, textAt, type Customer } from '../customers/index.ts'
import { malformedUma, readUma } from './check-uma.ts'

type Known = Readonly<{ now: Date; inviter: Customer | undefined }>

/** Checks inviter and expiry, which depend on customers and time (INV-1, INV-3). Accepts unvalidated input; never throws. */
export function checkCreation(request: unknown, { now, inviter }: Known): FieldError[] {
  const inviterUma = textAt(request, 'inviterUma')
  const expiresAt = parseWireTime(textAt(request, 'expiresAt') ?? '')
  const errors: FieldError[] = []
  if (inviterUma !== undefined && readUma(inviterUma) === undefined) {
    errors.push(malformedUma('inviterUma'))
  } else if (inviterUma !== undefined && !inviter) {
    const message = 'must be the UMA address of an active customer of the platform'
    errors.push({ field: 'inviterUma', message })
  }
  if (expiresAt && isPast({ deadline: expiresAt, now })) {
    const constraint = { format: 'date-time' }
    errors.push({ field: 'expiresAt', constraint, message: 'must lie in the future' })
  }
  return errors
}

/** Completes the field errors of a refused request with those that need the database. */
export async function checkStoredCreation(
  reading: Pick<Work, 'tx' | 'platform' | 'now'>,
  request: unknown,
): Promise<FieldError[]> {
  const uma = readUma(textAt(request, 'inviterUma') ?? '')
  const inviter = uma === undefined ? undefined : await findCustomerByUma(reading, uma)
  return checkCreation(request, { now: reading.now, inviter })
}
