/** How operators come into the dashboard: by a link that works once, then by a session. */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { digestSecret, newSecret } from '../../crypto/secret-hash.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { fail } from '../../kernel/errors.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Id } from '../../kernel/ids.ts'
import * as store from './dashboard-store.ts'
import { namedCaller } from '../access/caller.ts'
import { isCommandLineOpen } from '../access/command-line-caller.ts'
import { callerAs } from '../operators/operator.ts'
import { findOperator, noteSeen } from '../operators/store.ts'
import { inHouse } from '../in-platform.ts'

const LINK_MS = 15 * MINUTE_MS
const INVITATION_MS = 72 * HOUR_MS
const SESSION_MS = 12 * HOUR_MS
const IDLE_MS = HOUR_MS
/** How stale the time of the last visit may be: not every page is worth a write. */
const TOUCH_MS = MINUTE_MS

export type DashboardLink = Readonly<{ url: string; name: string; expiresAt: Date }>

/** Where operators reach the dashboard; undefined where it is turned off. */
export function dashboardOrigin({ adminUrl, adminHost, adminPort }: Settings): string | undefined {
  if (adminPort === 0) return undefined
  if (adminUrl !== undefined) return adminUrl
  const host = ['0.0.0.0', '::'].includes(adminHost) ? '127.0.0.1' : adminHost
  return `http://${isIPv6(host) ? `[${host}]` : host}:${adminPort}`
}

type LinkRequest = Readonly<{
  name: string
  operatorId: Id<'operator'> | null
  purpose: store.LinkPurpose
  origin: string
}>

/** An address that signs in once, as part of a Work that says why it was made. */
export async function newLink(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { name, operatorId, purpose, origin }: LinkRequest,
): Promise<DashboardLink> {
  const secret = newSecret()
  await store.pruneAccess(tx, { now, seenBefore: addMs(now, -IDLE_MS) })
  const expiresAt = addMs(now, purpose === 'INVITATION' ? INVITATION_MS : LINK_MS)
  await store.insertLink(tx, { digest: digestSecret(secret), name, operatorId, purpose, expiresAt })
  return { url: `${origin}/sign-in/${secret}`, name, expiresAt }
}

/**
 * Makes an address that signs an operator in, or where the command line is open a name without a record (OPER-30).
 * Fails: REFERENCE_NOT_FOUND, CONFLICT, FORBIDDEN.
 */
export async function createLink(
  deps: Deps,
  { name, origin }: Readonly<{ name: string; origin: string }>,
): Promise<DashboardLink> {
  if (deps.settings.operatorLinks === 'off') fail('FORBIDDEN', { setting: 'OPERATOR_LINKS' })
  const operator = await findOperator(deps.db.read, { name })
  if (!operator && !(await isCommandLineOpen(deps))) fail('REFERENCE_NOT_FOUND')
  if (operator?.status === 'DISABLED') fail('CONFLICT', { status: operator.status })
  const operatorId = operator?.id ?? null
  return inHouse(deps, { action: 'dashboard link', resource: name }, (work) =>
    newLink(work, { name, operatorId, purpose: 'SIGN_IN', origin }),
  )
}

/** The link, where it may still be used; looking does not use it up. */
async function findUsableLink(deps: Deps, secret: string): Promise<store.LinkRow | undefined> {
  const { db, clock, settings } = deps
  const link = await store.findLink(db.read, { digest: digestSecret(secret), now: clock.now() })
  if (!link || (link.purpose === 'SIGN_IN' && settings.operatorLinks === 'off')) return undefined
  return link.operatorId !== null || (await isCommandLineOpen(deps)) ? link : undefined
}

/** Whom a link would sign in. */
export const readLink = async (deps: Deps, secret: string): Promise<string | undefined> =>
  (await findUsableLink(deps, secret))?.name

/** Uses a link up and answers the secret of a new session. Fails: UNAUTHORIZED. */
export async function signIn(deps: Deps, linkSecret: string): Promise<string> {
  const link = (await findUsableLink(deps, linkSecret)) ?? fail('UNAUTHORIZED')
  const { name, operatorId } = link
  const as = { ...deps, operator: namedCaller(name) }
  return inHouse(as, { action: 'dashboard sign-in', resource: name }, async (work) => {
    const digest = digestSecret(linkSecret)
    if (!(await store.removeLink(work.tx, { digest, now: work.now }))) fail('UNAUTHORIZED')
    return startSession(work, { name, operatorId })
  })
}

