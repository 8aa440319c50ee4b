/** The test tools of the API for developers, on their own sandbox platforms. */
import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { SECOND_MS, toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { platformTime, type Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { listMagicValues, MagicValueSchema } from '../../../features/magic-values/index.ts'
import { deposit } from '../../../features/transactions/index.ts'
import { commandInWork } from '../../../ledger/command-in-work.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inPlatform } from '../../in-platform.ts'
import { ONE_PLATFORM } from '../../queries/list-filters.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'

const ACCESS = { roles: ['ADMIN', 'DEVELOPER'], writes: true } as const

export function mustHaveTestTools(platform: Platform): void {
  if (!traitsOf(platform).hasTestTools) fail('FORBIDDEN', { reason: 'SANDBOX_ONLY' })
}

function wholeOf(input: Input, name: string, most: bigint): bigint {
  const text = input.option(name) ?? ''
  const isWhole = /^[1-9]\d{0,17}$/.test(text) && BigInt(text) <= most
  if (!isWhole) throw new UsageError(`--${name} is a whole number from 1 to ${most}.`)
  return BigInt(text)
}

const fund = defineCommand({
  name: 'sandbox fund',
  access: ACCESS,
  about: 'Money comes in on an internal account of a sandbox platform.',
  takes: ['internalAccountId'],
  options: { amount: { about: 'In smallest units.', value: 'N', required: true } },
  answers: record({
    internalAccountId: idField('internalAccount'),
    transactionId: idField('transaction'),
  }),
  async run(deps, input) {
    const resource = onlyArg(input, 'internalAccountId')
    const accountId = mustParseId('internalAccount', resource)
    const amount = wholeOf(input, 'amount', AMOUNT_MAX)
    const owner = await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, accountId))
    const platformId = formatId('platform', owner ?? failNotFound('internalAccount'))
    const action = 'sandbox fund'
    return inPlatform(deps, { platformId, action, resource }, async (work) => {
      mustHaveTestTools(work.platform)
      const input = { accountId, amount }
      const { transaction } = await commandInWork(work, deposit, { action, input })
      return { internalAccountId: resource, transactionId: formatId('transaction', transaction.id) }
    })
  },
})

const YEAR_SECONDS = 31_536_000n

/** Moving a clock runs the jobs that become due, which only a process of the service can do. */
const clockOf = ({ advanceClock }: Deps) =>
  advanceClock ??
  fail('NOT_IMPLEMENTED', { reason: 'Use the dashboard, the operator API or POST /sandbox/clock.' })

const clock = defineCommand({
  name: 'sandbox clock',
  access: ACCESS,
  about: 'Move the clock of a sandbox platform forward; what comes due on the way happens.',
  options: {
    platform: ONE_PLATFORM,
    advance: { about: 'By so many seconds.', value: 'N', required: true },
  },
  answers: record({ platformId: idField('platform'), now: timestamp(), jobs: Type.Integer() }),
  async run(deps, input) {
    const platformId = input.option('platform') ?? ''
    const byMs = Number(wholeOf(input, 'advance', YEAR_SECONDS)) * SECOND_MS
    const advance = clockOf(deps)
    const id = await inPlatform(deps, { platformId, action: 'sandbox clock' }, async (work) => {
      mustHaveTestTools(work.platform)
      return work.platform.id
    })
    const { platform, ran } = await advance(id, { byMs })
    const jobs = ran.filter(({ kind }) => kind === 'job').length
    return { platformId, now: toWireTime(platformTime(platform, deps.clock.now())), jobs }
  },
})

const listMagic = defineCommand({
  name: 'sandbox magic-values',
  access: { roles: ANY_ROLE },
  about: 'Every value by which the sandbox decides what the outside does, and its effect.',
  answers: Type.Array(MagicValueSchema),
  run: async ({ settings }) => listMagicValues(settings),
})

export const sandboxCommands = { fund, clock, magicValues: listMagic }
