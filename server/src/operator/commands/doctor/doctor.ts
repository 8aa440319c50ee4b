import { Type } from '../../../infra/http/schema/type.ts'
import { addMs, DAY_MS, HOUR_MS, toWireTime } from '../../../kernel/clock.ts'
import type { Deps } from '../../../infra/deps.ts'
import { UnsealError } from '../../../crypto/seal.ts'
import { postSpans } from '../../../infra/logging/tracing/export-spans.ts'
import { isEmbeddedIn } from '../../../infra/db/embedded-postgres.ts'
import { checkLedger } from '../../../ledger/reports/check-ledger.ts'
import {
  listFailingEndpoints,
  type FailingEndpoint,
} from '../../../webhooks/endpoints/failing-endpoints.ts'
import { problemsOf, readFigures } from '../../../orders/index.ts'
import { mayChangeAudit } from '../../audit/audit-store.ts'
import { readSinkLag, sinkOf } from '../../audit/sink.ts'
import { countAdmins, lastRecovery } from '../../operators/store.ts'
import { lastBackupAt } from '../../backup/make-backup.ts'
import { hasTrigrams } from '../../queries/search-store.ts'
import { listRequiredPrices, type RequiredPrice } from '../../queries/required-prices.ts'
import { countDeadJobs, databaseVersion } from '../../queries/operator-store.ts'
import { defineCommand, record } from '../../command.ts'
import { runningChecks } from './running-checks.ts'

