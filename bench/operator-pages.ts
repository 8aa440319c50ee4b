/** The overview and the search of the dashboard on a million payments and customers: how long a page takes (OPER-111, OPER-112). */
import { createAdminServer } from '../server/src/app/admin-server.ts'
import { sql } from '../server/src/infra/db/statement/sql.ts'
import { addMs, DAY_MS, systemClock } from '../server/src/kernel/clock.ts'
import { refreshFigures } from '../server/src/operator/figures/refresh.ts'
import { createLink, signIn } from '../server/src/operator/sign-in/dashboard-access.ts'
import { startBenchServer } from './bench-server.ts'
import { ROWS, seedLists } from './list-seed.ts'

const PAGE_MAX_MS = 100
const TIMES = 15
const DAYS = 90

const SEARCHES = {
  'a name': 'Ada Lovelace',
  'a misspelt name': 'Katherina Goldbreg',
  'a family name that many have': 'smith',
  'a name that nobody has': 'Xqzwv Bbbbb',
  'an e-mail address': 'ada@example.com',
  'an amount': '82.71 USD',
  'an amount that many have': '1.00',
  'the end of an id': '0123abcd',
  'a reference': 'RF-2026-000123',
  'four digits': '4242',
} as const

export async function runOperatorPages(): Promise<boolean> {
  const served = await startBenchServer()
  const { deps } = served.florin
  const begin = addMs(systemClock.now(), -DAYS * DAY_MS).toISOString()
  const platformId = served.platform.id
  await deps.db.read.run(sql`update platforms set created_at = ${begin} where id = ${platformId}`)
  await seedLists(served, { begin, stepSeconds: (DAYS * 86_400) / ROWS })
  await timed('figures of a million payments, first run', () => refreshFigures(deps), { times: 1 })
  await timed('figures of a million payments, next run', () => refreshFigures(deps), { times: 3 })
  const admin = createAdminServer(served.florin)
  const link = await createLink(deps, { name: 'bench', origin: 'http://127.0.0.1' })
  const session = await signIn(deps, link.url.split('/').at(-1) ?? '')
  const get = async (url: string) => {
    const cookies = { florin_dashboard: session }
    const { statusCode } = await admin.inject({ url, cookies, headers: { host: '127.0.0.1' } })
    if (statusCode !== 200 && statusCode !== 303 && statusCode !== 404)
      throw new Error(`${url} answered ${statusCode}`)
  }
  let isReached = true
  for (const range of ['24h', '7d', '30d', '90d'])
    isReached = (await timed(`overview, ${range}`, () => get(`/?range=${range}`))) && isReached
  for (const [what, id] of Object.entries(SEARCHES)) {
    const url = `/look-up?${new URLSearchParams({ id })}`
    isReached = (await timed(`search by ${what}`, () => get(url))) && isReached
  }
  await admin.close()
  await served.stop()
  return isReached
}

/** Prints the median and the slowest; whether the median is as short as a page has to be. */
async function timed(
  name: string,
  run: () => Promise<void>,
  { times = TIMES } = {},
): Promise<boolean> {
  const all: number[] = []
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now()
    await run()
    all.push(performance.now() - startedAt)
  }
  const sorted = all.toSorted((a, b) => a - b).map(Math.round)
  const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0
  const reached = medianMs <= PAGE_MAX_MS
  const line = { case: `dashboard: ${name}`, medianMs, slowestMs: sorted.at(-1), reached }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return reached
}
