/** What a service and its database spend on one payment. Unlike rates it hardly depends on what else the machine does. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Checkout } from './checkout.ts'
import type { Measured, Spending } from '../measure.ts'
import type { Probed } from './probe.ts'

type Spent = Probed & Readonly<{ postgresUs: number; lsn: string }>
type Log = Pick<Spending, 'walBytes' | 'pageBytes' | 'inserted' | 'updated' | 'deleted'> &
  Pick<Spending, 'indexEntries'>

const LSN = `create extension if not exists pg_walinspect; select pg_current_wal_flush_lsn()::text as lsn`

/** Rows as the log has them: exact at once, while PostgreSQL's own counters are up to ten seconds late. */
const LOG = `
  with records as (
    select split_part("resource_manager/record_type", '+', 1) as type, count, combined_size, fpi_size
    from pg_get_wal_stats($1, $2, true)
  )
  select sum(combined_size)::float8 as "walBytes", sum(fpi_size)::float8 as "pageBytes",
    sum(count) filter (where type = 'Heap/INSERT')::float8 as inserted,
    coalesce(sum(count) filter (where type in ('Heap/UPDATE', 'Heap/HOT_UPDATE')), 0)::float8 as updated,
    coalesce(sum(count) filter (where type = 'Heap/DELETE'), 0)::float8 as deleted,
    sum(count) filter (where type like 'Btree/INSERT%' or type like 'Btree/SPLIT%')::float8 as "indexEntries"
  from records`

/** What is left to the background is done by then. */
const AFTERWARDS_MS = 1_500

/** Measures a load together with what each of its payments costs. */
export function metered(
  checkout: Checkout,
  requestsPerPayment: number,
  drive: () => Promise<Measured>,
): () => Promise<Measured> {
  return async () => {
    const before = await spentBy(checkout)
    const measured = await drive()
    await wait(AFTERWARDS_MS)
    const after = await spentBy(checkout)
    const log = await ask<Log>(checkout, LOG, [before.lsn, after.lsn])
    const payments = measured.requests / requestsPerPayment
    const spent = {
      nodeUs: after.cpuUs - before.cpuUs,
      postgresUs: after.postgresUs - before.postgresUs,
      ...log,
      roundTrips: after.roundTrips - before.roundTrips,
    }
    const entries = Object.entries(spent).map(([name, sum]) => [name, perPayment(sum, payments)])
    return { ...measured, perPayment: Object.fromEntries(entries) as Spending }
  }
}

function perPayment(sum: number, payments: number): number {
  const share = sum / payments
  return share < 100 ? Math.round(share * 100) / 100 : Math.round(share)
}

async function ask<R>({ databaseUrl }: Checkout, text: string, values: string[] = []): Promise<R> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const answers = [await client.query(text, values)].flat()
  await client.end()
  return answers.at(-1)?.rows[0] as R
}

async function spentBy(checkout: Checkout): Promise<Spent> {
  const { lsn } = await ask<{ lsn: string }>(checkout, LSN)
  return { ...(await probe(checkout)), postgresUs: await postgresUs(checkout), lsn }
}

/** All processes of a service together. */
export async function probe({ services }: Pick<Checkout, 'services'>): Promise<Probed> {
  const all = await Promise.all(
    services.map(async (service) => {
      service.send('probe')
      const [probed] = (await once(service, 'message')) as [Probed]
      return probed
    }),
  )
  const sum = (name: keyof Probed): number => all.reduce((total, one) => total + one[name], 0)
  const longestDelayMs = Math.max(...all.map((one) => one.longestDelayMs))
  return { cpuUs: sum('cpuUs'), roundTrips: sum('roundTrips'), longestDelayMs }
}

const TICK_US = 10_000
/** Places in /proc/<pid>/stat behind the name: the parent, and the time in user and system mode of it and of children that ended. */
const PARENT = 1
const TIMES = [11, 12]
const TIMES_OF_ENDED = [13, 14]

/** All processes of a server, those that have ended too. Only where there is /proc. */
async function postgresUs({ cluster }: Checkout): Promise<number> {
  const [postmaster = ''] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map(statOf))
  const sum = (stat: readonly string[], places: readonly number[]): number =>
    places.reduce((total, place) => total + Number(stat[place]), 0)
  return stats.reduce((total, { pid, stat }) => {
    if (pid === postmaster) return total + sum(stat, [...TIMES, ...TIMES_OF_ENDED]) * TICK_US
    return stat[PARENT] === postmaster ? total + sum(stat, TIMES) * TICK_US : total
  }, 0)
}

async function statOf(pid: string): Promise<Readonly<{ pid: string; stat: readonly string[] }>> {
  // A process may end before it is looked at.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return { pid, stat: text.slice(text.lastIndexOf(')') + 2).split(' ') }
}
