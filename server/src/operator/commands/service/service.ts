import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { formatId, mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Deps } from '../../../infra/deps.ts'
import { addressesOf } from '../../../infra/db/addresses.ts'
import { migrate as applyMigrations } from '../../../infra/db/migrate.ts'
import { defineCommand, onlyArg, record, type Input } from '../../command.ts'
import { inAnyPlatform } from '../../in-platform.ts'
import { LIMIT, limitOf, PLATFORM } from '../../queries/list-filters.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'
import {
  findJob,
  findPlatformOfJob,
  listJobs,
  retryJob,
  type JobLine,
} from '../../queries/operator-store.ts'

const JobSchema = record({
  jobId: Type.String(),
  platformId: idField('platform'),
  name: Type.String(),
  state: Type.String(),
  dueAt: timestamp(),
  attempts: Type.Integer(),
  lastError: Type.Optional(Type.String()),
})

export const platformOf = (input: Input) => {
  const text = input.option('platform')
  return text === undefined ? null : mustParseId('platform', text)
}

const shownJob = (job: JobLine) => ({
  jobId: job.id,
  platformId: formatId('platform', job.platformId),
  name: job.name,
  state: job.state,
  dueAt: toWireTime(job.dueAt),
  attempts: job.attempts,
  lastError: job.lastError ?? undefined,
})

const jobsList = defineCommand({
  name: 'jobs list',
  access: { roles: ['VIEWER'] },
  about: 'Dead jobs, or with --waiting those that wait.',
  options: {
    waiting: { about: 'The waiting ones.', flag: true },
    platform: PLATFORM,
    limit: LIMIT,
  },
  answers: Type.Array(JobSchema),
  async run(deps, input) {
    const state = input.flag('waiting') ? 'WAITING' : 'DEAD'
    const platformIds = shownPlatforms(deps, input)
    return (await listJobs(deps.db.read, { state, platformIds, limit: limitOf(input) })).map(
      shownJob,
    )
  },
})

async function placeOfJob(deps: Deps, id: string): Promise<Id<'platform'>> {
  if (!parseId('job', `Job:${id}`)) fail('REFERENCE_NOT_FOUND')
  return (
    (await visibleOwner(deps, findPlatformOfJob(deps.db.read, id))) ?? fail('REFERENCE_NOT_FOUND')
  )
}

const jobsShow = defineCommand({
  name: 'jobs show',
  access: { roles: ['VIEWER'] },
  about: 'One job, and why it failed last.',
  takes: ['jobId'],
  answers: JobSchema,
  async run(deps, input) {
    const id = onlyArg(input, 'jobId')
    const platformId = await placeOfJob(deps, id)
    return shownJob(
      (await findJob(deps.db.read, { platformId, id })) ?? fail('REFERENCE_NOT_FOUND'),
    )
  },
})

const jobsRetry = defineCommand({
  name: 'jobs retry',
  access: { roles: ['ADMIN'], writes: true },
  about: 'Let a dead or failing job run again now.',
  takes: ['jobId'],
  answers: JobSchema,
  async run(deps, input) {
    const id = onlyArg(input, 'jobId')
    const platformId = await placeOfJob(deps, id)
    const of = { id: platformId, action: 'jobs retry', resource: id }
    return inAnyPlatform(deps, of, async ({ tx }) =>
      shownJob((await retryJob(tx, { platformId, id })) ?? fail('REFERENCE_NOT_FOUND')),
    )
  },
})

const migrate = defineCommand({
  name: 'migrate',
  access: { roles: ['ADMIN'], scope: 'installation', writes: true, isLocal: true },
  about: 'Bring the database to the newest schema.',
  toleratesOldSchema: true,
  answers: record({ applied: Type.Array(Type.String()) }),
  async run({ settings }) {
    const { databaseUrl, databaseOwnerUrl } = addressesOf(settings, undefined)
    return { applied: await applyMigrations(databaseOwnerUrl, { serviceUrl: databaseUrl }) }
  },
})

export const serviceCommands = {
  jobsList,
  jobsShow,
  jobsRetry,
  migrate,
}