type NewSession = Pick<store.LinkRow, 'name' | 'operatorId'> &
  Readonly<{ /** Where that was before the session began. */ signedInAt?: Date | undefined }>

/** Answers the secret of a new session of somebody who has proven who they are. */
export async function startSession(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { name, operatorId, signedInAt = now }: NewSession,
): Promise<string> {
  const secret = newSecret()
  if (operatorId) await noteSeen(tx, operatorId, now)
  await store.insertSession(tx, {
    digest: digestSecret(secret),
    name,
    operatorId,
    signedInAt,
    seenAt: now,
    expiresAt: addMs(now, SESSION_MS),
  })
  return secret
}

export type Session = Readonly<{
  caller: Caller
  digest: Buffer
  /** Goes with every form: only a reader of this session's pages knows it. */
  formToken: string
  notice: string | undefined
}>

/** A name without a record is somebody only while the command line is open. */
function callerIn(row: store.SessionRow, isOpen: boolean): Caller | undefined {
  const { name, signedInAt, operatorId, status, roles, platforms } = row
  if (operatorId === null) return isOpen ? { ...namedCaller(name), signedInAt } : undefined
  return status === 'ACTIVE'
    ? { ...callerAs({ id: operatorId, name, roles: roles ?? [], platforms }), signedInAt }
    : undefined
}

type Found = Readonly<{ row: store.SessionRow; caller: Caller }>

/** Sessions that last, with who they belong to now. */
async function listSessions(deps: Deps, digests: readonly Buffer[]): Promise<Found[]> {
  const now = deps.clock.now()
  const asked = { digests, now, seenAfter: addMs(now, -IDLE_MS) }
  const rows = await store.listSessionRows(deps.db.read, asked)
  const isOpen =
    rows.some(({ operatorId }) => operatorId === null) && (await isCommandLineOpen(deps))
  return rows.flatMap((row) => {
    const caller = callerIn(row, isOpen)
    return caller ? [{ row, caller }] : []
  })
}

/** Who the sessions belong to now, by their digests in hex. Being looked at keeps no session from falling idle. */
export async function findCallers(
  deps: Deps,
  digests: readonly Buffer[],
): Promise<ReadonlyMap<string, Caller>> {
  const found = await listSessions(deps, digests)
  return new Map(found.map(({ row, caller }) => [row.digest.toString('hex'), caller]))
}

/** Whether roles, platforms and name are what they were when something that goes on was begun. */
export const isAsBefore = (before: Caller, now: Caller | undefined): boolean =>
  now !== undefined && JSON.stringify(now) === JSON.stringify(before)

/** The same for one session, as long as it lasts. */
export async function isSessionAsBefore(
  deps: Deps,
  { digest, caller }: Pick<Session, 'digest' | 'caller'>,
): Promise<boolean> {
  return isAsBefore(caller, (await findCallers(deps, [digest])).get(digest.toString('hex')))
}

/** Who a session's secret belongs to, as long as it lasts; a visit keeps it from falling idle. */
export async function findSession(deps: Deps, secret: string): Promise<Session | undefined> {
  const { db, clock } = deps
  const [now, digest] = [clock.now(), digestSecret(secret)]
  const [found] = await listSessions(deps, [digest])
  if (!found) return undefined
  const { row, caller } = found
  if (row.seenAt.getTime() <= now.getTime() - TOUCH_MS) {
    await db.transaction(async (tx) => {
      await store.touchSession(tx, { digest, now })
      if (row.operatorId) await noteSeen(tx, row.operatorId, now)
    })
  }
  const formToken = createHash('sha256').update(`form ${secret}`).digest('base64url')
  return { caller, digest, formToken, notice: row.notice ?? undefined }
}

/** Leaves a sentence for the next page, or takes it away. */
export const leaveNotice = (
  { db }: Deps,
  { digest }: Session,
  notice: string | null,
): Promise<void> => db.transaction((tx) => store.setNotice(tx, { digest, notice }))

export const signOut = (deps: Deps, { caller, digest }: Session): Promise<void> => {
  const entry = { action: 'dashboard sign-out', resource: caller.name }
  const as = { ...deps, operator: namedCaller(caller.name) }
  return inHouse(as, entry, ({ tx }) => store.removeSession(tx, digest))
}

/** Ends every session and takes every link back. */
export const signOutAll = (deps: Deps): Promise<Readonly<{ sessions: number; links: number }>> =>
  inHouse(deps, { action: 'dashboard sign-out-all', resource: 'everybody' }, ({ tx }) =>
    store.removeAllAccess(tx),
  )
