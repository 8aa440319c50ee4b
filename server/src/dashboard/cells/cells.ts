/** What stands in columns and facts: texts, times, ids, amounts and statuses, each shown in one way. */
import { toWireTime } from '../../kernel/clock.ts'
import type { Money } from '../../kernel/money/money.ts'
import { html, type Html } from '../../pages/html.ts'
import type { Row } from '../ask.ts'
import type { Name, Path } from '../path.ts'
import type { Cell, Column, Visit } from '../section.ts'
import { readMoney, showMoney } from './show-money.ts'

const valueAt = (row: unknown, path: unknown): unknown =>
  (path as readonly string[]).reduce<unknown>(
    (inner, name) => (inner as Row | undefined)?.[name],
    row,
  )

/** A text inside a row, empty where there is none: `textIn(row, 'customer', 'id')`. */
export const textIn = <R>(row: R, ...path: Path<R>): string => textAt(row, path)

const textAt = (row: unknown, path: unknown): string => {
  const value = valueAt(row, path)
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const NOTHING: Html = html`<span class="nothing" title="none">–</span>`

const orNothing = (text: string, show: (text: string) => Cell): Cell =>
  text === '' ? NOTHING : show(text)

/** `PENDING_MANUAL_REVIEW` as people write it. */
export const inWords = (code: string): string => {
  const words = code.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TONES: Readonly<Record<string, string>> = {
  ...{ APPROVED: 'good', ACTIVE: 'good', COMPLETED: 'good', DELIVERED: 'good', CREDITED: 'good' },
  ...{
    TAKEN: 'good',
    EXECUTED: 'good',
    PROPOSED: 'warn',
    SETTLED: 'good',
    LIVENESS_PASSED: 'good',
  },
  ...{ ENABLED: 'good', DECIDED: 'good', APPLIED: 'good', PAUSED: 'warn', UNKNOWN: 'warn' },
  ...{ OPEN: 'bad', WAITING: 'warn', INVITED: 'warn', DISABLED: 'bad' },
  ...{ REJECTED: 'bad', FAILED: 'bad', DEAD: 'bad', CLOSED: 'bad', EXCEPTION: 'bad' },
  ...{ MISSING: 'bad', STALE: 'warn', NOT_SET: 'warn' },
  ...{ AUTHORIZED: 'good', PARTIALLY_SETTLED: 'good', VERIFIED: 'good', MATCHED: 'good' },
  ...{ PROVISIONED: 'good', RESOLVED: 'good', CLAIMED: 'good' },
  ...{ PENDING: 'warn', PENDING_AUTHORIZATION: 'warn', PROCESSING: 'warn', QUEUED: 'warn' },
  ...{ PENDING_KYC: 'warn', PENDING_APPROVAL: 'warn', PENDING_FUNDING: 'warn' },
  ...{ PENDING_PROVIDER: 'warn', UNDER_REVIEW: 'warn', IN_PROGRESS: 'warn' },
  ...{ PROVISIONING: 'warn', ENABLING: 'warn', PARTIAL_MATCH: 'warn' },
  ...{ DECLINED: 'bad', NOT_MATCHED: 'bad', INVALID: 'bad', REVOKED: 'bad', RETURNED: 'bad' },
  ...{ UNVERIFIED: 'bad', UNATTRIBUTED: 'warn', HELD: 'warn', RETURNING: 'warn' },
  ...{ PENDING_REVIEW: 'warn', PENDING_OWNERSHIP_VERIFICATION: 'warn' },
  ...{ HOLD: 'warn', PENDING_MANUAL_REVIEW: 'warn', RESOLVE_ERRORS: 'warn', FROZEN: 'warn' },
}

/** A status is a word first; its colour only helps to find it. */
export const badge = (code: string): Html =>
  html`<span class="badge ${TONES[code] ?? 'plain'}">${inWords(code)}</span>`

/** To the second in UTC; with script in the reader's time zone. The exact instant is behind it (OPER-123). */
export const timeOf = (iso: string): Html =>
  html`<time datetime="${iso}" title="${iso}"
    ><span>${iso.slice(0, 10)}</span> <span>${iso.slice(11, 19)} UTC</span></time
  >`

/** The end tells ids apart; the whole stands behind it. */
export function shortId(id: string): Html {
  const [, kind = '', uuid = ''] = /^(?:(\w+):)?([0-9a-f-]{36})$/.exec(id) ?? []
  return uuid === ''
    ? html`<code>${id}</code>`
    : html`<code class="id" title="${id}">${kind && `${kind}:`}…${uuid.slice(-8)}</code>`
}

/** Among its like an id is known by its end alone. */
export const tailOf = (id: string): Html =>
  html`<code class="id" title="${id}">…${id.slice(-8)}</code>`

const MINUTE_SECONDS = 60
const UNITS = [
  ['d', 24 * 60 * MINUTE_SECONDS],
  ['h', 60 * MINUTE_SECONDS],
  ['min', MINUTE_SECONDS],
] as const

/** How long ago, in one unit. */
export function ageOf(iso: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1000
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? []
  return unit === undefined || size === undefined ? 'now' : `${Math.floor(seconds / size)} ${unit}`
}

/** What matters more, and the other below it. */
const whenView = (first: Cell, second: Cell): Html =>
  html`<span class="when">${first} <span class="ago">${second}</span></span>`

/** How long ago, or until then. */
function distanceOf(iso: string, now: Date): string {
  const age = ageOf(iso, now)
  if (age !== 'now') return `${age} ago`
  const ahead = ageOf(toWireTime(now), new Date(iso))
  return ahead === 'now' ? 'now' : `in ${ahead}`
}

const platformName = ({ platforms }: Visit, platformId: string | undefined): string =>
  platforms.find((one) => one.platformId === platformId)?.name ?? 'Service'

/** A column of what is at a path of the row, where there is something. */
export const columnOf = <R>(
  title: string,
  path: Path<R>,
  show: (text: string, visit: Visit) => Cell,
): Column<R> => ({
  title,
  plain: (row) => textAt(row, path),
  cell: (row, visit) => orNothing(textAt(row, path), (text) => show(text, visit)),
})

export const textColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, (text) => text)

export const figureColumn = <R>(title: string, ...path: Path<R>): Column<R> => ({
  ...textColumn<R>(title, ...path),
  isFigure: true,
})

export const codeColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, (text) => html`<code>${text}</code>`)

