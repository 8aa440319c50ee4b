import { deleteCustomer } from '../../features/customers/index.ts'
import { findPlatformOfCustomer } from '../queries/operator-store.ts'
import { eraseFile } from '../../infra/files/erase-file.ts'
import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { DeletionObstacle } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { addMonths, addMs, isPast, SECOND_MS, toWireTime } from '../../kernel/clock.ts'
import { ApiError, fail } from '../../kernel/errors.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { inAnyPlatform } from '../in-platform.ts'
import { readErasures } from './erasures-file.ts'
import { eraseLateRequestsJob, recordErasuresJob } from './job-definitions.ts'
import { mustFindOwner } from '../access/visible-platforms.ts'
import {
  erasePersonalData,
  hasOpenMatters,
  listDocumentFiles,
  lockUnerased,
  readCustomerResources,
  type Erasure,
  type ErasureState,
} from './retention-store.ts'

const MONTHS_PER_YEAR = 12
/** The request log is written about a second after the answer, so requests before the erasure are stored by then. */
const LATE_REQUESTS_MS = 5 * SECOND_MS

export type ErasureRequest = Readonly<{
  id: Id<'customer'>
  note: string
  /** The operator declares that no law requires the whole retention period. */
  isPeriodOverridden: boolean
  /** Repeats an erasure that the restored database lacks, so period and legal hold are not checked again. */
  isReplay?: boolean
}>

/**
 * Erases the personal data of a customer in one transaction; its document files are deleted after the commit (OPER-73).
 * Fails: USER_NOT_FOUND, CONFLICT with the reason (OPER-72, OPER-75).
 */
export async function eraseCustomer(deps: Deps, request: ErasureRequest): Promise<Erasure> {
  const { id, note } = request
  const platformId = await mustFindOwner(deps, 'customer', findPlatformOfCustomer(deps.db.read, id))
  const resource = formatId('customer', id)
  const entry = { id: platformId, action: 'customers erase', resource, note: () => note }
  const erasedAt = await inAnyPlatform(deps, entry, (work) => eraseInWork(work, request))
  return { platformId, customerId: id, erasedAt }
}

async function eraseInWork(work: Work, request: ErasureRequest): Promise<Date> {
  const { tx, platform, now } = work
  const key = { platformId: platform.id, customerId: request.id }
  // This reaction locks the payments, which must be locked before their customer.
  await work.react('customers.deletionRequested', { customerId: request.id })
  const state = await lockUnerased(tx, key)
  if (!request.isReplay) mustBeErasable(work, state, request)
  await ensureDeleted(work, state, request.id)
  const resources = await readCustomerResources(tx, key)
  if (await hasOpenMatters(tx, resources)) fail('CONFLICT', { reason: 'OPEN_MATTERS' })
  const files = await listDocumentFiles(tx, key)
  await erasePersonalData(tx, resources, now)
  for (const { fileId } of files) eraseFile(work, fileId)
  enqueue(work, recordErasuresJob, {}, { key: 'all' })
  const dueAt = addMs(now, LATE_REQUESTS_MS)
  enqueue(work, eraseLateRequestsJob, { customerId: request.id }, { dueAt })
  return now
}

function mustBeErasable(
  { now, settings }: Work,
  { isDeleted, status, endedAt, legalHoldSince }: ErasureState,
  { isPeriodOverridden }: ErasureRequest,
): void {
  if (!isDeleted && status !== 'REJECTED') fail('CONFLICT', { reason: 'NOT_DELETED' })
  const until = addMonths(endedAt, settings.retentionCustomerYears * MONTHS_PER_YEAR)
  if (!isPeriodOverridden && !isPast({ deadline: until, now }))
    fail('CONFLICT', { reason: 'RETENTION_PERIOD', until: toWireTime(until) })
  if (legalHoldSince) fail('CONFLICT', { reason: 'LEGAL_HOLD', since: toWireTime(legalHoldSince) })
}

/**
 * Deletes a customer that was only rejected. A deleted one is checked again, because money may have come back to it.
 * Fails: CONFLICT with the obstacles.
 */
async function ensureDeleted(
  work: Work,
  { isDeleted }: ErasureState,
  id: Id<'customer'>,
): Promise<void> {
  const obstacles: DeletionObstacle[] = []
  if (isDeleted) await work.react('customers.deletionChecked', { customerId: id, obstacles })
  else await deleteUnlessOpen(work, id)
  // The events of the deletion would contain the data that is being erased.
  work.outbox.events.splice(0)
  // The statements that follow must see the rows that the deletion has changed.
  await work.tx.flush()
  const reasons = obstacles.map(({ reason }) => reason)
  if (reasons.length > 0) fail('CONFLICT', { reason: 'OPEN_MATTERS', reasons })
}

async function deleteUnlessOpen(work: Work, id: Id<'customer'>): Promise<void> {
  try {
    await deleteCustomer(work, id)
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

/** Repeats the erasures in a file that this database lacks because its backup is older than they are (OPER-76). */
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
