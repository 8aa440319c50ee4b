/** How operators come into the dashboard: by a link that works once, then by a session. */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { digestSecret, newSecret } from '../../crypto/secret-hash.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { fail } from '../../kernel/errors.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import * as store from './dashboard-store.ts'
import { namedCaller } from '../access/caller.ts'
import { inHouse } from '../in-platform.ts'

const LINK_MS = 15 * MINUTE_MS
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

/** Makes an address that signs `name` in, once, within a quarter of an hour. */
export function createLink(
  deps: Deps,
  { name, origin }: Readonly<{ name: string; origin: string }>,
): Promise<DashboardLink> {
  const secret = newSecret()
  return inHouse(deps, { action: 'dashboard link', resource: name }, async ({ tx, now }) => {
    await store.pruneAccess(tx, { now, seenBefore: addMs(now, -IDLE_MS) })
    const expiresAt = addMs(now, LINK_MS)
    await store.insertLink(tx, { digest: digestSecret(secret), name, expiresAt })
    return { url: `${origin}/sign-in/${secret}`, name, expiresAt }
  })
}

/** Whom a link would sign in; looking does not use it up. */
export async function readLink({ db, clock }: Deps, secret: string): Promise<string | undefined> {
  const now = clock.now()
  return (await store.findLinkName(db.read, { digest: digestSecret(secret), now }))?.name
}

/** Uses a link up and answers the secret of a new session. Fails: UNAUTHORIZED. */
export async function signIn(deps: Deps, linkSecret: string): Promise<string> {
  const name = (await readLink(deps, linkSecret)) ?? fail('UNAUTHORIZED')
  const secret = newSecret()
  const as = { ...deps, operator: namedCaller(name) }
  await inHouse(as, { action: 'dashboard sign-in', resource: name }, async ({ tx, now }) => {
    const digest = digestSecret(linkSecret)
    if (!(await store.removeLink(tx, { digest, now }))) fail('UNAUTHORIZED')
    const expiresAt = addMs(now, SESSION_MS)
    await store.insertSession(tx, { digest: digestSecret(secret), name, seenAt: now, expiresAt })
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

/** Who a session's secret belongs to, as long as it lasts; a visit keeps it from falling idle. */
export async function findSession(
  { db, clock }: Deps,
  secret: string,
): Promise<Session | undefined> {
  const [now, digest] = [clock.now(), digestSecret(secret)]
  const seenAfter = addMs(now, -IDLE_MS)
  const row = await store.findSessionRow(db.read, { digest, now, seenAfter })
  if (!row) return undefined
  if (row.seenAt.getTime() <= now.getTime() - TOUCH_MS) {
    await db.transaction((tx) => store.touchSession(tx, { digest, now }))
  }
  const formToken = createHash('sha256').update(`form ${secret}`).digest('base64url')
  return { caller: namedCaller(row.name), digest, formToken, notice: row.notice ?? undefined }
}

/** Leaves a sentence for the next page, or takes it away. */
export const leaveNotice = (
  { db }: Deps,
  { digest }: Session,
  notice: string | null,
): Promise<void> => db.transaction((tx) => store.setNotice(tx, { digest, notice }))

export const signOut = (deps: Deps, { caller, digest }: Session): Promise<void> => {
  const entry = { action: 'dashboard sign-out', resource: caller.name }
  return inHouse({ ...deps, operator: caller }, entry, ({ tx }) => store.removeSession(tx, digest))
}

/** Ends every session and takes every link back. */
export const signOutAll = (deps: Deps): Promise<Readonly<{ sessions: number; links: number }>> =>
  inHouse(deps, { action: 'dashboard sign-out-all', resource: 'everybody' }, ({ tx }) =>
    store.removeAllAccess(tx),
  )
