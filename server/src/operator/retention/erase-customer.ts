import { deleteCustomer } from '../../features/customers/index.ts'
import { findPlatformOfCustomer } from '../queries/operator-store.ts'
import { eraseFile } from '../../infra/files/erase-file.ts'
import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { DeletionObstacle } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { addMonths, addMs, isPast, SECOND_MS, toWireTime } from '../../kernel/clock.ts'
import { ApiError, fail } from '../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import { inAnyPlatform } from '../in-platform.ts'
import { readErasures } from './erasures-file.ts'
import { eraseLateRequestsJob, recordErasuresJob } from './job-definitions.ts'
import { visibleOwner } from '../access/visible-platforms.ts'
import {
  erasePersonalData,
  hasOpenMatters,
  listDocumentFiles,
  lockStanding,
  readBelongings,
  type Standing,
} from './retention-store.ts'

const MONTHS_PER_YEAR = 12
/** The request log is written a second after the answers; what it held at the erasure is there by then. */
const LATE_REQUESTS_MS = 5 * SECOND_MS

export type ErasureOrder = Readonly<{
  id: Id<'customer'>
  note: string
  /** No law keeps the data as long as the period says. */
  isPeriodOverridden: boolean
  /** Decided before, in a database that is gone: neither period nor hold is looked at again. */
  isReplay?: boolean
}>

export type Erased = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'>
  erasedAt: Date
}>

/**
 * Erases the personal data of a customer in one transaction; the files of its documents go after it (OPER-73).
 * Fails: USER_NOT_FOUND, CONFLICT with the reason (OPER-72, OPER-75).
 */
export async function eraseCustomer(deps: Deps, order: ErasureOrder): Promise<Erased> {
  const { id, note } = order
  const platformId =
    (await visibleOwner(deps, findPlatformOfCustomer(deps.db.read, id))) ?? failNotFound('customer')
  const resource = formatId('customer', id)
  const entry = { id: platformId, action: 'customers erase', resource, note: () => note }
  const erasedAt = await inAnyPlatform(deps, entry, (work) => erase(work, order))
  return { platformId, customerId: id, erasedAt }
}

async function erase(work: Work, order: ErasureOrder): Promise<Date> {
  const { tx, platform, now } = work
  const key = { platformId: platform.id, customerId: order.id }
  // Payments are locked before their customer.
  await work.react('customers.deletionRequested', { customerId: order.id })
  const standing = (await lockStanding(tx, key)) ?? failNotFound('customer')
  mustBeErasable(work, standing, order)
  await mustBeAtRest(work, standing, order.id)
  const belongings = await readBelongings(tx, key)
  if (await hasOpenMatters(tx, belongings)) fail('CONFLICT', { reason: 'OPEN_MATTERS' })
  const files = await listDocumentFiles(tx, key)
  await erasePersonalData(tx, belongings, now)
  for (const { fileId } of files) eraseFile(work, fileId)
  enqueue(work, recordErasuresJob, {}, { key: 'all' })
  const dueAt = addMs(now, LATE_REQUESTS_MS)
  enqueue(work, eraseLateRequestsJob, { customerId: order.id }, { dueAt })
  return now
}

function mustBeErasable(
  { now, settings }: Work,
  { isDeleted, status, endedAt, erasedAt, legalHoldSince }: Standing,
  { isPeriodOverridden, isReplay = false }: ErasureOrder,
): void {
  if (erasedAt) fail('CONFLICT', { reason: 'ERASED', erasedAt: toWireTime(erasedAt) })
  if (isReplay) return
  if (!isDeleted && status !== 'REJECTED') fail('CONFLICT', { reason: 'NOT_DELETED' })
  const until = addMonths(endedAt, settings.retentionCustomerYears * MONTHS_PER_YEAR)
  if (!isPeriodOverridden && !isPast({ deadline: until, now }))
    fail('CONFLICT', { reason: 'RETENTION_PERIOD', until: toWireTime(until) })
  if (legalHoldSince) fail('CONFLICT', { reason: 'LEGAL_HOLD', since: toWireTime(legalHoldSince) })
}

/** Money first: a customer that was only rejected is deleted by it, and money may have come back to a deleted one. */
async function mustBeAtRest(
  work: Work,
  { isDeleted }: Standing,
  id: Id<'customer'>,
): Promise<void> {
  const obstacles: DeletionObstacle[] = []
  if (isDeleted) await work.react('customers.deletionChecked', { customerId: id, obstacles })
  else await asOpenMatters(deleteCustomer(work, id))
  // The events of the deletion would show the data that goes with it.
  work.outbox.events.splice(0)
  // What the deletion leaves is found by the statements that follow.
  await work.tx.flush()
  const reasons = obstacles.map(({ reason }) => reason)
  if (reasons.length > 0) fail('CONFLICT', { reason: 'OPEN_MATTERS', reasons })
}

async function asOpenMatters(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error
    fail('CONFLICT', { ...error.details, reason: 'OPEN_MATTERS' })
  }
}

export type Replayed = Readonly<{
  ok: boolean
  erased: number
  alreadyErased: number
  unknown: number
  failed: readonly Readonly<{ customerId: string; reason: string }>[]
}>

/** Repeats the erasures of a file that this database does not have: it was restored from before them (OPER-76). */
export async function replayErasures(
  deps: Deps,
  path: string,
  content?: string,
): Promise<Replayed> {
  const counts = { erased: 0, alreadyErased: 0, unknown: 0 }
  const failed: { customerId: string; reason: string }[] = []
  for (const id of await readErasures(path, content)) {
    try {
      await eraseCustomer(deps, { id, note: 'replayed', isPeriodOverridden: true, isReplay: true })
      counts.erased += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const reason = String(error.details?.['reason'] ?? error.code)
      if (reason === 'ERASED') counts.alreadyErased += 1
      else if (error.code === 'USER_NOT_FOUND') counts.unknown += 1
      else failed.push({ customerId: formatId('customer', id), reason })
    }
  }
  return { ok: failed.length === 0, ...counts, failed }
}
