import { listErasableCustomers } from '../../features/customers/index.ts'
import type { Deps } from '../../infra/deps.ts'
import { ApiError } from '../../kernel/errors.ts'
import { inHouse } from '../in-platform.ts'
import { eraseCustomer } from './erase-customer.ts'
import { recordErasures } from './erasures-file.ts'
import { EXPIRING_KINDS, removeExpired, type ExpiringKind } from './expired-store.ts'

const ROWS_PER_TRANSACTION = 1_000
const SERVICE = {
  name: 'retention',
  actor: { kind: 'operator', by: 'system', name: 'retention' },
  roles: [],
  isMachine: true,
} as const

/** Applies every retention period once and writes an audit entry for each kind of data, with the count (OPER-70). */
export async function applyRetention(service: Deps): Promise<void> {
  const deps = { ...service, operator: SERVICE }
  for (const kind of EXPIRING_KINDS) await auditCount(deps, kind.name, await removeAll(deps, kind))
  await auditCount(deps, 'customers', await eraseOrCount(deps))
  await recordErasures(deps)
}

const auditCount = (deps: Deps, kind: string, count: number): Promise<void> =>
  inHouse(deps, { action: `retention ${kind}`, note: () => String(count) }, () => Promise.resolve())

async function removeAll(deps: Deps, { statements }: ExpiringKind): Promise<number> {
  let count = 0
  for (const statement of statements) {
    let removed
    do {
      removed = await deps.db.transaction(
        (tx) => removeExpired(tx, statement, { ...deps, limit: ROWS_PER_TRANSACTION }),
        { isLong: true },
      )
      count += removed
    } while (removed === ROWS_PER_TRANSACTION)
  }
  return count
}

/** Counts the erasable customers; with RETENTION_ERASE=automatic erases them and counts those. */
async function eraseOrCount(deps: Deps): Promise<number> {
  const { db, clock, settings } = deps
  const years = settings.retentionCustomerYears
  const limit = ROWS_PER_TRANSACTION
  const erasable = await listErasableCustomers(db.read, { now: clock.now(), years, limit })
  if (settings.retentionErase === 'manual') return erasable.length
  let erased = 0
  for (const { customer } of erasable) if (await eraseUnlessOpen(deps, customer.id)) erased += 1
  return erased
}

/** False where the customer has open matters, which an operator has to settle first. */
async function eraseUnlessOpen(
  deps: Deps,
  id: Parameters<typeof eraseCustomer>[1]['id'],
): Promise<boolean> {
  try {
    await eraseCustomer(deps, { id, note: 'period over', isPeriodOverridden: false })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'CONFLICT') return false
    throw error
  }
}
