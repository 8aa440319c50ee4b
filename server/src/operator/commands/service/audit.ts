import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, isUuid } from '../../../kernel/ids.ts'
import { readAnchors } from '../../audit/anchors.ts'
import { listAudit } from '../../audit/audit-store.ts'
import { exportAudit } from '../../audit/lines.ts'
import { PROBLEMS, verifyAudit } from '../../audit/verify.ts'
import { defineCommand, record, UsageError, type Input } from '../../command.ts'
import { LIMIT, limitOf, PLATFORM } from '../../queries/list-filters.ts'
import { platformOf } from './service.ts'

const AuditSchema = record({
  at: timestamp(),
  platformId: idField('platform'),
  actor: Type.String(),
  action: Type.String(),
  resource: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  requestId: Type.String(),
  clientRequestId: Type.Optional(Type.String()),
  entryId: Type.String(),
  seq: Type.Optional(Type.Integer()),
  hash: Type.Optional(Type.String()),
})

function beforeOf(input: Input): string | null {
  const text = input.option('before')
  if (text !== undefined && !isUuid(text)) throw new UsageError('--before is the id of an entry.')
  return text ?? null
}

const auditList = defineCommand({
  name: 'audit list',
  access: { roles: ['VIEWER'], scope: 'installation unless --platform' },
  about: 'Who changed what, newest first.',
  options: {
    platform: PLATFORM,
    actor: {
      about: 'Only by whom this begins, as in operator:anna; may be repeated.',
      value: 'TEXT',
      repeatable: true,
    },
    action: { about: 'Only actions that begin like this, as in review.', value: 'TEXT' },
    resource: {
      about: 'Only what was done to this; may be repeated.',
      value: 'ID',
      repeatable: true,
    },
    before: { about: 'Only what is older than this entry.', value: 'ENTRY_ID' },
    limit: LIMIT,
  },
  answers: Type.Array(AuditSchema),
  async run({ db }, input) {
    const lines = await listAudit(db.read, {
      platformId: platformOf(input),
      actors: input.options('actor'),
      action: input.option('action') ?? '',
      resources: input.options('resource'),
      before: beforeOf(input),
      limit: limitOf(input),
    })
    return lines.map(
      ({ id, platformId, at, resource, note, clientRequestId, seq, hash, ...line }) => ({
        at: toWireTime(at),
        platformId: formatId('platform', platformId),
        ...line,
        resource: resource ?? undefined,
        note: note ?? undefined,
        clientRequestId: clientRequestId ?? undefined,
        entryId: id,
        seq: seq === null ? undefined : Number(seq),
        hash: hash?.toString('hex'),
      }),
    )
  },
})

const VerifySchema = record({
  ok: Type.Boolean(),
  platforms: Type.Array(
    record({
      platformId: idField('platform'),
      entries: Type.Integer(),
      head: Type.Optional(record({ seq: Type.Integer(), hash: Type.String() })),
      problems: Type.Array(
        record({
          problem: Type.Enum(PROBLEMS),
          seq: Type.Optional(Type.Integer()),
          entryId: Type.Optional(Type.String()),
          count: Type.Optional(Type.Integer()),
        }),
      ),
    }),
  ),
})

const auditVerify = defineCommand({
  name: 'audit verify',
  access: { roles: ['VIEWER'], scope: 'installation unless --platform' },
  about: 'Compute every chain of the audit again and name entries that were changed or removed.',
  options: {
    platform: PLATFORM,
    anchor: {
      about:
        'JSON lines with earlier heads of the chains, such as a log or what the sink received.',
      value: 'FILE',
      isPath: true,
    },
  },
  answers: VerifySchema,
  async run(deps, input) {
    const file = input.option('anchor')
    const anchors = file === undefined ? [] : await readAnchors(file)
    return verifyAudit(deps, { platformId: platformOf(input), anchors })
  },
})

function firstOf(input: Input): bigint {
  const text = input.option('from') ?? '1'
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new UsageError('--from is a whole number from 1.')
  return BigInt(text)
}

const auditExport = defineCommand({
  name: 'audit export',
  access: { roles: ['ADMIN'], scope: 'installation unless --platform' },
  about: 'Write the entries of each chain with seq, hash and note as JSON lines into a new file.',
  options: {
    platform: PLATFORM,
    from: { about: 'The first place in each chain (default 1).', value: 'SEQ' },
    to: {
      about: 'The file; it must not be there yet.',
      value: 'FILE',
      required: true,
      isPath: true,
    },
  },
  answers: record({ path: Type.String(), entries: Type.Integer() }),
  run: (deps, input) =>
    exportAudit(deps, {
      platformId: platformOf(input),
      from: firstOf(input),
      to: input.option('to') ?? '',
    }),
})

export const auditCommands = { list: auditList, verify: auditVerify, export: auditExport }
