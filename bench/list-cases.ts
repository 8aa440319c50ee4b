import { openApi, type Api } from './bench-api.ts'
import type { Served } from './http-cases.ts'
import type { Connection } from './http-client.ts'
import { closedLoop, type Case, type Measured } from './measure.ts'

const CONNECTIONS = 4
const DURATION_MS = 1_000
const PAGES = 500

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

/** Lists on a million rows: what a page costs must not depend on how far in it is, nor on what is asked for. */
export async function listCases(served: Served): Promise<Case[]> {
  const api = await openApi(served)
  const first = '/transactions?limit=20'
  const last = `${first}&cursor=${encodeURIComponent(await cursorAfter(api, first))}`
  const all = '/customers?limit=20'
  const slowest = all + (await slowestOf(api, all))
  const against = 'the first page without a filter'
  return [
    {
      name: `list of transactions, page ${PAGES} of a million rows`,
      aim: 0.8,
      against,
      ours: () => drive(api, last),
      yardstick: () => drive(api, first),
    },
    {
      name: 'list of customers, dearest of 64 sets of filters, a million rows',
      aim: 0.2,
      against: `${against}; the set is ${slowest}`,
      ours: () => drive(api, slowest),
      yardstick: () => drive(api, all),
    },
  ]
}

async function cursorAfter(api: Api, path: string): Promise<string> {
  let cursor = ''
  for (let page = 1; page < PAGES; page += 1) {
    const from = cursor && `&cursor=${encodeURIComponent(cursor)}`
    cursor = String((await api.call('GET', path + from))['nextCursor'])
  }
  return cursor
}

async function slowestOf(api: Api, path: string): Promise<string> {
  const timed: { filters: string; ms: number }[] = []
  for (const filters of combinations(CUSTOMER_FILTERS)) {
    const times: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      const startedAt = performance.now()
      await api.call('GET', path + filters)
      times.push(performance.now() - startedAt)
    }
    timed.push({ filters, ms: Math.min(...times) })
  }
  return timed.toSorted((a, b) => b.ms - a.ms)[0]?.filters ?? ''
}

async function drive(api: Api, path: string): Promise<Measured> {
  const connections = await api.connect(CONNECTIONS)
  const measured = await closedLoop(CONNECTIONS, DURATION_MS, (writer) =>
    api.send(connections[writer] as Connection, 'GET', path),
  )
  connections.forEach((connection) => connection.close())
  return measured
}
