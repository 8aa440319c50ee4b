/** Checks of the running service whose failures nothing else reports (OPER-143). */
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readClockSkew } from '../../../infra/db/clock-skew.ts'
import type { Deps } from '../../../infra/deps.ts'
import { readJobQueue } from '../../../infra/jobs/job-store.ts'
import { listKeyStates } from '../../../infra/settings/key-checks.ts'
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { readSendingLag } from '../../../webhooks/queue/sending-lag.ts'
import { readChainLag } from '../../audit/chain-store.ts'

type Check = Readonly<{ check: string; ok: boolean; detail: string }>

export const runningChecks = async (deps: Deps): Promise<Check[]> => [
  await backgroundCheck(deps),
  await masterKeyCheck(deps),
  await clockCheck(deps),
  await filesCheck(deps),
]

const LATE_MS = 5 * MINUTE_MS

/** Fails where no process does background work, or where it hangs. */
async function backgroundCheck({ db, clock }: Deps): Promise<Check> {
  const now = clock.now()
  const { oldestDueMs } = await readJobQueue(db.read, now)
  const waits = [
    ['a job has been due for', oldestDueMs],
    ['an event has waited to be sent for', await readSendingLag(db.read, now)],
    ['an audit entry has waited to be chained for', await readChainLag(db.read, now)],
  ] as const
  const late = waits
    .filter(([, waitedMs]) => waitedMs > LATE_MS)
    .map(([what, waitedMs]) => `${what} ${Math.floor(waitedMs / SECOND_MS)} s`)
  const detail = late.length > 0 ? late.join('; ') : 'jobs, events and audit entries are in time'
  return { check: 'background', ok: late.length === 0, detail }
}

/** A process that was started before a rotation lacks the new key, or seals with the one that is about to go (OPER-84). */
async function masterKeyCheck(deps: Deps): Promise<Check> {
  const { newestKeyId, keyIds } = deps.keyring
  const states = await listKeyStates(deps)
  const problems = states.flatMap(({ keyId, isConfigured, isRetired }) => {
    if (!isConfigured && !isRetired) return [`${keyId} is not configured in this process`]
    const isStillUsed = isRetired && keyId === newestKeyId
    return isStillUsed ? [`${keyId} is retired, and this process still seals with it`] : []
  })
  const detail = problems.length > 0 ? problems.join('; ') : keyIds.join(', ')
  return { check: 'master key', ok: problems.length === 0, detail }
}

/** More skew breaks the leases of jobs and deliveries, which processes compare with their clocks. */
const SKEW_MAX_MS = 5 * SECOND_MS

async function clockCheck(deps: Deps): Promise<Check> {
  const skewMs = await readClockSkew(deps)
  const seconds = (Math.abs(skewMs) / SECOND_MS).toFixed(1)
  const detail = `${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the database`
  return { check: 'clock', ok: Math.abs(skewMs) <= SKEW_MAX_MS, detail }
}

const GIB = 1024 ** 3
const FREE_BYTES_MIN = GIB

/** The folder of uploads, erasures and the embedded database. On another machine it does not exist. */
async function filesCheck({ settings: { dataDir } }: Deps): Promise<Check> {
  const check = 'files'
  const probe = join(dataDir, `.doctor-${newUuid()}`)
  try {
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 })
    await rm(probe)
    const { bavail, bsize } = await statfs(dataDir)
    const detail = `${((bavail * bsize) / GIB).toFixed(1)} GiB free in ${dataDir}`
    return { check, ok: bavail * bsize >= FREE_BYTES_MIN, detail }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { check, ok: true, detail: `${dataDir} is not here` }
    return { check, ok: false, detail: `nothing can be written in ${dataDir} (${code})` }
  }
}