const DoctorSchema = record({
  ok: Type.Boolean(),
  checks: Type.Array(record({ check: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
})

const OLDEST_MAJOR = 15

function describeFailing(failing: readonly FailingEndpoint[]): string {
  const [longest] = failing
  if (!longest) return 'no endpoint is failing'
  const { platformName, since, lastError, waiting } = longest
  const count = failing.length === 1 ? '1 endpoint is' : `${failing.length} endpoints are`
  return `${count} failing; longest ${platformName}: since ${toWireTime(since)}, ${waiting} waiting, ${lastError}`
}

/** Only for the embedded database; any other is backed up with its own tools (OPER-95). */
async function backupCheck({ settings, clock }: Deps) {
  const { dataDir, databaseUrl = '', production, backupMaxAgeHours } = settings
  if (!isEmbeddedIn(dataDir, databaseUrl)) return []
  const at = await lastBackupAt(dataDir)
  const isOld = at === undefined || at < addMs(clock.now(), -backupMaxAgeHours * HOUR_MS)
  const detail = at === undefined ? 'none known' : `last ${toWireTime(at)}`
  return [{ check: 'backup', ok: !(production && isOld), detail }]
}

/** `missing SOL; stale EUR`, or the number of prices where all are current (RATE-12). */
function pricesIn(required: readonly RequiredPrice[]): string {
  const codesOf = (rows: readonly RequiredPrice[]) => [...new Set(rows.map(({ code }) => code))]
  const listed = (word: string, codes: readonly string[]) =>
    codes.length > 0 ? [`${word} ${codes.join(', ')}`] : []
  const stale = required.filter((row) => row.stale)
  const found = [
    ...listed('missing', codesOf(stale.filter(({ price }) => price === undefined))),
    ...listed('stale', codesOf(stale.filter(({ price }) => price !== undefined))),
  ]
  return found.length > 0 ? found.join('; ') : `${codesOf(required).length} needed, all current`
}

/** Circuits, orders and exceptions of providers outside that have waited too long (PROV-142). */
async function providersCheck(deps: Deps) {
  try {
    await deps.providers.refresh()
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    const detail = 'registrations do not open in this process, so their changes do not reach it'
    return { check: 'providers', ok: false, detail }
  }
  const figures = await readFigures(deps.db.read)
  const problems = figures.flatMap((one) => {
    const provider = deps.providers.find(one.providerId)
    return provider ? problemsOf(provider, one, deps.clock.now()) : []
  })
  const detail = problems.length > 0 ? problems.join('; ') : `${figures.length} registered`
  return { check: 'providers', ok: problems.length === 0, detail }
}

/** With one role for service and migrations a statement of the service could change entries (OPER-52). */
async function auditCheck({ db }: Deps) {
  const { isChangeable } = await mayChangeAudit(db.read)
  const detail = isChangeable
    ? "entries could be changed by the service's role"
    : 'entries can only be added'
  return { check: 'audit', ok: true, detail }
}

/** A sink that lags more than this fails the check (OPER-55). */
const SINK_LAG_MAX_SECONDS = 3_600

async function sinkCheck(deps: Deps) {
  if (!sinkOf(deps)) return []
  const lag = await readSinkLag(deps)
  const detail = `${Math.floor(lag)} s behind`
  return [{ check: 'audit sink', ok: lag < SINK_LAG_MAX_SECONDS, detail }]
}

/** Sends an empty message, which a collector accepts like any other (OPER-142). */
async function tracesCheck(deps: Deps) {
  if (deps.settings.otlpEndpoint === undefined) return []
  const problem = await postSpans(deps, [])
  const detail = problem === undefined ? 'the collector takes spans' : `the collector: ${problem}`
  return [{ check: 'traces', ok: problem === undefined, detail }]
}

const RECOVERY_SHOWN_MS = 7 * DAY_MS

/** Shows a recent recovery, because it makes an administrator without a second operator (OPER-8). */
async function operatorsCheck({ db, clock }: Deps) {
  const at = await lastRecovery(db.read)
  const isRecent = at !== null && at > addMs(clock.now(), -RECOVERY_SHOWN_MS)
  const detail = isRecent
    ? `operators recover made an administrator at ${toWireTime(at)}`
    : `${await countAdmins(db.read)} administrators`
  return { check: 'operators', ok: !isRecent, detail }
}

/** With sign-in links every user of the machine reaches the dashboard, also in production (OPER-30). */
const signInCheck = ({ production, operatorLinks }: Deps['settings']) =>
  production && operatorLinks === 'on'
    ? [
        {
          check: 'sign-in',
          ok: true,
          detail: 'everyone who may run florin here can sign in as any operator',
        },
      ]
    : []

/** Without trigrams names are found by their beginning only (OPER-112). */
async function searchCheck({ db }: Deps) {
  const detail = (await hasTrigrams(db.read))
    ? 'names are also found misspelt'
    : 'pg_trgm is missing: names are found by their beginning only'
  return { check: 'search', ok: true, detail }
}

/** The checks that run each time the overview is opened. */
export const cheapChecks = async (deps: Deps) => [
  ...(await runningChecks(deps)),
  ...(await backupCheck(deps)),
  await auditCheck(deps),
  ...(await sinkCheck(deps)),
  await providersCheck(deps),
  await operatorsCheck(deps),
  await searchCheck(deps),
]

const doctor = defineCommand({
  name: 'doctor',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Look whether this installation is in order.',
  answers: DoctorSchema,
  async run(deps) {
    const { db, settings, clock } = deps
    const { version } = await databaseVersion(db.read)
    const [dead, ledger] = [await countDeadJobs(db.read), await checkLedger(db, deps.counts)]
    const failing = await listFailingEndpoints(db.read, clock.now())
    const required = await listRequiredPrices(deps)
    const checks = [
      {
        check: 'database',
        ok: parseInt(version, 10) >= OLDEST_MAJOR,
        detail: `PostgreSQL ${version}`,
      },
      { check: 'jobs', ok: dead === 0, detail: `${dead} dead` },
      { check: 'webhooks', ok: failing.length === 0, detail: describeFailing(failing) },
      {
        check: 'ledger',
        ok: ledger.ok,
        detail: `${ledger.entries} entries, ${ledger.problems.length} problems`,
      },
      ...(await cheapChecks(deps)),
      ...(await tracesCheck(deps)),
      ...signInCheck(settings),
      { check: 'four-eyes', ok: true, detail: settings.fourEyes },
      { check: 'prices', ok: required.every(({ stale }) => !stale), detail: pricesIn(required) },
      {
        check: 'environment',
        ok: true,
        detail: settings.production ? 'production' : 'development',
      },
    ]
    return { ok: checks.every(({ ok }) => ok), checks }
  },
})

export const doctorCommands = { doctor }
