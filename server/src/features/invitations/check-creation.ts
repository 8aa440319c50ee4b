import { isPast, parseWireTime } from '../../kernel/clock.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work.ts'
import { findCustomerByUma, textAt, type Customer } from '../customers/index.ts'
import { malformedUma, readUma } from './check-uma.ts'

type Seen = Readonly<{ now: Date; inviter: Customer | undefined }>

/** INV-1, INV-3: what depends on the customers and on the time. Bears any request. */
export function checkCreation(request: unknown, { now, inviter }: Seen): FieldError[] {
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

/** The same, for the list of a request that is refused for its fields anyway. */
export async function checkStoredCreation(
  reading: Pick<Work, 'tx' | 'platform' | 'now'>,
  request: unknown,
): Promise<FieldError[]> {
  const uma = readUma(textAt(request, 'inviterUma') ?? '')
  const inviter = uma === undefined ? undefined : await findCustomerByUma(reading, uma)
  return checkCreation(request, { now: reading.now, inviter })
}
