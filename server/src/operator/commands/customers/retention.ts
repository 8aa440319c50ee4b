import { Type } from '../../../infra/http/schema/type.ts'
import { findPlatformOfCustomer } from '../../queries/operator-store.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inAnyPlatform } from '../../in-platform.ts'
import { eraseCustomer, replayErasures } from '../../retention/erase-customer.ts'
import { exportCustomer } from '../../retention/export-customer.ts'
import { lockUnerased, setLegalHold } from '../../retention/retention-store.ts'
import { mustFindOwner } from '../../access/visible-platforms.ts'

const HoldSchema = record({
  customerId: idField('customer'),
  legalHold: Type.Boolean(),
  since: Type.Optional(timestamp()),
})

const ErasedSchema = Type.Union([
  record({
    customerId: idField('customer'),
    platformId: idField('platform'),
    erasedAt: timestamp(),
  }),
  record({
    ok: Type.Boolean(),
    erased: Type.Integer(),
    alreadyErased: Type.Integer(),
    unknown: Type.Integer(),
    failed: Type.Array(record({ customerId: idField('customer'), reason: Type.String() })),
  }),
])

function switchOf({ args: [customerId, state, ...more] }: Input) {
  if (customerId === undefined || (state !== 'on' && state !== 'off') || more.length > 0)
    throw new UsageError('Give one customerId, and as state on or off.')
  return { id: mustParseId('customer', customerId), isOn: state === 'on' }
}

const legalHold = defineCommand({
  name: 'customers legal-hold',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about: 'Keep the data of a customer from being erased (state on), or allow it again (off).',
  takes: ['customerId', 'state'],
  options: { note: { about: 'Why; kept with the audit entry.', value: 'TEXT', required: true } },
  answers: HoldSchema,
  async run(deps, input) {
    const { id, isOn } = switchOf(input)
    const owner = findPlatformOfCustomer(deps.db.read, id)
    const platformId = await mustFindOwner(deps, 'customer', owner)
    const customerId = formatId('customer', id)
    const note = `${isOn ? 'on' : 'off'}: ${input.option('note')}`
    const entry = { action: 'customers legal-hold', resource: customerId, note: () => note }
    return inAnyPlatform(deps, { id: platformId, ...entry }, async ({ tx, now }) => {
      const key = { platformId, customerId: id }
      const { legalHoldSince } = await lockUnerased(tx, key)
      const since = isOn ? (legalHoldSince ?? now) : null
      await setLegalHold(tx, key, since)
      return { customerId, legalHold: isOn, ...(since && { since: toWireTime(since) }) }
    })
  },
})

const erase = defineCommand({
  name: 'customers erase',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about:
    'Erase the personal data of a deleted or rejected customer whose period is over. It cannot be undone.',
  takes: ['customerId'],
  mayOmitArguments: true,
  options: {
    note: { about: 'Why; kept with the audit entry.', value: 'TEXT' },
    'override-period': {
      about: 'No law keeps the data as long as RETENTION_CUSTOMER_YEARS says.',
      flag: true,
    },
    replay: {
      about: 'Repeat the erasures of this erasures.jsonl that the database lacks.',
      value: 'FILE',
      isPath: true,
    },
  },
  answers: ErasedSchema,
  async run(deps, input) {
    const replay = input.option('replay')
    if (replay !== undefined) return replayErasures(deps, replay, input.contents?.['replay'])
    const note = input.option('note')
    const id = mustParseId('customer', onlyArg(input, 'customerId'))
    if (note === undefined) throw new UsageError('--note is required: why the data is erased.')
    const isPeriodOverridden = input.flag('override-period')
    const erased = await eraseCustomer(deps, { id, note, isPeriodOverridden })
    return {
      customerId: formatId('customer', id),
      platformId: formatId('platform', erased.platformId),
      erasedAt: toWireTime(erased.erasedAt),
    }
  },
})

const exportAll = defineCommand({
  name: 'customers export',
  access: { roles: ['REVIEWER'] },
  about: 'Write all data held about a customer into a new file, its documents beside it.',
  takes: ['customerId'],
  options: {
    to: {
      about: 'The file; it must not be there yet.',
      value: 'FILE',
      required: true,
      isPath: true,
    },
  },
  answers: record({ path: Type.String(), rows: Type.Integer(), documents: Type.Integer() }),
  run: (deps, input) =>
    exportCustomer(deps, {
      id: mustParseId('customer', onlyArg(input, 'customerId')),
      to: input.option('to') ?? '',
    }),
})

export const retentionCommands = { legalHold, erase, exportAll }
