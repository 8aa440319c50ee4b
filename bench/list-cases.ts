import { openApi, type Api } from './bench-api.ts'
import type { Served } from './service/checkout.ts'
import type { Connection } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'

const CONNECTIONS = 4
const DURATION_MS = 1_000
const PAGES = 500
const LIMIT = 20
const STEP = 100
const DEAREST_P99_MAX_MS = 60
/** The first ones on each connection of the pool also plan the statement. */
const TRIES = 12

/** Filters that fit one another in any combination; the times cut off the older half. */
const CUSTOMER_FILTERS = [
  'customerType=BUSINESS',
  'region=DE',
  'currency=EUR',
  'createdBefore=2025-07-01T00:00:00.000Z',
  'updatedAfter=2025-03-01T00:00:00.000Z',
  'isIncludingDeleted=true',
]

const combinations = (filters: readonly string[]): string[] =>
  filters.reduce<string[]>((all, filter) => [...all, ...all.map((one) => `${one}&${filter}`)], [''])

/** Lists on a million rows: what a page costs must not depend on how far in it is. */
export async function listCases(served: Served): Promise<Case[]> {
  const api = await openApi(served)
  const timed = await timeEachSet(api)
  const dearest = dearestOf(timed)
  const dearestWithPages = dearestOf(timed.filter(({ total }) => total >= PAGES * LIMIT))
  const firstPage = (filters: string): string => `/customers?&limit=${LIMIT}${filters}`
  const farIn = async (list: string, path: string): Promise<Case> => {
    const first = `${path}&limit=${LIMIT}`
    const far = `${first}&cursor=${encodeURIComponent(await cursorBefore(api, path))}`
    return {
      name: `list of ${list}, page ${PAGES} of a million rows`,
      aim: 0.8,
      against: `its first page, GET ${first}`,
      ours: () => drive(api, far),
      yardstick: () => drive(api, first),
    }
  }
  return [
    await farIn('transactions', '/transactions?'),
    await farIn('customers', '/customers?'),
    await farIn('customers by the dearest of 64 sets of filters', `/customers?${dearestWithPages}`),
    {
      name: 'list of customers by the dearest of 64 sets of any length, first page',
      p99MaxMs: DEAREST_P99_MAX_MS,
      against: `the first page of all customers; ours is GET ${firstPage(dearest)}`,
      ours: () => drive(api, firstPage(dearest)),
      yardstick: () => drive(api, firstPage('')),
    },
  ]
}

/** Walks in large steps: a cursor says where a page begins, not how long it is. */
async function cursorBefore(api: Api, path: string): Promise<string> {
  let cursor = ''
  for (let rows = 0; rows < (PAGES - 1) * LIMIT; rows += STEP) {
    const from = cursor && `&cursor=${encodeURIComponent(cursor)}`
    cursor = String((await api.call('GET', `${path}&limit=${STEP}${from}`))['nextCursor'])
  }
  return cursor
}

type TimedSet = Readonly<{ filters: string; ms: number; total: number }>

async function timeEachSet(api: Api): Promise<TimedSet[]> {
  const timed: TimedSet[] = []
  for (const filters of combinations(CUSTOMER_FILTERS)) {
    const times: number[] = []
    let total = 0
    for (let tries = 0; tries < TRIES; tries += 1) {
      const startedAt = performance.now()
      const page = await api.call('GET', `/customers?&limit=${LIMIT}${filters}`)
      times.push(performance.now() - startedAt)
      total = Number(page['totalCount'])
    }
    timed.push({ filters, ms: Math.min(...times), total })
  }
  return timed
}

const dearestOf = (timed: readonly TimedSet[]): string =>
  timed.toSorted((a, b) => b.ms - a.ms)[0]?.filters ?? ''

async function drive(api: Api, path: string): Promise<Measured> {
  const connections = await api.connect(CONNECTIONS)
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) =>
    api.send(connections[writer] as Connection, 'GET', path),
  )
  connections.forEach((connection) => connection.close())
  return measured
}
