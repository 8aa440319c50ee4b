import { Type } from 'typebox'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, isUuid } from '../../../kernel/ids.ts'
import { listAudit } from '../../audit/audit-store.ts'
import { defineCommand, record, UsageError, type Given } from '../../command.ts'
import { LIMIT, limitOf, PLATFORM, platformOf } from './service.ts'

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

function beforeOf(given: Given): string | null {
  const text = given.text('before')
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
  async run({ db }, given) {
    const lines = await listAudit(db.read, {
      platformId: platformOf(given),
      actors: given.texts('actor'),
      action: given.text('action') ?? '',
      resources: given.texts('resource'),
      before: beforeOf(given),
      limit: limitOf(given),
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

export const auditCommands = { list: auditList }
