import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { REQUEST_FIELDS, requestToWire } from '../../../features/requests/index.ts'
import { openContent } from '../../../infra/request-log/content.ts'
import {
  findRequest,
  listRequests,
  sumDrops,
  type RequestLine,
} from '../../../infra/request-log/store.ts'
import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, isUuid } from '../../../kernel/ids.ts'
import { PAGE_LIMIT_MAX } from '../../../kernel/page.ts'
import { callerOf } from '../../access/caller.ts'
import { shownPlatforms } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { PERIOD_OPTIONS, periodOf, limitOf, PLATFORM } from '../../queries/list-filters.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const LINE = { ...REQUEST_FIELDS, platformId: idField('platform') }

const toShown = (line: RequestLine) => ({
  ...requestToWire(line),
  platformId: formatId('platform', line.platformId),
})

/** `404` is one status, `4xx` all of its class. */
function statusesOf(input: Input): readonly [number, number] | null {
  const text = input.option('status')
  if (text === undefined) return null
  const [, first, rest = ''] = /^([1-5])(xx|\d\d)$/.exec(text) ?? []
  if (first === undefined) throw new UsageError('--status is a status as 404, or a class as 4xx.')
  return rest === 'xx' ? [Number(`${first}00`), Number(`${first}99`)] : [Number(text), Number(text)]
}

function beforeOf(input: Input): string | null {
  const text = input.option('before')
  if (text !== undefined && !isUuid(text)) throw new UsageError('--before is the id of a request.')
  return text ?? null
}

const list = defineCommand({
  name: 'requests list',
  access: { roles: ANY_ROLE },
  about: 'What the API was asked and how it answered, newest first.',
  options: {
    platform: PLATFORM,
    status: { about: 'Only with this status, or of this class.', value: '404|4xx' },
    method: { about: 'Only with this method.', value: METHODS.join('|') },
    path: { about: 'Only with this in the path.', value: 'TEXT' },
    token: { about: 'Only by this token or agent.', value: 'ID' },
    'request-id': { about: 'Only with this X-Request-Id.', value: 'ID' },
    ...PERIOD_OPTIONS,
    before: { about: 'Only what is older than this request.', value: 'REQUEST_ID' },
    limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
  },
  answers: Type.Array(record(LINE)),
  async run(deps, input) {
    const limit = limitOf(input)
    if (limit > PAGE_LIMIT_MAX) throw new UsageError(`--limit is at most ${PAGE_LIMIT_MAX}.`)
    const found = await listRequests(deps.db.read, {
      platformIds: shownPlatforms(deps, input),
      method: choiceOf(input, 'method', METHODS) ?? null,
      path: input.option('path') ?? null,
      statuses: statusesOf(input),
      actor: input.option('token') ?? null,
      requestId: input.option('request-id') ?? null,
      period: periodOf(input),
      before: beforeOf(input),
      limit,
    })
    return found.map(toShown)
  },
})

const show = defineCommand({
  name: 'requests show',
  access: { roles: ANY_ROLE },
  about: 'One request with what was sent and answered, by its X-Request-Id.',
  takes: ['requestId'],
  answers: record({
    ...LINE,
    query: Type.Optional(Type.Unknown()),
    request: Type.Optional(Type.Unknown()),
    response: Type.Optional(Type.Unknown()),
  }),
  async run(deps, input) {
    const requestId = onlyArg(input, 'requestId')
    const platformIds = callerOf(deps).platforms ?? null
    const found =
      (await findRequest(deps.db.read, { requestId, platformIds })) ?? fail('REFERENCE_NOT_FOUND')
    const { content } = found
    return { ...toShown(found), ...(content && openContent(deps.keyring, found.id, content)) }
  },
})

const dropped = defineCommand({
  name: 'requests dropped',
  access: { roles: ANY_ROLE },
  about: 'How many requests of the last 24 hours are not in the list, or there without a body.',
  options: { platform: PLATFORM },
  answers: record({ requests: Type.Integer(), bodies: Type.Integer() }),
  run: (deps, input) =>
    sumDrops(deps.db.read, {
      platformIds: shownPlatforms(deps, input),
      since: addMs(deps.clock.now(), -DAY_MS),
    }),
})

export const requestCommands = { list, show, dropped }