export const idColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, shortId)

export const timeColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, (iso, { now }) => whenView(timeOf(iso), distanceOf(iso, now)))

export const statusColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, badge)

/** How long something has waited. */
export const ageColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, (iso, { now }) => whenView(ageOf(iso, now), timeOf(iso)))

export const PLATFORM_COLUMN: Column<Readonly<{ platformId?: string }>> = {
  title: 'Platform',
  plain: ({ platformId }, visit) => platformName(visit, platformId),
  cell: ({ platformId }, visit) =>
    html`<span class="platform">${platformName(visit, platformId)}</span>`,
}

/** `Grace Mensah → Jane Doe ••0007` (OPER-122). */
export const PARTIES_COLUMN: Column<Readonly<{ payer?: string; payee?: string }>> = {
  title: 'Payer → payee',
  plain: ({ payer = '', payee = '' }) => `${payer} → ${payee}`,
  cell: ({ payer, payee }) =>
    payer === undefined && payee === undefined
      ? NOTHING
      : html`<span class="parties"
          ><bdi>${payer ?? 'Unknown'}</bdi> → <bdi>${payee ?? 'Unknown'}</bdi></span
        >`,
}

/** What is at the path, or the row itself: an amount beside its currency. */
export const moneyColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  moneyColumnOf(title, (row) => readMoney(valueAt(row, path)))

/** An amount that is found in some other way than by a path. */
export const moneyColumnOf = <R>(
  title: string,
  moneyOf: (row: R) => Money | undefined,
): Column<R> => ({
  title,
  isFigure: true,
  moneyOf,
  cell: (row) => shownMoney(moneyOf(row)),
})

const shownMoney = (money: Money | undefined): Cell =>
  money ? html`<span class="money">${showMoney(money)}</span>` : NOTHING

export const moneyCell = (value: unknown): Cell => shownMoney(readMoney(value))

/** An amount in smallest units of the row's `currency`; sums of many come as text, since no float holds them. */
export const amountColumn = <R extends Readonly<{ currency: string }>>(
  title: string,
  name: Name<R>,
): Column<R> =>
  moneyColumnOf(title, (row) => {
    const amount = valueAt(row, [name])
    if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
    return { amount: BigInt(amount), currency: row.currency }
  })
